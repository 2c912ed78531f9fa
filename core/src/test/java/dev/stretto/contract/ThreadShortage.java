package dev.stretto.contract;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.fault.StrettoException;
import dev.stretto.memory.GlobalBytes;
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
      shortage.begin();
      require(!canStartAThread(), "no more threads can be had");
      say("short: " + (work(device) ? "right" : "refused"));
      shortage.end();
      require(work(device), "the device works again");
      say("again: right");
    }
    say("over");
  }

  /** {@return whether it was done; false if it was refused or failed with a typed exception} */
  private static boolean work(Device device) {
    byte[] bytes = new byte[BYTES];
    byte[] back = new byte[BYTES];
    Arrays.fill(bytes, (byte) 7);
    int[] called = new int[1];
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(BYTES)) {
      stream.copy(bytes, array);
      stream.copy(array, back).await();
      Event event = stream.then(() -> called[0]++);
      event.await();
      stream.record().toCompletableFuture().join();
    } catch (StrettoException
        | RejectedExecutionException // of a callback, if not even carriers can be had
        | OutOfMemoryError
        | CompletionException e) {
      say(e.toString());
      return false;
    }
    require(Arrays.equals(bytes, back), "what comes back is what was sent");
    require(called[0] == 1, "the callback has run");
    return true;
  }

  private void begin() {
    long stack = 1L << 30;
    while (stack >= 512 << 10) {
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
