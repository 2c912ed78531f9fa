package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stretto.Device;
import dev.stretto.Diagnosis;
import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.settings.Settings;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** CUDA does not say which kernel has faulted: what is said of it, on the fake. */
class CudaLostLaunchTest extends OnFakeCuda {
  private static final String PLACES = Settings.LAUNCH_PLACES.name();
  private static final String HERE = "CudaLostLaunchTest.java:";

  private final DeviceKernel idle =
      DeviceKernel.of(KernelImage.ofPtx(".entry idle"), "idle", List.of(), NoTwin.INSTANCE);

  private List<Device> devices;
  private Stream stream;

  private void open() {
    devices = Device.openAll(driver);
    stream = devices.getFirst().stream();
  }

  /** Devices are let go of by another thread, which the next test's fake must not hear of. */
  @AfterEach
  void close() throws InterruptedException {
    System.clearProperty(PLACES);
    devices.forEach(Device::close);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (fake.retained(0) > 1 || fake.retained(1) > 0) { // the superclass has opened one
      assertThat(System.nanoTime()).as("the devices are not released").isLessThan(deadline);
      Thread.sleep(1);
    }
  }

  private String loss() {
    fake.fail("cuEventQuery", 700, 1);
    fake.fail("cuStreamQuery", 700, 1);
    return catchThrowableOfType(DeviceLostException.class, stream::await).getMessage();
  }

  @Test
  void theKernelsInFlightAreNamedAndHowToGetTheirLines() {
    open();
    stream.launch(Grid.of(1, 32), idle);
    assertThat(loss())
        .startsWith(
            "in flight was idle on stream 0x%x; with -D%s=true".formatted(stream.handle(), PLACES))
        .containsSubsequence("cuda:0 is lost", "CUDA_ERROR_ILLEGAL_ADDRESS (700)")
        .doesNotContain(HERE);
  }

  @Test
  void theyAreNamedWithTheirLinesIfThePropertySaysSo() {
    System.setProperty(PLACES, "true");
    open();
    stream.launch(Grid.of(1, 32), idle);
    assertThat(loss())
        .startsWith("in flight was idle, launched at " + getClass().getName())
        .contains(HERE)
        .doesNotContain(PLACES);
  }

  @Test
  void theyAreNamedWithTheirLinesIfTheDeviceIsDiagnosed() {
    open();
    try (Diagnosis _ = Diagnosis.of(devices.getFirst())) {
      stream.launch(Grid.of(1, 32), idle);
      assertThat(loss()).startsWith("in flight was idle, launched at ").contains(HERE);
    }
  }

  @Test
  void aGraphIsNamedWithItsKernelsAndWhereTheyWereMade() {
    open();
    Graph graph = Graph.capture(stream, () -> stream.launch(Grid.of(1, 32), idle));
    stream.launch(graph);
    assertThat(loss())
        .startsWith("in flight was a graph of 1 nodes (idle, made a node at ")
        .contains(HERE);
  }

  @Test
  void aLossWithNothingInFlightNamesNoKernel() {
    open();
    stream.launch(Grid.of(1, 32), idle);
    stream.await();
    stream.fill(devices.getFirst().allocateInts(4), 1);
    assertThat(loss()).startsWith("cuda:0 is lost").doesNotContain("idle");
  }
}
