package dev.stretto.examples;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The life of an operation: it is submitted, which costs the host a microsecond or two; executed,
 * when its stream, its waits and the hardware allow; and completed, which a program can find out in
 * six ways.
 */
final class Example06LifeOfAnOperation {
  private static final int N = 1 << 20;

  private Example06LifeOfAnOperation() {}

  public static void main(String... arguments) throws InterruptedException {
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0]);
        Stream stream = device.stream();
        Stream other = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts x = device.allocateInts(N);
        GlobalInts y = device.allocateInts(N)) {
      System.out.println(device + ", because " + device.reason());
      MemorySegment host = pinned.allocate(JAVA_INT, N);

      Runnable work =
          () -> {
            // @start region="submit"
            stream.copy(host, x);
            other.copy(host, y); // waits for the copy engine, which is busy with the first
            stream.fill(x, 1); // waits for its stream's turn
            other.waitFor(stream.record());
            other.copy(x, y); // waits for the event
            // @end
          };
      WarmUp.recorded(device, work);
      try (Timeline timeline = Timeline.record(device)) {
        work.run();
        device.await();
        show(timeline.spans());
      }
      complete(stream, x, host);
      completeOnVirtualThreads(device);
    }
  }

  private static void show(List<Span> spans) {
    System.out.println("\nsubmitted    began    ended  (µs)");
    for (Span span : spans) {
      System.out.printf(
          "%9.1f %8.1f %8.1f  %s, %s%n",
          span.enqueuedNanos() / 1e3,
          span.startNanos() / 1e3,
          span.endNanos() / 1e3,
          span.streamName(),
          span.name());
    }
  }

  private static void complete(Stream stream, GlobalInts x, MemorySegment host) {
    System.out.println();
    // @start region="complete"
    Copy copy = stream.copy(x, host);
    Event printed = stream.then(() -> System.out.println("then: " + host.get(JAVA_INT, 0)));
    CompletableFuture<String> later =
        copy.toCompletableFuture().thenApply(nothing -> "future: " + host.get(JAVA_INT, 0));

    while (!copy.isDone()) { // asks
      Thread.onSpinWait();
    }
    copy.await(); // parks
    boolean inTime = copy.await(Duration.ofSeconds(1)); // parks, for a second at most
    printed.await();
    stream.await(); // all of the stream
    stream.device().await(); // all of the device
    // @end
    System.out.println(later.join());
    System.out.println("in time: " + inTime);
  }

  private static void completeOnVirtualThreads(Device device) throws InterruptedException {
    AtomicInteger completed = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      // @start region="virtualThread"
      Thread thread =
          Thread.startVirtualThread(
              () -> {
                try (Stream stream = device.stream();
                    GlobalInts numbers = device.allocateInts(1000)) {
                  stream.copy(new int[1000], numbers).await(); // the carrier is free meanwhile
                  completed.incrementAndGet();
                }
              });
      // @end
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println("virtual threads that awaited a copy: " + completed);
  }
}
