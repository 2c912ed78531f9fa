package dev.stretto.bindings;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A binding of the CUDA driver: used as its documentation shows, and by an expert. */
final class BoundLibrary implements Library {
  private static final int MOST_THREADS = 8;

  /** The largest chunk of any job. */
  private static final int LANE_BYTES = 16 << 20;

  private static final int PINNED_BYTES = 64 << 20;

  private final Binding binding;
  private final long bytes;
  private @Nullable Crew crew;

  BoundLibrary(Binding binding, long bytes) {
    this.binding = binding;
    this.bytes = bytes;
  }

  @Override
  public List<Way<WholeArrays>> wholeArrays() {
    return ways(binding.plain(), experts());
  }

  @Override
  public List<Way<Pipeline>> pipelines() {
    return ways(binding.plain(), experts());
  }

  @Override
  public List<Way<FileSum>> fileSums() {
    return ways(binding.plain(), experts());
  }

  /** The plain way, and the expert's with 1, 2, 4 and 8 threads. */
  private static <T> List<Way<T>> ways(T plain, List<? extends Way<? extends T>> experts) {
    Stream<Way<T>> others =
        experts.stream().map(way -> new Way<T>(way.name(), way.threads(), way.work()));
    return Stream.concat(Stream.of(new Way<>(Way.PLAIN, 1, plain)), others).toList();
  }

  private List<Way<Expert>> experts() {
    Crew workers = crew;
    if (workers == null) {
      workers = new Crew(binding, MOST_THREADS, (int) Math.min(LANE_BYTES, bytes));
      crew = workers;
    }
    Crew own = workers;
    return IntStream.iterate(1, n -> n <= MOST_THREADS, n -> 2 * n)
        .mapToObj(n -> new Way<>(Way.EXPERT, n, new Expert(binding, own, n)))
        .toList();
  }

  @Override
  public List<Way<Submission>> submissions() {
    return List.of(
        new Way<>(Way.PLAIN, 1, binding.submission(false)),
        new Way<>(Way.EXPERT, 1, binding.submission(true)));
  }

  @Override
  public List<Way<PinnedCopies>> pinnedCopies() {
    int each = (int) Math.min(PINNED_BYTES, bytes / 2);
    return List.of(
        new Way<>(Way.PLAIN, 1, new PinnedCopies(binding.lane(each), binding.lane(each), each)));
  }

  @Override
  public void clear() {
    binding.clear();
  }

  @Override
  public void close() {
    try (Binding _ = binding;
        Crew _ = crew) {
      // Closed in the opposite order: first the threads, then what they use.
    }
  }
}
