package dev.stretto.collective;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.ForeignWork;
import dev.stretto.Stream;
import dev.stretto.collective.nccl.NcclRank;
import dev.stretto.memory.GlobalInts;
import java.util.List;

/** Connects ranks that have joined with each other, so that no later call waits for that. */
final class NcclConnecting {
  private NcclConnecting() {}

  /**
   * Returns when the rank is connected with all others.
   *
   * @param mayWait asked again and again; throws what ends the wait
   */
  static void connect(NcclRank rank, Device device, Runnable mayWait) {
    device.inContext(rank::split);
    rank.awaitIdle(mayWait);
    rank.callBySplit();
    boolean _ = AsideCall.await("connect", () -> send(rank, device), mayWait);
  }

  private static boolean send(NcclRank rank, Device device) {
    try (Stream stream = device.stream();
        GlobalInts numbers = device.allocateInts(2L * rank.ranks())) {
      ForeignWork work =
          (handle, _) -> {
            rank.connect(numbers.address(), handle);
            return true;
          };
      Event sent = stream.call(work, List.of(numbers), List.of(numbers));
      sent.await();
      return true;
    }
  }
}
