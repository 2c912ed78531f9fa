package dev.stretto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

class RehearsalTest {
  @Test
  void itDoesWhatItSaysAndLeavesNothing() throws InterruptedException {
    assertThatCode(Rehearsal::play).doesNotThrowAnyException();
    try (Device device = Device.open("virtual")) {
      assertThat(device.name()).as("its device takes no name").doesNotContain("rehearsal");
    }
    long deadline = System.nanoTime() + 10_000_000_000L;
    while (isAnyThreadLeft()) {
      assertThat(System.nanoTime()).as("its threads end").isLessThan(deadline);
      Thread.sleep(5);
    }
  }

  private static boolean isAnyThreadLeft() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().contains("rehearsal"));
  }
}
