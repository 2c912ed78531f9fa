package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.driver.Cubin;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;
import dev.stretto.driver.Mutations;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cubin that is not whole does not reach the driver, which is not told where it ends. */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class CudaMutatedImagesTest extends OnFakeCuda {
  @Test
  void aCubinThatIsCutOffDoesNotReachTheDriver() throws Exception {
    byte[] image = Mutations.cubin();
    for (int length : new int[] {4, 63, 64, 1000, 4608, image.length - 1}) {
      DriverException thrown =
          failure(Kind.BAD_IMAGE, () -> device.loadModule(Arrays.copyOf(image, length)));
      assertThat(thrown)
          .hasMessageContaining(
              "the image was not passed to the driver: "
                  + length
                  + " bytes that are not a whole cubin");
    }
    assertThat(fake.calls()).isEmpty();
  }

  @Test
  void whatReachesTheDriverIsWhole() throws Exception {
    Mutations.each(
        "cubins for CUDA",
        Mutations.cubin(),
        (file, seed) -> {
          if (seed % 500 == 0) {
            openTheFirstDevice(); // the fake has room for some thousand modules
          }
          List<String> before = fake.calls();
          assertThat(before).isNotNull();
          try {
            device.unloadModule(device.loadModule(file));
            if (Cubin.isMachineCode(file)) {
              assertThat(Cubin.kernels(file)).isNotNull();
            }
            return true;
          } catch (DriverException e) {
            assertThat(e.kind()).isIn(Kind.BAD_IMAGE, Kind.INVALID);
            boolean given = fake.calls().stream().anyMatch(call -> call.contains("cuModuleLoad"));
            assertThat(given).isEqualTo(!Cubin.isMachineCode(file) && file.length > 0);
            return false;
          }
        });
  }
}
