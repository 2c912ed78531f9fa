package dev.stretto.contract;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Does one call of the driver wrong, as a bug would, and says nothing. */
final class PlantedFaults extends DriverTap {
  /** What goes wrong. */
  enum Fault {
    /** A stream does not wait for the event that it was told to wait for. */
    DROPPED_WAIT,
    /** A stream waits for the event of the wait before. */
    WAIT_FOR_ANOTHER_EVENT,
    /** Another event is recorded than the one that somebody waits for. */
    RECORD_OF_ANOTHER_EVENT,
    /** Device memory is freed as soon as a copy of it is enqueued. */
    FREED_BUFFER
  }

  private final Fault fault;
  private final int number;

  /** The streams' recordings that are waited for, by their number, as an earlier run has shown. */
  private final Set<Integer> awaitedRecordings;

  private final Set<Integer> seenAwaited = new HashSet<>();
  private final Map<Long, Integer> lastRecording = new TreeMap<>();
  private final TreeMap<Long, Long> allocations = new TreeMap<>();
  private final Set<Long> freed = new HashSet<>();
  private int waits;
  private int recordings;
  private int awaited;
  private int copies;
  private long lastAwaited;
  private boolean planted;

  /**
   * Plants one fault.
   *
   * @param fault of which kind
   * @param number at which place, from 1 on; 0 for none
   * @param awaitedRecordings of {@link #awaitedRecordings()} of the same program and seed
   */
  PlantedFaults(Driver driver, Fault fault, int number, Set<Integer> awaitedRecordings) {
    super(driver);
    this.fault = fault;
    this.number = number;
    this.awaitedRecordings = awaitedRecordings;
  }

  /** {@return whether the program came to the place of the fault} */
  boolean wasPlanted() {
    return planted;
  }

  /** {@return which recordings streams have waited for} */
  Set<Integer> awaitedRecordings() {
    return seenAwaited;
  }

  private boolean isTime(Fault one, int count) {
    boolean now = fault == one && count == number;
    planted |= now;
    return now;
  }

  @Override
  void before(Call call) {}

  @Override
  DeviceTap tap(DriverDevice device) {
    return new Faulty(device);
  }

  private final class Faulty extends DeviceTap {
    Faulty(DriverDevice device) {
      super(device);
    }

    @Override
    public void waitEvent(long stream, long event) {
      waits++;
      Integer recording = lastRecording.get(event);
      if (recording != null) {
        seenAwaited.add(recording);
      }
      long instead = isTime(Fault.WAIT_FOR_ANOTHER_EVENT, waits) ? lastAwaited : event;
      lastAwaited = event;
      if (!isTime(Fault.DROPPED_WAIT, waits) && instead != 0) {
        super.waitEvent(stream, instead);
      }
    }

    @Override
    public void recordEvent(long event, long stream) {
      recordings++;
      lastRecording.put(event, recordings);
      if (awaitedRecordings.contains(recordings)
          && isTime(Fault.RECORD_OF_ANOTHER_EVENT, ++awaited)) {
        super.recordEvent(super.createEvent(false), stream);
      } else {
        super.recordEvent(event, stream);
      }
    }

    @Override
    public long allocate(long bytes) {
      long address = super.allocate(bytes);
      allocations.put(address, bytes);
      return address;
    }

    @Override
    public void free(long address) {
      if (!freed.remove(address)) {
        super.free(address);
      }
    }

    @Override
    public void copy(long dst, long src, long bytes, CopyKind kind, long stream) {
      super.copy(dst, src, bytes, kind, stream);
      copies++;
      if (isTime(Fault.FREED_BUFFER, copies)) {
        long address = allocations.floorKey(kind == CopyKind.DEVICE_TO_HOST ? src : dst);
        freed.add(address);
        super.free(address);
      }
    }
  }
}
