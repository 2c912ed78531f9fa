package dev.stretto.bindings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * An expert's threads. Each has a ring of slots with a stream of their own: it fills the pinned
 * buffer of the next slot, enqueues what the slot's event marks the end of, and comes back to the
 * slot when the others are on their way.
 */
final class Crew implements AutoCloseable {
  /** Of a thread. */
  private static final int SLOTS = 4;

  private static final int NONE = -1;

  private final ExecutorService threads;
  private final List<List<Slot>> rings;

  Crew(Binding binding, int most, int slotBytes) {
    this.rings =
        Stream.generate(
                () ->
                    Stream.generate(() -> new Slot(binding.lane(slotBytes))).limit(SLOTS).toList())
            .limit(most)
            .toList();
    this.threads =
        Executors.newFixedThreadPool(
            most, Thread.ofPlatform().name("expert-", 0).daemon().factory());
    startAll(binding, most);
  }

  /** Starts every thread, so that none has to be started when something is measured. */
  private void startAll(Binding binding, int most) {
    CountDownLatch started = new CountDownLatch(most);
    List<Future<?>> starts = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      starts.add(
          threads.submit(
              () -> {
                binding.attach();
                started.countDown();
                started.await();
                return null;
              }));
    }
    starts.forEach(Crew::get);
  }

  /** A lane and its buffers, as bytes and as words. */
  record Slot(Lane lane, ByteBuffer toDevice, LongBuffer wordsIn, LongBuffer wordsOut) {
    Slot(Lane lane) {
      this(lane, lane.toDevice(), lane.toDevice().asLongBuffer(), lane.fromDevice().asLongBuffer());
    }
  }

  /** What is done with a chunk. */
  interface Work {
    /** Fills the slot's buffer and enqueues. */
    void start(Slot slot, int chunk) throws IOException;

    /** Takes the result out of the slot, whose work has ended. */
    default void finish(Slot slot, int chunk) {}
  }

  /** Does the work for every chunk, with the first {@code count} threads. */
  void each(int count, int chunks, Work work) {
    AtomicInteger next = new AtomicInteger();
    List<Future<?>> parts = new ArrayList<>();
    for (List<Slot> ring : rings.subList(0, count)) {
      parts.add(
          threads.submit(
              () -> {
                part(ring, next, chunks, work);
                return null;
              }));
    }
    parts.forEach(Crew::get);
  }

  private static void part(List<Slot> ring, AtomicInteger next, int chunks, Work work)
      throws IOException {
    int[] pending = new int[SLOTS];
    Arrays.fill(pending, NONE);
    int at = 0;
    for (int chunk = next.getAndIncrement(); chunk < chunks; chunk = next.getAndIncrement()) {
      finish(ring.get(at), pending[at], work);
      work.start(ring.get(at), chunk);
      pending[at] = chunk;
      at = (at + 1) % SLOTS;
    }
    for (int i = 0; i < SLOTS; i++) {
      int slot = (at + i) % SLOTS;
      finish(ring.get(slot), pending[slot], work);
    }
  }

  private static void finish(Slot slot, int chunk, Work work) {
    if (chunk != NONE) {
      slot.lane().await();
      work.finish(slot, chunk);
    }
  }

  private static void get(Future<?> part) {
    try {
      part.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case IOException cause -> throw new UncheckedIOException(cause);
        case null, default -> throw new IllegalStateException(e);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    threads.close();
  }
}
