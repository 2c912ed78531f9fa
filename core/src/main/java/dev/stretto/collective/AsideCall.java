package dev.stretto.collective;

import dev.stretto.fault.AwaitInterruptedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * A call of NCCL in which a rank waits for all others, on a thread of its own, so that who wants
 * its result can give up.
 */
final class AsideCall {
  private static final long LOOK_MILLIS = 5;

  private AsideCall() {}

  /**
   * {@return the call's result}
   *
   * @param what it does, a word
   * @param call waits for the other ranks; ends when the rank is aborted
   * @param mayWait asked again and again; throws what ends the wait
   */
  static <T> T await(String what, Supplier<T> call, Runnable mayWait) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread _ =
        Thread.ofPlatform()
            .daemon()
            .name("stretto-nccl-" + what)
            .start(() -> complete(result, call));
    while (true) {
      mayWait.run();
      try {
        return result.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException _) { // ask again
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RuntimeException cause) {
          throw cause;
        }
        throw new IllegalStateException("NCCL: " + what, e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AwaitInterruptedException("interrupted in NCCL's " + what, e);
      }
    }
  }

  private static <T> void complete(CompletableFuture<T> result, Supplier<T> call) {
    try {
      result.complete(call.get());
    } catch (Throwable e) {
      result.completeExceptionally(e);
    }
  }
}
