package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LibraryTest {
  private FakeCuda fake;

  @BeforeEach
  void reset() {
    fake = FakeCuda.reset();
  }

  @Test
  void opensAndCountsDevices() {
    Library library = ((Library.Opened) open(Map.of())).library();

    assertThat(library.deviceCount()).isEqualTo(2);
    assertThat(library.driverVersion()).isEqualTo(12_080);
  }

  @Test
  void aMissingLibraryIsNamed() {
    assertThat(reason(Library.open("/nowhere/libcuda.so.1", Map.of())))
        .startsWith("/nowhere/libcuda.so.1 could not be opened, so there is no NVIDIA driver");
  }

  @Test
  void aLibraryThatIsNotCudaIsRefused() {
    assertThat(reason(Library.open("libc.so.6", Map.of())))
        .isEqualTo("libc.so.6 is not the CUDA driver: it exports no cuInit");
  }

  @Test
  void aDriverThatIsTooOldIsToldWhatIsNeeded() {
    fake.set("version", 11_080);

    assertThat(reason(open(Map.of())))
        .isEqualTo("the NVIDIA driver is too old: it supports CUDA 11.8, but 12.0 is needed");
    assertThat(fake.calls()).isEmpty();
  }

  @Test
  void aFailedInitializationIsExplained() {
    fake.set("init", 100);

    assertThat(reason(open(Map.of())))
        .isEqualTo("cuInit failed: CUDA_ERROR_NO_DEVICE (100): no CUDA-capable device is detected");
  }

  @Test
  void anUnnamedErrorKeepsItsNumber() {
    fake.set("init", 803);

    assertThat(reason(open(Map.of()))).isEqualTo("cuInit failed: CUDA error 803");
  }

  @Test
  void theVariableThatMayHideAllDevicesIsNamed() {
    fake.set("init", 100);
    assertThat(reason(open(Map.of("CUDA_VISIBLE_DEVICES", ""))))
        .endsWith("(CUDA_VISIBLE_DEVICES is set to \"\", which may hide all of them)");

    FakeCuda.reset().set("devices", 0);
    assertThat(reason(open(Map.of("CUDA_VISIBLE_DEVICES", "7"))))
        .isEqualTo(
            "the NVIDIA driver has no device (CUDA_VISIBLE_DEVICES is set to \"7\", which may"
                + " hide all of them)");
  }

  @Test
  void noDeviceIsNoDriver() {
    fake.set("devices", 0);

    assertThat(reason(open(Map.of()))).isEqualTo("the NVIDIA driver has no device");
  }

  @Test
  void findsTheVariantOfTheVersionAskedFor() {
    Library library = ((Library.Opened) open(Map.of())).library();

    assertThat(library.find("cuMemcpyHtoDAsync", 12_000))
        .isEqualTo(library.exports().find("cuMemcpyHtoDAsync_v2"));
    assertThat(library.find("cuMemcpyHtoDAsync", 3_010))
        .isPresent()
        .isNotEqualTo(library.exports().find("cuMemcpyHtoDAsync_v2"));
    assertThat(library.find("cuFuncLoad", 12_000)).isEmpty();
    assertThat(library.find("cuNoSuchFunction", 12_000)).isEmpty();
  }

  private Library.Opening open(Map<String, String> environment) {
    return Library.open(fake.library().toString(), environment);
  }

  private static String reason(Library.Opening opening) {
    return ((Library.Refused) opening).reason();
  }
}
