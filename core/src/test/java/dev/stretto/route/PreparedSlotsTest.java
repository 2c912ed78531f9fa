package dev.stretto.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.stretto.driver.virtual.LiveCounts;
import dev.stretto.driver.virtual.VirtualConfig;
import dev.stretto.driver.virtual.VirtualDriver;
import dev.stretto.settings.OrderMode;
import dev.stretto.settings.Settings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pinned memory that is there before the first copy needs it. */
class PreparedSlotsTest {
  private static final long PREPARED = 1 + 3 * 4;

  private final VirtualDriver driver = new VirtualDriver(VirtualConfig.parse(""));
  private final DeviceRuntime engine =
      new DeviceRuntime(driver.open(0), OpenDevices.of(driver), "virtual:0", OrderMode.OFF);

  @AfterEach
  void everythingIsGivenBack() throws InterruptedException {
    boolean _ = engine.close();
    long deadline = System.nanoTime() + 10_000_000_000L;
    while (!driver.live(0).equals(LiveCounts.NONE)) {
      assertThat(System.nanoTime()).as("%s", driver.live(0)).isLessThan(deadline);
      Thread.sleep(1);
    }
  }

  @Test
  void theFirstSlotsArePinnedOnceAndCountOnlyWhenTheyAreUsed() {
    engine.slots().prepare();
    assertThat(Settings.PREPARED_SLOTS.value()).isEqualTo(PREPARED);
    assertThat(engine.pinned().pinnings()).isEqualTo(4);
    assertThat(engine.pinned().peak()).isEqualTo(PREPARED * Slots.SLOT_BYTES);
    assertThat(engine.pinned().used()).isZero();
    engine.slots().requireOne();
    PinnedBlock block = engine.pinned().allocate(4 * Slots.SLOT_BYTES);
    assertThat(engine.pinned().pinnings()).as("both were there").isEqualTo(4);
    assertThat(engine.pinned().used()).isEqualTo(5 * Slots.SLOT_BYTES);
    assertThat(block.closeAfterLastUse()).isTrue();
  }

  @Test
  void preparedMemoryMakesWayForOtherMemoryOfTheBudget() {
    engine.slots().prepare();
    engine.pinned().setBudget(PREPARED * Slots.SLOT_BYTES);
    PinnedBlock all = engine.pinned().allocate(PREPARED * Slots.SLOT_BYTES - 4096);
    assertThat(engine.pinned().peak()).isEqualTo(PREPARED * Slots.SLOT_BYTES);
    assertThat(all.closeAfterLastUse()).isTrue();
  }

  @Test
  void aSmallBudgetIsLeftAlone() {
    engine.pinned().setBudget(16 * Slots.SLOT_BYTES);
    engine.slots().prepare();
    assertThat(engine.pinned().peak()).isEqualTo(Slots.SLOT_BYTES);
  }

  @Test
  void nothingIsPreparedForADeviceThatIsClosedMeanwhile() {
    boolean _ = engine.close();
    assertThatCode(engine.slots()::prepare).doesNotThrowAnyException();
  }
}
