package dev.stretto.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.route.RecentLaunches.Launched;
import org.junit.jupiter.api.Test;

class RecentLaunchesTest {
  private static final StackTraceElement LINE = new StackTraceElement("A", "main", "A.java", 12);

  private final RecentLaunches launches = new RecentLaunches();

  @Test
  void launchesThatAreDoneAreNotNamed() {
    launches.note("add", null, 1, 0);
    launches.note("fault", LINE, 2, 0);
    assertThat(launches.after(0))
        .containsExactly(new Launched("add", null), new Launched("fault", LINE));
    assertThat(launches.after(1)).containsExactly(new Launched("fault", LINE));
    assertThat(launches.after(2)).isEmpty();
  }

  @Test
  void oneKernelLaunchedManyTimesAtOneLineIsNamedOnce() {
    for (int i = 1; i <= 1000; i++) {
      launches.note(i % 2 == 0 ? "even" : "odd", LINE, i, 0);
    }
    assertThat(launches.after(998))
        .containsExactly(new Launched("odd", LINE), new Launched("even", LINE));
    assertThat(launches.after(999)).containsExactly(new Launched("even", LINE));
    assertThat(launches.isMoreThanKept(0)).isFalse();
  }

  @Test
  void theFirstOfVeryManyKernelsAreKeptAndThatThereAreMoreIsKnown() {
    for (int i = 1; i <= 100; i++) {
      launches.note("kernel " + i, null, i, 0);
    }
    assertThat(launches.after(0)).hasSize(16).contains(new Launched("kernel 1", null));
    assertThat(launches.isMoreThanKept(99)).isTrue();
    assertThat(launches.isMoreThanKept(100)).isFalse();
  }

  @Test
  void whatIsDoneMakesRoom() {
    for (int i = 1; i <= 100; i++) {
      launches.note("kernel " + i, null, i, i - 2);
    }
    assertThat(launches.after(98))
        .containsExactlyInAnyOrder(
            new Launched("kernel 99", null), new Launched("kernel 100", null));
    assertThat(launches.isMoreThanKept(0)).isFalse();
  }
}
