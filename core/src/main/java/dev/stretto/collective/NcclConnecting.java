package dev.stretto.collective;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.ForeignWork;
import dev.stretto.Stream;
import dev.stretto.collective.nccl.NcclRank;
import dev.stretto.fault.AwaitInterruptedException;
import dev.stretto.memory.GlobalInts;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Connects ranks that have joined with each other, so that no later call waits for that. The
 * library's calls wait meanwhile, so a thread of their own makes them.
 */
final class NcclConnecting {
  private static final long LOOK_MILLIS = 5;

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
    CompletableFuture<Void> sent = new CompletableFuture<>();
    Thread _ =
        Thread.ofPlatform()
            .daemon()
            .name("stretto-nccl-connect")
            .start(() -> complete(sent, () -> send(rank, device)));
    await(sent, mayWait);
  }

  private static void complete(CompletableFuture<Void> future, Runnable body) {
    try {
      body.run();
      future.complete(null);
    } catch (Throwable e) {
      future.completeExceptionally(e);
    }
  }

  private static void send(NcclRank rank, Device device) {
    try (Stream stream = device.stream();
        GlobalInts numbers = device.allocateInts(2L * rank.ranks())) {
      ForeignWork work =
          (handle, _) -> {
            rank.connect(numbers.address(), handle);
            return true;
          };
      Event sent = stream.call(work, List.of(numbers), List.of(numbers));
      sent.await();
    }
  }

  private static void await(CompletableFuture<Void> sent, Runnable mayWait) {
    while (true) {
      mayWait.run();
      try {
        sent.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException _) { // ask again
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RuntimeException cause) {
          throw cause;
        }
        throw new IllegalStateException("the ranks could not be connected", e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AwaitInterruptedException("interrupted while ranks connected", e);
      }
    }
  }
}
