package dev.stretto.contract;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Everybody who looks, at once: see {@link ObserverStressRun}, which runs for as long as one likes.
 * Its threads use the same arrays as they please, so their order is not checked.
 */
@WithOrder("off")
@Timeout(value = 4, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ObserverStressTest extends ContractTest {
  private static final long NANOS = 1_000_000_000;

  @Test
  void nothingStopsWhereEverybodyLooksAtThreadsThatDoEverything() throws Exception {
    if (machine.isSeeded()) {
      // Each seed begins with another round: without a loss, or with one of three kinds.
      long seed = Long.parseLong(machine.name().replaceAll(".*seed=([0-9]+).*", "$1"));
      System.out.println(ObserverStressRun.run(machine, seed, 1, NANOS));
    } else {
      System.out.println(
          ObserverStressRun.run(machine, 0, StressRound.Blow.values().length, NANOS));
    }
  }
}
