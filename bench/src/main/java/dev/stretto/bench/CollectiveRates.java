package dev.stretto.bench;

import dev.stretto.bench.CollectiveJob.Operation;
import dev.stretto.collective.Collective;

/**
 * Collective operations of all devices, over sizes: enqueued to awaited, by the host's clock.
 * {@link CollectiveTurns} measures the same in turns with NCCL.
 */
final class CollectiveRates {
  private static final long LEAST_BYTES = 1 << 20;

  private CollectiveRates() {}

  static void run(PeerBench bench) {
    try (PeerBench.Access _ = bench.access(bench.devices().size());
        Collective collective = Collective.of(bench.devices())) {
      for (Operation operation : Operation.values()) {
        for (long bytes = LEAST_BYTES; bytes <= bench.size().collectiveBytes(); bytes *= 4) {
          try (CollectiveJob job = new CollectiveJob(collective, operation, bytes)) {
            job.verify();
            bench.report().collective(job, bench.verifiedByHost(job.destinations(), job::run));
          }
        }
      }
    }
  }
}
