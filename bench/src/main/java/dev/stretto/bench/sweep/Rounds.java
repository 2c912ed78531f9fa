package dev.stretto.bench.sweep;

import dev.stretto.Awaitable;
import dev.stretto.Stream;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sweeps jobs over sizes and streams. Several jobs run at once: in each direction of the link, for
 * instance. Then each has streams of its own.
 */
final class Rounds {
  /** Makes the jobs of a size. */
  interface Maker {
    List<? extends Job> jobs(long size, int pieces);
  }

  private final Bench bench;
  private final String way;
  private final long bytes;
  private final Maker maker;

  /**
   * Prepares a sweep.
   *
   * @param bench measures
   * @param way of the rows
   * @param bytes that a sample moves, about
   * @param maker makes the jobs
   */
  Rounds(Bench bench, String way, long bytes, Maker maker) {
    this.bench = bench;
    this.way = way;
    this.bytes = bytes;
    this.maker = maker;
  }

  /** Sweeps, if the jobs move all bytes of their size. */
  void run() {
    run(1);
  }

  /** Sweeps, if the jobs move a share of the bytes of their size. */
  void run(double share) {
    for (long size : bench.plan().sizes()) {
      int pieces = bench.plan().pieces(size, bytes);
      List<? extends Job> jobs = maker.jobs(size, pieces);
      long moved = Math.round(size * share) * jobs.size();
      int most = 1;
      for (int streams : Plan.STREAMS) {
        if (streams <= pieces) {
          rate(size, moved, pieces, streams, jobs);
          most = streams;
        }
      }
      bench.withStreams(jobs.size(), streams -> time(size, streams, jobs));
      bench.withStreams(most * jobs.size(), streams -> verify(streams, pieces, jobs));
    }
  }

  private void rate(long size, long moved, int pieces, int streams, List<? extends Job> jobs) {
    int operations = bench.plan().operations(size, streams, bytes);
    bench.withStreams(
        streams * jobs.size(),
        all -> {
          List<List<Stream>> lanes = lanes(all, jobs.size());
          bench
              .meter()
              .rate(
                  Cell.of(way, size, streams),
                  operations,
                  moved,
                  () -> {
                    enqueue(operations, pieces, jobs, lanes);
                    Bench.await(all);
                  });
        });
  }

  /** Divides streams evenly. */
  private static List<List<Stream>> lanes(List<Stream> all, int count) {
    int each = all.size() / count;
    return IntStream.range(0, count).mapToObj(i -> all.subList(i * each, (i + 1) * each)).toList();
  }

  private static void enqueue(
      int operations, int pieces, List<? extends Job> jobs, List<List<Stream>> lanes) {
    for (int i = 0; i < operations; i++) {
      for (int job = 0; job < jobs.size(); job++) {
        List<Stream> streams = lanes.get(job);
        Awaitable _ = jobs.get(job).enqueue(streams.get(i % streams.size()), i % pieces);
      }
    }
  }

  /** The first piece again and again, as a program does it that awaits each copy. */
  private void time(long size, List<Stream> streams, List<? extends Job> jobs) {
    Awaitable[] enqueued = new Awaitable[jobs.size()];
    bench
        .meter()
        .time(
            Cell.of(way, size),
            () -> {
              for (int i = 0; i < enqueued.length; i++) {
                enqueued[i] = jobs.get(i).enqueue(streams.get(i), 0);
              }
              for (Awaitable each : enqueued) {
                each.await();
              }
            });
  }

  private void verify(List<Stream> streams, int pieces, List<? extends Job> jobs) {
    jobs.forEach(Job::poison);
    enqueue(pieces, pieces, jobs, lanes(streams, jobs.size()));
    Bench.await(streams);
    jobs.forEach(Job::compare);
  }
}
