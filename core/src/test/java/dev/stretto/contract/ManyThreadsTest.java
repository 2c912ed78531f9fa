package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Thousands of virtual threads that each copy in, launch, copy out and await, at the same time. */
class ManyThreadsTest extends ContractTest {
  private static final int STREAMS = 32;
  private static final int WORDS = 8;
  private static final long BYTES = 4L * WORDS;

  @TempDir Path folder;

  @Test
  void eachOfThousandsOfThreadsGetsItsOwnResultAndNoneEverPinsACarrier() throws Exception {
    int threads = machine.isSeeded() ? 150 : 5_000; // there each thread steps for all the others
    List<Stream> streams = new ArrayList<>();
    try (PinnedArena pinned = device.pinnedArena();
        GlobalInts there = device.allocateInts((long) threads * WORDS)) {
      MemorySegment host = pinned.allocate(threads * BYTES, BYTES);
      for (int i = 0; i < STREAMS; i++) {
        streams.add(device.stream());
      }
      // The JDK pins carriers where threads wait for a class that another one loads.
      Thread.startVirtualThread(() -> work(0, streams, host, there)).join();
      host.fill((byte) 0);
      ConcurrentLinkedQueue<Throwable> trouble = new ConcurrentLinkedQueue<>();
      CountDownLatch over = new CountDownLatch(threads);
      Path recorded = folder.resolve("pinning.jfr");
      try (Recording recording = new Recording()) {
        recording.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ZERO);
        recording.start();
        for (int i = 0; i < threads; i++) {
          int number = i;
          Thread.startVirtualThread(
              () -> {
                try {
                  work(number, streams, host, there);
                } catch (Throwable e) {
                  trouble.add(e);
                } finally {
                  over.countDown();
                }
              });
        }
        over.await();
        recording.stop();
        recording.dump(recorded);
      }
      assertThat(trouble).isEmpty();
      for (int i = 0; i < threads * WORDS; i++) {
        assertThat(host.getAtIndex(JAVA_INT, i)).isEqualTo(3 * i + i / WORDS);
      }
      assertThat(pins(recorded)).isEmpty();
    } finally {
      streams.forEach(Stream::close);
    }
  }

  private static void work(int number, List<Stream> streams, MemorySegment host, GlobalInts there) {
    MemorySegment mine = host.asSlice(number * BYTES, BYTES);
    GlobalInts part = there.slice((long) number * WORDS, WORDS);
    for (int i = 0; i < WORDS; i++) {
      mine.setAtIndex(JAVA_INT, i, number * WORDS + i);
    }
    Stream stream = streams.get(number % STREAMS);
    stream.copy(mine, part);
    stream.launch(Grid.of(1, WORDS), ManyThreadsTest::triple, part, number);
    stream.copy(part, mine).await();
  }

  @Kernel
  static void triple(ThreadBlock block, GlobalInts words, int more) {
    int i = block.threadIndexX();
    words.set(i, 3 * words.get(i) + more);
  }

  /**
   * Of the threads of this test, but for the loading of classes and for Flight Recorder's own
   * locks.
   */
  private static List<RecordedEvent> pins(Path file) throws IOException {
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals("jdk.VirtualThreadPinned"))
        .filter(event -> String.valueOf(event.getStackTrace()).contains("dev.stretto"))
        .filter(event -> !String.valueOf(event.getStackTrace()).contains("loadClass"))
        .filter(event -> !String.valueOf(event.getStackTrace()).contains("jdk.jfr.internal"))
        .toList();
  }
}
