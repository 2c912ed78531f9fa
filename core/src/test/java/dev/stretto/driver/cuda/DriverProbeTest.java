package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.driver.cuda.DriverProbe.End;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DriverProbeTest {
  private FakeCuda fake;

  @BeforeEach
  void reset() {
    fake = FakeCuda.reset();
  }

  private DriverProbe probe() {
    return DriverProbe.of(fake.library().toString());
  }

  @Test
  void listsTheDevices() {
    DriverProbe probe = probe();

    assertThat(probe.end()).isEqualTo(End.STARTED);
    assertThat(probe.dotted()).isEqualTo("12.8");
    assertThat(probe.detail()).isEmpty();
    // The fake's attributes are 1,000 times their number, and the ordinal.
    assertThat(probe.gpus()).extracting(DriverProbe.Gpu::name).containsExactly("Fake 0", "Fake 1");
    assertThat(probe.gpus().getLast().computeMajor()).isEqualTo(75_001);
    assertThat(probe.gpus().getLast().computeMinor()).isEqualTo(76_001);
    assertThat(probe.gpus().getLast().computeMode()).isEqualTo(20_001);
    assertThat(probe.gpus().getLast().pciBusId()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {34, 100, 802, 803, 999})
  void tellsTheCodeOfAFailedStart(int code) {
    fake.set("init", code);

    DriverProbe probe = probe();

    assertThat(probe.end()).isEqualTo(End.NOT_STARTED);
    assertThat(probe.result()).isEqualTo(code);
    assertThat(probe.detail()).contains(Integer.toString(code));
    assertThat(probe.version()).isEqualTo(12_080);
    assertThat(probe.gpus()).isEmpty();
  }

  @Test
  void anOldDriverIsNotStarted() {
    fake.set("version", 11_040);

    assertThat(probe().end()).isEqualTo(End.TOO_OLD);
    assertThat(probe().dotted()).isEqualTo("11.4");
    assertThat(fake.calls()).isEmpty();
  }

  @Test
  void noDevicesAreNoFailure() {
    fake.set("devices", 0);

    assertThat(probe().end()).isEqualTo(End.STARTED);
    assertThat(probe().gpus()).isEmpty();
  }

  @Test
  void otherLibrariesAreToldApart() {
    assertThat(DriverProbe.of("/nowhere/libcuda.so.1").end()).isEqualTo(End.NOT_FOUND);
    assertThat(DriverProbe.of("libc.so.6").end()).isEqualTo(End.NOT_CUDA);
  }
}
