package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.collective.Communicator;
import dev.stretto.collective.Reduction;
import dev.stretto.collective.Window;
import dev.stretto.memory.GlobalLongs;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one rank does in an operation of one size: its memory, with words that are known. Sizes are
 * those that NCCL's tests define.
 */
final class RankJob implements AutoCloseable {
  /** What other ranks add to the words of the first one, each. */
  private static final long ADDED = 0x0123456789L;

  private final Communicator ranks;
  private final Stream stream;
  private final long words;
  private final List<GlobalLongs> sources = new ArrayList<>();
  private final List<Words> destinations = new ArrayList<>();
  private final Supplier<Event> operation;
  private final List<Window> windows = new ArrayList<>();
  private @Nullable Words broadcast;

  /** Fills again what an operation in place overwrites. */
  private Runnable refill = () -> {};

  /**
   * Allocates and fills its memory.
   *
   * @param operation all-reduce, broadcast, all-gather or all-to-all
   * @param inWindows whether an all-gather or an all-to-all is done in windows
   * @param bytes the size; what cannot be divided among the ranks is left out
   */
  RankJob(Communicator ranks, Stream stream, String operation, boolean inWindows, long bytes) {
    this.ranks = ranks;
    this.stream = stream;
    this.words = bytes / Long.BYTES / ranks.size() * ranks.size();
    try {
      this.operation =
          switch (operation) {
            case "all-reduce" -> allReduce();
            case "broadcast" -> broadcast();
            case "all-gather" -> inWindows ? allGatherInWindow() : allGather();
            case "all-to-all" -> inWindows ? allToAllInWindows() : allToAll();
            default -> throw new IllegalArgumentException("no such operation: " + operation);
          };
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  long bytes() {
    return words * Long.BYTES;
  }

  /** Enqueues the operation. */
  Event enqueue() {
    return operation.get();
  }

  /** Overwrites what the operation writes. */
  void poison() {
    destinations.forEach(Words::poison);
    if (broadcast != null && ranks.rank() == 0) {
      broadcast.fill();
    }
    refill.run();
  }

  /** Compares every word that the operation has written. */
  void compare() {
    destinations.forEach(Words::compare);
  }

  private Supplier<Event> allReduce() {
    boolean isFirst = ranks.rank() == 0;
    GlobalLongs source = source(words);
    if (isFirst) {
      Words.fill(device(), source, 1, 0, -ADDED * (ranks.size() - 1));
    } else {
      stream.fill(source, ADDED).await();
    }
    GlobalLongs sum = receive(words, 1);
    return () -> ranks.allReduce(stream, source, sum, Reduction.SUM);
  }

  private Supplier<Event> broadcast() {
    GlobalLongs array = receive(words, 1);
    broadcast = destinations.getFirst();
    return () -> ranks.broadcast(stream, array, 0);
  }

  private Supplier<Event> allGather() {
    long part = words / ranks.size();
    GlobalLongs source = source(part);
    Words.fill(device(), source, 1, ranks.rank() * part);
    GlobalLongs all = receive(words, 1);
    return () -> ranks.allGather(stream, source, all);
  }

  /** The words of a seed for each rank, of which each sender has a part. */
  private Supplier<Event> allToAll() {
    long part = words / ranks.size();
    GlobalLongs source = source(words);
    for (int receiver = 0; receiver < ranks.size(); receiver++) {
      Words.fill(device(), source.slice(receiver * part, part), receiver, ranks.rank() * part);
    }
    GlobalLongs received = receive(words, ranks.rank());
    return () -> ranks.allToAll(stream, source, received);
  }

  private Supplier<Event> allGatherInWindow() {
    long part = words / ranks.size();
    Window all = window();
    GlobalLongs own = longs(all).slice(ranks.rank() * part, part);
    refill = () -> Words.fill(device(), own, 1, ranks.rank() * part);
    refill.run();
    destinations.add(new Words(device(), longs(all), 1));
    return () -> all.allGather(stream, part * Long.BYTES);
  }

  private Supplier<Event> allToAllInWindows() {
    long part = words / ranks.size();
    Window from = window();
    Window to = window();
    for (int receiver = 0; receiver < ranks.size(); receiver++) {
      GlobalLongs sent = longs(from).slice(receiver * part, part);
      Words.fill(device(), sent, receiver, ranks.rank() * part);
    }
    destinations.add(new Words(device(), longs(to), ranks.rank()));
    return () -> from.allToAll(stream, to, part * Long.BYTES);
  }

  private Window window() {
    Window window = ranks.awaitWindow(bytes());
    windows.add(window);
    return window;
  }

  private static GlobalLongs longs(Window window) {
    return window.memory().asLongs();
  }

  private Device device() {
    return ranks.device();
  }

  private GlobalLongs receive(long length, long seed) {
    Words destination = new Words(device(), length * Long.BYTES, seed);
    destinations.add(destination);
    return destination.array();
  }

  private GlobalLongs source(long length) {
    GlobalLongs source = device().allocateLongs(length);
    sources.add(source);
    return source;
  }

  @Override
  public void close() {
    sources.forEach(GlobalLongs::close);
    if (windows.isEmpty()) {
      destinations.forEach(Words::close);
    }
    windows.forEach(Window::close);
  }
}
