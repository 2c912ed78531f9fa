package dev.stretto.route;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Pinned memory into which kernels write which check has failed. The host can read it even though
 * the failure loses the device.
 */
public final class FaultRecords {
  private static final int RECORD_BYTES = 64;
  private static final int BLOCK_BYTES = 16 << 10;

  private record Slot(MemorySegment record, Function<MemorySegment, String> words) {}

  private final DeviceState device;

  @GuardedBy("this")
  private final List<Long> blocks = new ArrayList<>();

  @GuardedBy("this")
  private final List<Slot> slots = new ArrayList<>();

  /** Records of unloaded kernels. */
  @GuardedBy("this")
  private final List<Long> free = new ArrayList<>();

  FaultRecords(DeviceState device) {
    this.device = device;
  }

  /**
   * {@return the address of a record for a kernel, 64 bytes of zeros}
   *
   * @param words explains a record that the kernel has written
   */
  @SuppressWarnings("restricted") // memory that this object allocates and frees
  public long add(Function<MemorySegment, String> words) {
    while (true) {
      long address = takeRecord(words);
      if (address != 0) {
        return address;
      }
      // Outside this object's monitor: the call takes the device's lock, and a report takes the
      // monitor with that lock held.
      long block = device.call(() -> device.driver().allocatePinned(BLOCK_BYTES));
      MemorySegment.ofAddress(block).reinterpret(BLOCK_BYTES).fill((byte) 0);
      addBlock(block);
    }
  }

  /** Takes a free record of the existing blocks; 0 if all are taken. */
  private synchronized long takeRecord(Function<MemorySegment, String> words) {
    if (!free.isEmpty()) {
      long again = free.removeLast();
      slots.set(indexOf(again), new Slot(record(again), words));
      return again;
    }
    int perBlock = BLOCK_BYTES / RECORD_BYTES;
    if (slots.size() == blocks.size() * perBlock) {
      return 0;
    }
    int at = slots.size();
    long address = blocks.get(at / perBlock) + (long) (at % perBlock) * RECORD_BYTES;
    slots.add(new Slot(record(address), words));
    return address;
  }

  @SuppressWarnings("restricted")
  private static MemorySegment record(long address) {
    return MemorySegment.ofAddress(address).reinterpret(RECORD_BYTES);
  }

  private int indexOf(long address) {
    for (int i = 0; i < slots.size(); i++) {
      if (slots.get(i).record().address() == address) {
        return i;
      }
    }
    throw new IllegalArgumentException("no record lies at " + address);
  }

  /**
   * Takes back the record of an unloaded kernel; a written record is kept so that it can be read.
   */
  synchronized void giveBack(long address) {
    if (!slots.isEmpty() && record(address).get(ValueLayout.JAVA_INT, 0) == 0) {
      free.add(address);
    }
  }

  private synchronized void addBlock(long block) {
    blocks.add(block);
  }

  /** {@return what kernels have reported, one after the other; empty if nothing} */
  synchronized String report() {
    StringBuilder report = new StringBuilder();
    for (Slot slot : slots) {
      if (slot.record().get(ValueLayout.JAVA_INT, 0) != 0) {
        report.append(report.isEmpty() ? "" : "; ").append(slot.words().apply(slot.record()));
      }
    }
    return report.toString();
  }

  synchronized void release() {
    free.clear();
    slots.clear();
    blocks.forEach(block -> device.driver().freePinned(block));
    blocks.clear();
  }
}
