package dev.stretto.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.Stream;
import dev.stretto.collective.Communicator;
import dev.stretto.collective.CommunicatorId;
import dev.stretto.collective.Reduction;
import dev.stretto.collective.Window;
import dev.stretto.fault.PeerLostException;
import dev.stretto.memory.GlobalFloats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the guide says of ranks in several processes. Here they are threads of one. */
@Timeout(60)
class GuideRanksTest {
  private static final int N = 1_000;

  private static float rank(Path file, int rank, int size) throws IOException {
    try (Device device = Device.open("virtual")) {
      // @start region="join"
      CommunicatorId id = CommunicatorId.parse(Files.readString(file));
      try (Communicator ranks = Communicator.awaitPeers(id, rank, size, device);
          Stream stream = device.stream();
          GlobalFloats gradients = device.allocateFloats(N)) {
        stream.fill(gradients, 1 + rank);
        ranks.allReduce(stream, gradients, gradients, Reduction.SUM);
        float[] sums = new float[N];
        stream.copy(gradients, sums).await(); // after it, in the order of the stream
        // @end
        assertThat(ranks.toString()).isEqualTo(title(rank, device));
        assertThat(sums).containsOnly(sums[0]);
        requireSums(stream, ranks, gradients, size);
        requireWindow(stream, ranks, N);
        return sums[0];
      }
    }
  }

  private static void requireWindow(Stream stream, Communicator ranks, int floatsEach) {
    // @start region="window"
    try (Window all = ranks.awaitWindow(4L * ranks.size() * floatsEach)) { // the same on all ranks
      int rank = ranks.rank();
      GlobalFloats own = all.memory().asFloats().slice((long) rank * floatsEach, floatsEach);
      stream.fill(own, rank);
      all.allGather(stream, 4L * floatsEach).await(); // in place: now all have the parts of all
      // @end
      float[] found = new float[ranks.size() * floatsEach];
      stream.copy(all.memory().asFloats(), found).await();
      for (int i = 0; i < found.length; i++) {
        assertThat(found[i]).isEqualTo(i / floatsEach);
      }
    }
  }

  private static void requireSums(
      Stream stream, Communicator ranks, GlobalFloats gradients, int size) {
    stream.fill(gradients, 1);
    try (Graph step = step(stream, ranks, gradients)) {
      step.launch(stream);
      step.launch(stream);
      float[] sums = new float[N];
      stream.copy(gradients, sums).await();
      assertThat(sums).containsOnly((float) size * size);
    }
  }

  private static Graph step(Stream stream, Communicator ranks, GlobalFloats gradients) {
    // @start region="graph"
    return Graph.capture(
        stream,
        () -> {
          // the kernels of the step, and behind them
          ranks.allReduce(stream, gradients, gradients, Reduction.SUM);
        });
    // @end
  }

  private static String title(int rank, Device device) {
    return "rank " + rank + " of 3 on " + device.name() + " by TCP";
  }

  @Test
  void allRanksHaveTheSum(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("id");
    // @start region="id"
    Files.writeString(file, Communicator.id().toString());
    // @end
    List<CompletableFuture<Float>> all =
        IntStream.range(0, 3)
            .mapToObj(
                rank ->
                    CompletableFuture.supplyAsync(
                        () -> {
                          try {
                            return rank(file, rank, 3);
                          } catch (IOException e) {
                            throw new AssertionError(e);
                          }
                        },
                        task -> Thread.ofPlatform().start(task)))
            .toList();
    for (CompletableFuture<Float> each : all) {
      assertThat(each.join()).isEqualTo(1 + 2 + 3);
    }
  }

  @Test
  void inAGroupTwoRanksSwapAndWhoLeavesIsNamed() {
    List<Device> devices = Device.openAll("virtual:h200x2");
    CommunicatorId id = Communicator.id();
    CompletableFuture<Communicator> second =
        CompletableFuture.supplyAsync(
            () -> Communicator.awaitPeers(id, 1, 2, devices.get(1)),
            task -> Thread.ofVirtual().start(task));
    Communicator first = Communicator.awaitPeers(id, 0, 2, devices.getFirst());
    try (Stream here = devices.getFirst().stream();
        Stream there = devices.get(1).stream()) {
      GlobalFloats[] mine = {
        devices.getFirst().allocateFloats(N), devices.getFirst().allocateFloats(N)
      };
      GlobalFloats[] others = {devices.get(1).allocateFloats(N), devices.get(1).allocateFloats(N)};
      here.fill(mine[0], 5);
      there.fill(others[0], 6);
      Event _ = swap(first, here, mine[0], mine[1], 1);
      Event swapped = swap(second.join(), there, others[0], others[1], 0);
      swapped.await();
      float[] got = new float[N];
      there.copy(others[1], got).await();
      assertThat(got).containsOnly(5);
      second.join().close();
      assertThat(told(first, here, mine[0])).startsWith("rank 1 ");
    } finally {
      first.close();
      devices.forEach(Device::close);
    }
  }

  private static Event swap(
      Communicator ranks, Stream stream, GlobalFloats mine, GlobalFloats theirs, int peer) {
    // @start region="group"
    return ranks.group(
        stream,
        group -> {
          group.send(mine, peer);
          group.recv(theirs, peer);
        });
    // @end
  }

  private static String told(Communicator ranks, Stream stream, GlobalFloats array) {
    // @start region="lost"
    try {
      ranks.broadcast(stream, array, 0).await();
    } catch (PeerLostException e) {
      return e.getMessage(); // and go on with the ranks that are left, and a new id
    }
    // @end
    return "";
  }
}
