package dev.stretto.twin;

import dev.stretto.Grid;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.memory.GlobalInts;
import java.util.List;

/** Shared memory of another block of the cluster: {@code semantics/clusters.cuh}. */
final class ClusterTwins {
  private ClusterTwins() {}

  static List<Twin> twins() {
    return List.of(
        Twin.of(
                "cluster-whose-blocks-read-each-other",
                s -> {
                  say(s, 8, 64, 2, ClusterKernels::othersMemory);
                  say(s, 8, 32, 4, ClusterKernels::othersMemory);
                  say(s, 16, 32, 8, ClusterKernels::othersMemory);
                })
            .onHopper(),
        Twin.of(
                "histogram-over-a-cluster",
                s -> {
                  say(s, 8, 64, 2, ClusterKernels::bins);
                  say(s, 8, 64, 8, ClusterKernels::bins);
                })
            .onHopper(),
        Twin.of(
                "ring-of-bulk-copies-between-blocks",
                s -> {
                  say(s, 8, 64, 2, ClusterKernels::bulkRing);
                  say(s, 8, 64, 4, ClusterKernels::bulkRing);
                })
            .onHopper(),
        Twin.of(
                "stores-to-another-block",
                s -> {
                  say(s, 8, 64, 2, ClusterKernels::stores);
                  say(s, 8, 64, 8, ClusterKernels::stores);
                })
            .onHopper(),
        Twin.of(
                "bulk-copies-that-combine",
                s -> Stored.say(s, Grid.of(9, 64), ClusterKernels::reductions))
            .onHopper(),
        Twin.of(
                "changes-of-another-block",
                s -> {
                  say(s, 8, 64, 2, ClusterKernels::joins);
                  say(s, 8, 64, 4, ClusterKernels::joins);
                })
            .onHopper(),
        Twin.of(
                "arrivals-at-the-next-block-in-each-way",
                s -> {
                  say(s, 8, 64, 2, ClusterKernels::arrivalsInEachWay);
                  say(s, 8, 32, 4, ClusterKernels::arrivalsInEachWay);
                })
            .onHopper(),
        Twin.of(
                "bulk-copies-that-change-another-block",
                s -> {
                  say(s, 8, 64, 2, ClusterKernels::bulkJoins);
                  say(s, 8, 64, 4, ClusterKernels::bulkJoins);
                })
            .onHopper());
  }

  private static void say(
      Scene scene,
      int blocks,
      int threads,
      int cluster,
      KernelMethod.Of2<GlobalInts, GlobalInts> kernel) {
    Stored.say(scene, "of-" + cluster, Grid.of(blocks, threads).withCluster(cluster, 1, 1), kernel);
  }
}
