package dev.stretto.kernel.host;

import dev.stretto.kernel.machine.ClusterOrder;
import dev.stretto.kernel.machine.Clusters;
import java.util.function.LongConsumer;

/**
 * Runs the threads of some clusters, which need nothing of each other but are watched, because it
 * is not known what they access.
 */
record IndependentThreads(Clusters clusters, ClusterOrder order) implements ShuffledLaunch.First {
  @Override
  public Progress advance() {
    return clusters.advance();
  }

  @Override
  public void runEarlierOnes(LongConsumer others) {
    for (long cluster = 0; cluster < clusters.outlived(); cluster++) {
      if (order.position(cluster) >= order.count()) {
        others.accept(cluster);
      }
    }
  }

  @Override
  public void abandon() {
    clusters.abandon();
  }

  @Override
  public String waitsFor() {
    return clusters.waitsFor();
  }
}
