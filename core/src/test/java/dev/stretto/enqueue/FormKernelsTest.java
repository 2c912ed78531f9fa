package dev.stretto.enqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.compiler.Ptxas;
import dev.stretto.rows.Conversion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kernels that convert rows; {@code ConvertedRowsTest} says what they do. */
class FormKernelsTest {
  private static final String IMAGE =
      new FormKernels(new Conversion(Conversion.Element.BYTE, 2)).image();

  @ParameterizedTest
  @ValueSource(strings = {"sm_75", "sm_80", "sm_90", "sm_90a"})
  void theAssemblerTakesThemAndSpillsNothing(String architecture, @TempDir Path folder)
      throws IOException, InterruptedException {
    Optional<Ptxas> ptxas = Ptxas.find();
    assumeTrue(ptxas.isPresent(), "there is no ptxas on the PATH");
    assertThat(ptxas.get().complaints(IMAGE, architecture, folder)).isEmpty();
    assertThat(ptxas.get().report(IMAGE, architecture, folder))
        .containsPattern("0 bytes stack frame, 0 bytes spill stores")
        .doesNotContainPattern("[1-9]\\d* bytes (stack|spill)");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void thereIsOneForEachElement(int group) {
    for (Conversion.Element element : Conversion.Element.values()) {
      FormKernels form = new FormKernels(new Conversion(element, 1));
      assertThat(IMAGE).contains(".entry " + form.entry(group) + "(");
      assertThat(form.image()).isSameAs(IMAGE);
    }
  }
}
