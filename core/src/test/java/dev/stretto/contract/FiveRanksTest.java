package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.collective.Communicator;
import dev.stretto.collective.Reduction;
import dev.stretto.memory.GlobalInts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** More ranks than divide anything evenly. */
class FiveRanksTest extends RanksTest {
  FiveRanksTest() {
    super(5);
  }

  @Test
  void threadsThatShareADeviceHaveACommunicatorEach() {
    int pairs = 4;
    List<CompletableFuture<int[]>> all = new ArrayList<>();
    for (int pair = 0; pair < pairs; pair++) {
      List<Communicator> own = join(devices);
      int number = pair;
      for (int i = 0; i < 5; i++) {
        int rank = i;
        all.add(later(() -> sumOf(own.get(rank), number + rank)));
      }
    }
    for (int i = 0; i < all.size(); i++) {
      int number = i / 5;
      int once = 5 * number + 10;
      assertThat(all.get(i).join()).containsOnly(once * 5 * 5);
    }
  }

  private static int[] sumOf(Communicator rank, int value) {
    int[] result = new int[10_000];
    try (rank;
        Stream stream = rank.device().stream();
        GlobalInts array = rank.device().allocateInts(result.length)) {
      stream.fill(array, value);
      for (int i = 0; i < 3; i++) {
        Event _ = rank.allReduce(stream, array, array, Reduction.SUM);
      }
      stream.copy(array, result).await();
    }
    return result;
  }
}
