package dev.stretto.contract;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Everybody who looks, at once: see {@link ObserverStressRun}, which runs for as long as one likes.
 */
@Timeout(value = 4, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ObserverStressTest extends ContractTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void nothingStopsWhereEverybodyLooksAtThreadsThatDoEverything() throws Exception {
    long nanos = (machine.isSeeded() ? 1 : 3) * SECOND;
    // From a multiple of four on, since the first round of four is the one without a loss.
    System.out.println(ObserverStressRun.run(machine, 0, nanos));
  }
}
