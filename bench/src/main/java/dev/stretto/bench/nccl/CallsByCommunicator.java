package dev.stretto.bench.nccl;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.collective.Communicator;
import dev.stretto.collective.CommunicatorId;
import dev.stretto.collective.Reduction;
import dev.stretto.memory.GlobalFloats;

/** A rank by Stretto. */
final class CallsByCommunicator implements Calls {
  private final Communicator ranks;
  private final Stream stream;
  private final GlobalFloats from;
  private final GlobalFloats to;

  CallsByCommunicator(Device device, int rank, int size, CommunicatorId id) {
    ranks = Communicator.awaitPeers(id, rank, size, device);
    stream = device.stream();
    from = device.allocateFloats(NcclCost.FLOATS);
    to = device.allocateFloats(NcclCost.FLOATS);
    stream.fill(from, 1).await();
  }

  /** How the ranks are joined, and why. */
  String how() {
    return ranks + ": " + ranks.reason();
  }

  @Override
  public double micros(int calls) {
    long begin = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      Event _ = ranks.allReduce(stream, from, to, Reduction.SUM);
    }
    return (System.nanoTime() - begin) * 1e-3 / calls;
  }

  @Override
  public void awaitDone() {
    stream.await();
  }

  @Override
  public void close() {
    stream.close();
    from.close();
    to.close();
    ranks.close();
  }
}
