package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Event;
import dev.stretto.collective.Reduction;
import dev.stretto.collective.Transport;
import dev.stretto.fault.PeerLostException;
import dev.stretto.memory.GlobalInts;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two ranks. With two GPUs and NCCL, they share arrays by NCCL. */
class TwoRanksTest extends RanksTest {
  TwoRanksTest() {
    super(2);
  }

  @Test
  void twoGpusUseNcclIfItIsThere() {
    boolean two = devices.stream().allMatch(each -> each.properties().driver().equals("cuda"));
    boolean differ = !devices.get(0).name().equals(devices.get(1).name());
    assertThat(ranks.getFirst().reason()).isEqualTo(ranks.getLast().reason());
    if (two && differ && !ranks.getFirst().reason().contains("libnccl")) {
      assertThat(ranks.getFirst().transport()).isEqualTo(Transport.NCCL);
    } else {
      assertThat(ranks.getFirst().transport()).isEqualTo(Transport.TCP);
    }
  }

  @Test
  void manyOperationsInARowAreAllDone() {
    List<GlobalInts> arrays = on(i -> ints(i, 1, i));
    for (int k = 0; k < 20; k++) {
      for (int i = 0; i < 2; i++) {
        Event _ =
            ranks.get(i).allReduce(streams.get(i), arrays.get(i), arrays.get(i), Reduction.SUM);
      }
    }
    for (int i = 0; i < 2; i++) {
      assertThat(read(i, arrays.get(i))).containsExactly(1 << 20, 1 << 19);
    }
  }

  @Test
  void aRankThatClosesBeforeTheOtherHasCalledIsNamedToIt() throws Exception {
    GlobalInts array = ints(0, 1);
    ranks.getLast().close();
    assertThatThrownBy(
            () -> {
              Event _ = ranks.getFirst().allReduce(streams.getFirst(), array, array, Reduction.SUM);
              assertThat(streams.getFirst().await(Duration.ofSeconds(5))).as("told").isTrue();
            })
        .isInstanceOf(PeerLostException.class)
        .hasMessageContaining("rank 1");
    ranks.forEach(dev.stretto.collective.Communicator::close);
    streams.getFirst().fill(array, 3).await();
    ranks = join(devices);
    onAll(i -> ranks.get(i).broadcast(streams.get(i), i == 0 ? array : ints(1, 7), 0));
  }
}
