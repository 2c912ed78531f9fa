package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.stretto.Arithmetic;
import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.Roofline;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.fault.ClosedException;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** What a launch achieved beside what its device could do. */
class RooflineTest extends ContractTest {
  private static final int LENGTH = 1 << 16;

  @Kernel
  static void saxpy(ThreadBlock block, float a, GlobalFloats x, GlobalFloats y, int n) {
    long i = block.globalIndexX();
    if (i < n) {
      y.set(i, a * x.get(i) + y.get(i));
    }
  }

  private Launch saxpy(GlobalFloats x, GlobalFloats y, int n) {
    return device.prepare(Grid.covering(LENGTH, 256), RooflineTest::saxpy, 2f, x, y, n);
  }

  @Test
  void theBytesFollowFromTheArguments() {
    try (Stream stream = device.stream();
        GlobalFloats x = device.allocateFloats(LENGTH);
        GlobalFloats y = device.allocateFloats(LENGTH)) {
      stream.fill(x, 1);
      stream.fill(y, 2);
      int n = LENGTH - 100;
      Launch launch = saxpy(x, y, n);
      try (TimedEvent start = stream.recordTimed()) {
        stream.launch(launch);
        try (TimedEvent end = stream.recordTimed()) {
          end.await();
          Roofline roofline = Roofline.of(launch, start, end, 2L * n, Arithmetic.FLOATS);
          assertThat(roofline.bytes()).as("two reads and a write").isEqualTo(12L * n);
          assertThat(roofline.areGiven()).isFalse();
          assertThat(roofline.operations()).isEqualTo(2L * n);
          boolean isTimed = !device.properties().driver().equals("virtual");
          assertThat(roofline.seconds().isPresent()).isEqualTo(isTimed);
          assertThat(roofline.explain())
              .startsWith("kernel saxpy on " + device.properties().name() + ": ")
              .containsPattern(
                  "(?m)^  memory +\\|[# ]{40}\\| .*; .*B, each byte of the arguments once$")
              .containsPattern("(?m)^  floats +\\|[# ]{40}\\| .*; .*OP, as given$")
              .containsPattern("(?m)^  (the (memory|arithmetic) limits it: |which of them)");
          if (isTimed) {
            assertThat(roofline.bytesPerSecond().orElseThrow())
                .isCloseTo(12.0 * n / start.nanosTo(end) * 1e9, withinPercentage(1));
          } else {
            assertThat(roofline.explain())
                .contains(": nothing was timed, since a virtual device models its clock\n")
                .doesNotContain("#");
            assertThat(roofline.operationsPerSecond()).isEmpty();
          }
          assertThat(Roofline.of(launch, start, end, 17, 5, Arithmetic.DOUBLES).bytes())
              .isEqualTo(17);
          assertThat(Roofline.of(launch, start, end, 17, 5, Arithmetic.DOUBLES).explain())
              .contains("; 17 B, as given\n", "; 5 OP, as given\n");
        }
      }
    }
  }

  @Test
  void viewsOfHostMemoryAreNotMemoryOfTheDevice() {
    try (PinnedArena arena = device.pinnedArena();
        Stream stream = device.stream();
        GlobalFloats y = device.allocateFloats(LENGTH)) {
      GlobalFloats x =
          device.view(arena.allocate(ValueLayout.JAVA_FLOAT, LENGTH), GlobalFloats::of);
      stream.fill(y, 2);
      Launch launch = saxpy(x, y, LENGTH);
      try (TimedEvent start = stream.recordTimed()) {
        stream.launch(launch);
        try (TimedEvent end = stream.recordTimed()) {
          end.await();
          assertThat(Roofline.of(launch, start, end, 0, Arithmetic.FLOATS).bytes())
              .isEqualTo(8L * LENGTH);
        }
      }
    }
  }

  @Test
  void eventsThatTellNothingAreRefused() {
    try (Stream stream = device.stream();
        Device other = machine().open().device();
        Stream elsewhere = other.stream();
        GlobalFloats x = device.allocateFloats(LENGTH)) {
      Launch launch = saxpy(x, x, 0);
      TimedEvent start = stream.recordTimed();
      stream.launch(launch);
      TimedEvent end = stream.recordTimed();
      TimedEvent from = elsewhere.recordTimed();
      TimedEvent to = elsewhere.recordTimed();
      end.await();
      to.await();
      assertThatThrownBy(() -> Roofline.of(launch, from, to, 1, Arithmetic.FLOATS))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("belong to another device than the launch of kernel saxpy");
      assertThatThrownBy(() -> Roofline.of(launch, start, to, 1, Arithmetic.FLOATS))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> Roofline.of(launch, start, end, -1, Arithmetic.FLOATS))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("-1 operations");
      start.close();
      assertThatThrownBy(() -> Roofline.of(launch, start, end, 1, Arithmetic.FLOATS))
          .isInstanceOf(ClosedException.class);
      end.close();
      from.close();
      to.close();
    }
  }
}
