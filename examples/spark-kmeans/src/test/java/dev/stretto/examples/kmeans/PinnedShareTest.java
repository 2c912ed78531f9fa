package dev.stretto.examples.kmeans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.DeviceMetricsMXBean;
import dev.stretto.fault.PinnedBudgetException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PinnedShareTest {
  private static final int BYTES = 1_200_000;

  @TempDir private Path folder;

  private String file() throws IOException {
    byte[] bytes = new byte[BYTES];
    new Random(1).nextBytes(bytes);
    return Files.write(folder.resolve("points"), bytes).toString();
  }

  private static Device device() {
    return Device.open("virtual:h200,memory=268435456");
  }

  /** Reads parts twice, and returns how many bytes each route had. */
  private static Map<String, Long> routes(Device device, List<PointPart> parts, Opener opener) {
    DeviceMetricsMXBean metrics = device.metrics(); // counts from now on
    new FilePass(device, parts, opener, 3, 65_536, 0, 2).readAll();
    return metrics.getBytesByRoute();
  }

  @Test
  void everyByteOfAPassIsCopiedDirectly() throws IOException {
    String file = file();
    List<PointPart> parts =
        List.of(new PointPart(file, 12, 400_008, 1), new PointPart(file, 600_000, 600_000, 50_000));
    long bytes = 2 * (400_008 + 600_000);
    try (Device device = device();
        PinnedShare share = PinnedShare.of(device, parts)) {
      assertThat(routes(device, parts, share)).isEqualTo(Map.of("DIRECT", bytes));
    }
  }

  @Test
  void closingUnpinsAndGivesTheBudgetBack() throws Exception {
    List<PointPart> parts = List.of(new PointPart(file(), 1200, 1_000_800, 100));
    try (Device device = device()) {
      device.pinnedBudget(10_000_000);
      try (PinnedShare share = PinnedShare.of(device, parts)) {
        assertThat(share.bytes()).isEqualTo(16 << 16);
        assertThat(device.pinned().usedBytes()).isBetween(1_002_000L, share.bytes());
        assertThat(device.pinned().budgetBytes()).isEqualTo(10_000_000 + share.bytes());
        new FilePass(device, parts, share, 3, 65_536, 0, 1).readAll();
      }
      assertThat(device.pinned().usedBytes()).isZero();
      assertThat(device.pinned().budgetBytes()).isEqualTo(10_000_000);
    }
  }

  @Test
  void whatCannotBePinnedIsSaidAndLeavesNothing() throws IOException {
    String file = file();
    try (Device device = device()) {
      long budget = device.pinned().budgetBytes();
      assertThatThrownBy(() -> PinnedShare.of(device, List.of(new PointPart(file, 0, 1L << 50, 0))))
          .isInstanceOf(PinnedBudgetException.class)
          .hasMessageStartingWith("--pin: the share of 1125899906842624 bytes cannot be pinned")
          .hasMessageContaining("of memory of this machine");
      assertThatThrownBy(
              () ->
                  PinnedShare.of(
                      device,
                      List.of(
                          new PointPart(file, 0, 1200, 0), new PointPart(file, 0, 2 * BYTES, 0))))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining(file + " cannot be mapped");
      assertThat(device.pinned().usedBytes()).isZero();
      assertThat(device.pinned().budgetBytes()).isEqualTo(budget);
    }
  }

  @Test
  void aBudgetThatIsUsedUpIsSaid() throws IOException {
    List<PointPart> parts = List.of(new PointPart(file(), 0, 1_200_000, 0));
    try (Device device = device();
        var arena = device.pinnedArena()) {
      assertThat(arena.allocate(4 << 20).byteSize()).isEqualTo(4 << 20);
      device.pinnedBudget(0);
      assertThatThrownBy(() -> PinnedShare.of(device, parts))
          .isInstanceOf(PinnedBudgetException.class)
          .hasMessageStartingWith("--pin: the share of 1245184 bytes cannot be pinned: ")
          .hasMessageContaining("without --pin it is read through pinned buffers");
      assertThat(device.pinned().budgetBytes()).isZero();
    }
  }

  @Test
  void anotherPartIsRefused() throws IOException {
    String file = file();
    try (Device device = device();
        PinnedShare share = PinnedShare.of(device, List.of(new PointPart(file, 0, 1200, 0)))) {
      assertThatThrownBy(() -> share.open(new PointPart(file, 0, 2400, 0)))
          .hasMessageContaining("is no part of this share of 1");
    }
  }
}
