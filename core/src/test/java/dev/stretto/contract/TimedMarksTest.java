package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.virtual.VirtualConfig;
import dev.stretto.driver.virtual.VirtualDriver;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A timeline puts no events with times where they are in the way: behind a copy such an event waits
 * for the copies of other streams, and what comes next on the stream waits for the event.
 */
class TimedMarksTest {
  private static final int ROUNDS = 50;

  /** Counts the events with times that are recorded on each stream. */
  private static final class Counting extends DriverTap {
    private final Set<Long> timed = Collections.synchronizedSet(new HashSet<>());
    private final Map<Long, Integer> recorded = Collections.synchronizedMap(new HashMap<>());

    Counting(Driver driver) {
      super(driver);
    }

    @Override
    void before(Call call) {}

    @Override
    DeviceTap tap(DriverDevice device) {
      return new DeviceTap(device) {
        @Override
        public long createEvent(boolean withTime) {
          long event = super.createEvent(withTime);
          if (withTime) {
            timed.add(event);
          }
          return event;
        }

        @Override
        public void recordEvent(long event, long stream) {
          if (timed.contains(event)) {
            recorded.merge(stream, 1, Integer::sum);
          }
          super.recordEvent(event, stream);
        }
      };
    }
  }

  private final Counting driver =
      new Counting(new RealTime(new VirtualDriver(VirtualConfig.parse("h200"))));

  @Test
  void whereCopiesBeginIsMarkedOnAnotherStream() {
    try (Device device = Device.openAll(driver).getFirst();
        Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(4096);
        Timeline timeline = Timeline.record(device)) {
      MemorySegment host = arena.allocate(4096);
      for (int i = 0; i < ROUNDS; i++) {
        stream.copy(host, array);
        stream.copy(array, host);
        stream.record().await();
      }
      assertThat(timeline.spans()).hasSize(2 * ROUNDS);
      // An end for each copy. Where the first one begins is marked too; and so is where one begins
      // that was enqueued long after the one before it, if that one was not with the driver then.
      assertThat(driver.recorded.get(stream.handle())).isBetween(2 * ROUNDS, 2 * ROUNDS + 5);
    }
  }
}
