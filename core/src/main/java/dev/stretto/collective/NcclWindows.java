package dev.stretto.collective;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.ForeignWork;
import dev.stretto.Stream;
import dev.stretto.collective.nccl.NcclRank;
import dev.stretto.fault.NcclException;
import dev.stretto.memory.GlobalBytes;
import java.util.List;

/** Registers memory of one rank as its part of windows, when all ranks do so. */
final class NcclWindows {
  /** {@code ncclInt8} */
  private static final int BYTE = 0;

  /** Has a byte for each rank. */
  private static final long TRIAL_BYTES = 4096;

  private final NcclRank rank;
  private final Device device;
  private final Runnable mayWait;
  private boolean isPrepared;

  /** Whether the ranks reach each other's memory, as far as is known. */
  private boolean areThere;

  /**
   * @param mayWait throws what ends a wait for the other ranks
   */
  NcclWindows(NcclRank rank, Device device, Runnable mayWait) {
    this.rank = rank;
    this.device = device;
    this.mayWait = mayWait;
    this.areThere = rank.canRegister();
  }

  Device device() {
    return device;
  }

  /** {@return whether memory can be registered} */
  boolean areThere() {
    return areThere;
  }

  /**
   * Registers memory, which all ranks do.
   *
   * @return the window, or 0 if the ranks do not reach each other's memory
   */
  long awaitRegistered(long address, long bytes) {
    try {
      if (!isPrepared) {
        device.inContext(rank::splitForWindows);
        rank.awaitIdle(mayWait);
        rank.useForWindows();
        areThere = AsideCall.await("window", this::tryOut, mayWait);
        isPrepared = true;
      }
      return areThere ? AsideCall.await("window", () -> register(address, bytes), mayWait) : 0;
    } catch (NcclException e) {
      mayWait.run(); // a rank that has failed is the better reason
      throw e;
    }
  }

  /** In the first operation in a window the ranks wait for each other, so that is done here. */
  private boolean tryOut() {
    long[] address = new long[1];
    device.inContext(() -> address[0] = NcclRank.allocate(TRIAL_BYTES));
    long window = 0;
    try {
      window = register(address[0], TRIAL_BYTES);
      if (window != 0) {
        gather(address[0]);
      }
    } catch (RuntimeException e) {
      freeAfter(e, address[0], window);
      throw e;
    }
    rank.free(address[0], window);
    return window != 0;
  }

  private void freeAfter(RuntimeException failure, long address, long window) {
    try {
      rank.free(address, window);
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private void gather(long address) {
    try (Stream stream = device.stream();
        GlobalBytes memory = device.adopt(address, TRIAL_BYTES, GlobalBytes::of)) {
      long own = address + rank.number();
      ForeignWork work =
          (handle, _) ->
              rank.make(List.of(on -> rank.allGatherInWindows(own, address, 1, BYTE, on)), handle);
      Event gathered = stream.call(work, List.of(memory), List.of(memory));
      gathered.await();
    }
  }

  private long register(long address, long bytes) {
    long[] window = new long[1];
    device.inContext(() -> window[0] = rank.register(address, bytes));
    return window[0];
  }

  /** Gives memory back on a thread of its own, since NCCL may wait for the device. */
  void free(long address, long window, Runnable gone) {
    LastCalls.run(
        "window",
        () -> {
          try {
            RanksHere.end(() -> rank.free(address, window), Long.MAX_VALUE);
          } finally {
            gone.run();
          }
        });
  }
}
