package dev.stretto.contract;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.collective.Communicator;
import dev.stretto.collective.CommunicatorId;
import dev.stretto.collective.Reduction;
import dev.stretto.memory.GlobalInts;
import java.time.Duration;

/** The second rank of {@link KilledRankTest}: it adds until it is killed. */
final class PeerProgram {
  static final int LENGTH = 500_000;

  private PeerProgram() {}

  public static void main(String[] arguments) {
    CommunicatorId id = CommunicatorId.parse(arguments[0]);
    try (Device device = Device.open(arguments[1]);
        Communicator ranks = Communicator.awaitPeers(id, 1, 2, device, Duration.ofSeconds(30));
        Stream stream = device.stream();
        GlobalInts array = device.allocateInts(LENGTH)) {
      stream.fill(array, 1);
      while (true) {
        Event _ = ranks.allReduce(stream, array, array, Reduction.MAX);
        stream.await();
      }
    }
  }
}
