package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.stretto.Diagnosis;
import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Stream;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.LaunchException;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A kernel that loses its device is named with the line of its launch: always on a virtual device,
 * on a GPU with a diagnosis, since CUDA does not say which kernel it was.
 */
@ExtendWith(OwnProcess.class)
class FaultPlaceTest extends ContractTest {
  private static final String HERE = "FaultPlaceTest.java:";

  /** The line of the call below the caller's, as a stack says it. */
  private static String nextLine() {
    StackTraceElement caller =
        StackWalker.getInstance()
            .walk(frames -> frames.skip(1).findFirst().orElseThrow())
            .toStackTraceElement();
    return HERE + (caller.getLineNumber() + 1) + ")";
  }

  private Diagnosis diagnosis() {
    return Diagnosis.of(device);
  }

  private static String loss(Stream stream) {
    Throwable thrown = catchThrowable(stream::await);
    assertThat(thrown).isInstanceOf(DeviceLostException.class);
    return thrown.getMessage();
  }

  @Test
  void aLostDeviceNamesTheFindingThenTheKernelAndTheLineOfItsLaunchThenTheCode() {
    try (Diagnosis _ = diagnosis()) {
      Stream stream = device.stream();
      GlobalInts array = device.allocateInts(32);
      String line = nextLine();
      stream.launch(Grid.of(1, 32), Kernels.FAULT, array);
      assertThat(loss(stream)).containsSubsequence("fault", line, device.name() + " is lost", "(7");
      assertThatThrownBy(device::await).hasMessageContaining(line);
    }
  }

  @Test
  void aCheckThatFailsIsToldBeforeTheLineOfTheLaunch() {
    try (Diagnosis _ = diagnosis()) {
      Stream stream = device.stream();
      GlobalInts array = device.allocateInts(32);
      String line = nextLine();
      stream.launch(Grid.of(2, 32), MethodKernels::outOfBounds, array, 95);
      assertThat(loss(stream)).containsSubsequence("100", "in kernel outOfBounds", line, "is lost");
    }
  }

  @Test
  void aPreparedLaunchIsToldWithTheLineThatEnqueuedIt() {
    try (Diagnosis _ = diagnosis()) {
      Stream stream = device.stream();
      GlobalInts array = device.allocateInts(32);
      Launch launch = device.prepare(Grid.of(1, 32), Kernels.FAULT, array);
      String line = nextLine();
      stream.launch(launch);
      assertThat(loss(stream)).contains(line);
    }
  }

  @Test
  void aLaunchThatWasHeldBackIsToldWithTheLineThatEnqueuedIt() {
    try (Diagnosis _ = diagnosis()) {
      Stream stream = device.stream();
      GlobalInts array = device.allocateInts(32);
      try (Gate gate = gate(stream)) {
        String line = nextLine();
        stream.launch(Grid.of(1, 32), Kernels.FAULT, array);
        gate.open();
        assertThat(loss(stream)).containsSubsequence("fault", line, "is lost");
      }
    }
  }

  @Test
  void aKernelOfAGraphIsToldWithTheLinesOfItsNodeAndOfTheGraphsLaunch() {
    try (Diagnosis _ = diagnosis()) {
      Stream stream = device.stream();
      GlobalInts array = device.allocateInts(32);
      String[] node = {""};
      try (Graph graph =
          Graph.capture(
              stream,
              () -> {
                stream.fill(array, 1);
                node[0] = nextLine();
                stream.launch(Grid.of(1, 32), Kernels.FAULT, array);
              })) {
        String line = nextLine();
        stream.launch(graph);
        assertThat(loss(stream)).contains("fault", node[0], line);
      }
    }
  }

  @Test
  void aGraphThatWasHeldBackOrIsANodeIsToldWithTheSameLines() {
    try (Diagnosis _ = diagnosis()) {
      Stream stream = device.stream();
      GlobalInts array = device.allocateInts(32);
      String[] node = {""};
      try (Graph child =
              Graph.capture(
                  stream,
                  () -> {
                    node[0] = nextLine();
                    stream.launch(Grid.of(1, 32), Kernels.FAULT, array);
                  });
          Graph graph = Graph.capture(stream, () -> stream.launch(child));
          Gate gate = gate(stream)) {
        String line = nextLine();
        stream.launch(graph);
        gate.open();
        assertThat(loss(stream)).contains("fault", node[0], line);
      }
    }
  }

  /** A driver that does not say which kernel has faulted, as CUDA does not. */
  private static final class Silent extends DriverTap {
    private volatile boolean lost;
    private volatile boolean refusing;

    Silent(Driver driver) {
      super(driver);
    }

    @Override
    boolean namesFaultingLaunch(DriverDevice device) {
      return false;
    }

    @Override
    void before(Call call) {
      if (lost && call != Call.CLOSE) {
        throw new DriverException(
            DriverException.Kind.LOST, 700, "cuEventQuery: CUDA_ERROR_ILLEGAL_ADDRESS (700)");
      }
      if (refusing && (call == Call.LAUNCH || call == Call.LAUNCH_GRAPH)) {
        throw new DriverException(
            DriverException.Kind.INVALID, 701, "cuLaunchKernel: LAUNCH_OUT_OF_RESOURCES (701)");
      }
    }
  }

  @Test
  void whereTheDriverDoesNotSayWhichKernelFaultedThoseInFlightAreNamed() {
    if (!machine.isVirtual()) {
      return; // the other tests have a driver that does not say it
    }
    Silent[] tap = new Silent[1];
    try (Machine.Opened silent = machine.open(driver -> tap[0] = new Silent(driver))) {
      Stream stream = silent.device().stream();
      Stream other = silent.device().stream();
      GlobalInts array = silent.device().allocateInts(64);
      GlobalFloats floats = silent.device().allocateFloats(64);
      stream.launch(
          Grid.of(1, 32), Kernels.SAXPY, 1f, floats.slice(0, 32), floats.slice(32, 32), 32);
      stream.await();
      stream.launch(Grid.of(1, 32), Kernels.ADD, array.slice(0, 32), 1, 32);
      other.launch(Grid.of(1, 32), Kernels.ADD, array.slice(32, 32), 2, 32);
      String first = "add on stream 0x%x".formatted(stream.handle());
      String second = "add on stream 0x%x".formatted(other.handle());
      tap[0].lost = true;
      assertThat(loss(stream))
          .startsWith("in flight were ")
          .contains(first, second, "-Ddev.stretto.launchPlaces=true")
          .containsSubsequence("in flight", "is lost", "(700)")
          .doesNotContain("saxpy", HERE);
    }
  }

  @Test
  void aDiagnosisHasTheirLinesKept() {
    if (!machine.isVirtual()) {
      return; // see above
    }
    Silent[] tap = new Silent[1];
    try (Machine.Opened silent = machine.open(driver -> tap[0] = new Silent(driver));
        Diagnosis _ = Diagnosis.of(silent.device())) {
      Stream stream = silent.device().stream();
      GlobalInts array = silent.device().allocateInts(32);
      String line = nextLine();
      stream.launch(Grid.of(1, 32), Kernels.ADD, array, 1, 32);
      tap[0].lost = true;
      assertThat(loss(stream))
          .startsWith("in flight was add, launched at ")
          .contains(line)
          .doesNotContain("launchPlaces");
    }
  }

  @Test
  void aLaunchThatIsRefusedWhenItsTurnComesIsToldWithItsLine() {
    if (!machine.isVirtual()) {
      return; // no driver refuses what was checked before
    }
    Silent[] tap = new Silent[1];
    try (Machine.Opened silent = machine.open(driver -> tap[0] = new Silent(driver));
        Diagnosis _ = Diagnosis.of(silent.device())) {
      Stream stream = silent.device().stream();
      GlobalInts array = silent.device().allocateInts(32);
      Launch launch = silent.device().prepare(Grid.of(1, 32), Kernels.ADD, array, 1, 32);
      try (Gate gate = gate(stream)) {
        stream.then(() -> tap[0].refusing = true);
        String line = nextLine();
        stream.launch(launch);
        gate.open();
        assertThatThrownBy(stream::await)
            .isInstanceOf(LaunchException.class)
            .hasMessageContainingAll("add", line, "(701)");
      }
    }
  }
}
