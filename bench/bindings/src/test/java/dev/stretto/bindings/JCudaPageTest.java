package dev.stretto.bindings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jcuda.driver.JCudaDriver;
import org.junit.jupiter.api.Test;

/** The functions of JCuda that the guide names are JCuda's. */
class JCudaPageTest {
  private static final Path PAGE = Path.of("../../docs/guide/from-tornadovm-and-jcuda.md");
  private static final Pattern FUNCTION = Pattern.compile("`(cu[A-Z]\\w+|setExceptionsEnabled)`");

  @Test
  void theGuideNamesFunctionsThatThereAre() throws IOException {
    Set<String> there =
        Arrays.stream(JCudaDriver.class.getMethods())
            .map(Method::getName)
            .collect(Collectors.toSet());
    assertThat(FUNCTION.matcher(Files.readString(PAGE)).results().map(it -> it.group(1)).toList())
        .hasSizeGreaterThan(30)
        .allMatch(there::contains);
  }
}
