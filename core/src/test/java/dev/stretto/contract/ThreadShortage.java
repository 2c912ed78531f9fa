package dev.stretto.contract;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.fault.StrettoException;
import dev.stretto.flow.Flow;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;

/**
 * Uses a device while the process can have no more threads, then when it can again. Runs where the
 * address space is limited, which fillers with large stacks use up.
 */
final class ThreadShortage {
  private static final int BYTES = 24 << 20;

  /** What a thread takes if nothing else is said. Less is left over, which is room for copies. */
  private static final long STACK = 64L << 20;

  /** A thread gives its stack back a little after it is seen to have ended. */
  private static final long AGAIN_NANOS = 10_000_000_000L;

  private final List<Thread> fillers = new ArrayList<>();
  private final CountDownLatch released = new CountDownLatch(1);

  private ThreadShortage() {}

  public static void main(String[] args) throws InterruptedException {
    boolean warm = args[1].equals("warm");
    ThreadShortage shortage = new ThreadShortage();
    try (Device first = Device.open(args[0])) {
      require(
          work(first), "the JVM is warm"); // the JDK cannot load what it needs where it is short
    }
    try (Device device = Device.open(args[0])) {
      if (warm) {
        require(work(device), "the device works at first");
      }
      do { // threads that end meanwhile make room
        shortage.begin();
      } while (canStartAThread());
      say("short: " + (work(device) ? "right" : "refused"));
      shortage.end();
      long deadline = System.nanoTime() + AGAIN_NANOS;
      boolean again = work(device);
      while (!again && System.nanoTime() < deadline) {
        again = work(device);
      }
      require(again, "the device works again");
      say("again: right");
    }
    say("over");
  }

  /** {@return whether it was done; false if it was refused or failed with a typed exception} */
  private static boolean work(Device device) {
    byte[] bytes = new byte[BYTES];
    Arrays.fill(bytes, (byte) 7);
    boolean copied = copies(device, bytes);
    boolean flowed = flow(device, bytes);
    return copied && flowed;
  }

  private static boolean copies(Device device, byte[] bytes) {
    byte[] back = new byte[BYTES];
    int[] called = new int[1];
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(BYTES)) {
      stream.copy(bytes, array);
      stream.copy(array, back).await();
      Event event = stream.then(() -> called[0]++);
      event.await();
      stream.record().toCompletableFuture().join();
    } catch (StrettoException
        | RejectedExecutionException
        | OutOfMemoryError
        | CompletionException e) {
      say("copies: " + e);
      return false;
    }
    require(Arrays.equals(bytes, back), "what comes back is what was sent");
    require(called[0] == 1, "the callback has run");
    return true;
  }

  /** The same for a flow. */
  private static boolean flow(Device device, byte[] bytes) {
    byte[] back = new byte[BYTES];
    try {
      Flow.on(device)
          .from(Source.of(MemorySegment.ofArray(bytes)))
          .chunkBytes(1 << 20)
          .through((stream, chunk) -> stream.copy(chunk.in(), chunk.out()))
          .to(Sink.of(MemorySegment.ofArray(back)))
          .start()
          .await();
    } catch (StrettoException
        | RejectedExecutionException
        | OutOfMemoryError
        | CompletionException e) {
      say("flow: " + e);
      return false;
    }
    require(Arrays.equals(bytes, back), "what flows out is what flowed in");
    return true;
  }

  private void begin() {
    long stack = 1L << 30;
    while (stack >= STACK) {
      try {
        Thread filler =
            Thread.ofPlatform()
                .daemon()
                .stackSize(stack)
                .unstarted(
                    () -> {
                      try {
                        released.await();
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                    });
        filler.start();
        fillers.add(filler);
      } catch (OutOfMemoryError e) {
        stack /= 2;
      }
    }
  }

  private static boolean canStartAThread() throws InterruptedException {
    try {
      Thread.ofPlatform().start(() -> {}).join();
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  private void end() throws InterruptedException {
    released.countDown();
    for (Thread filler : fillers) {
      filler.join();
    }
  }

  private static void require(boolean held, String what) {
    if (!held) {
      say("not so: " + what);
      Runtime.getRuntime().halt(3);
    }
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
