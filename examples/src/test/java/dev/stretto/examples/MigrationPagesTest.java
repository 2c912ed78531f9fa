package dev.stretto.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Device;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The tables for those who come from CUDA C++, JCuda and TornadoVM: what they name there is in the
 * API, and each function of the CUDA runtime is in one of them.
 */
class MigrationPagesTest {
  private static final Path GUIDE = DocumentsTest.ROOT.resolve("docs/guide");

  /** The functions that CUDA 13.0's header declares, by name. */
  private static final Path FUNCTIONS =
      Path.of("src/test/resources/dev/stretto/examples/cuda-runtime-13.0.txt");

  private static final Pattern WORD = Pattern.compile("`([^`]+)`");
  private static final Pattern DECLARED = Pattern.compile("\\bCUDARTAPI\\w*\\s+(cuda\\w+)\\s*\\(");
  private static final Pattern OF_STRETTO = Pattern.compile("([A-Z]\\w+)(?:\\.(\\w+))?");

  @Test
  void eachFunctionOfTheRuntimeIsThereOnce() throws IOException {
    List<String> named =
        rows("from-cuda.md").stream()
            .flatMap(List::stream)
            .flatMap(cell -> words(cell).stream())
            .filter(word -> word.matches("cuda[A-Z]\\w+"))
            .filter(word -> !word.equals("cudaOccupancyMaxPotentialBlockSize")) // of cuda_runtime.h
            .toList();
    assertThat(named)
        .containsExactlyInAnyOrderElementsOf(DocumentsTest.read(FUNCTIONS))
        .hasSizeGreaterThan(300);
  }

  @Test
  void theListOfFunctionsIsThatOfTheHeader() throws IOException {
    Optional<Path> header = header();
    assumeTrue(header.isPresent(), "there is no toolkit in its usual place");
    String text = Files.readString(header.orElseThrow());
    assumeTrue(text.contains("CUDART_VERSION  13000"), "the header is not that of CUDA 13.0");
    assertThat(new TreeSet<>(DECLARED.matcher(text).results().map(it -> it.group(1)).toList()))
        .containsExactlyElementsOf(DocumentsTest.read(FUNCTIONS));
  }

  private static Optional<Path> header() throws IOException {
    try (Stream<Path> folders = Files.list(Path.of("/usr/local"))) {
      return folders
          .map(folder -> folder.resolve("include/cuda_runtime_api.h"))
          .filter(Files::isRegularFile)
          .findFirst();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"from-cuda.md", "from-tornadovm-and-jcuda.md"})
  void eachCounterpartIsInTheApi(String page) {
    List<String> counterparts =
        rows(page).stream()
            .filter(cells -> cells.size() > 1 && !cells.get(1).startsWith("not there"))
            .flatMap(cells -> words(cells.get(1)).stream())
            .filter(word -> OF_STRETTO.matcher(word).matches())
            .toList();
    assertThat(counterparts).hasSizeGreaterThan(20).allMatch(MigrationPagesTest::isInTheApi);
  }

  private static boolean isInTheApi(String word) {
    MatchResult parts = OF_STRETTO.matcher(word).results().findFirst().orElseThrow();
    Optional<Class<?>> type = type(parts.group(1));
    String method = parts.group(2);
    return type.isPresent()
        && (method == null
            || Arrays.stream(type.get().getMethods()).anyMatch(it -> it.getName().equals(method)));
  }

  /** {@return the public class of this simple name in the packages that the module exports} */
  private static Optional<Class<?>> type(String name) {
    return exported().stream().flatMap(folder -> find(folder + "." + name).stream()).findFirst();
  }

  private static List<String> exported() {
    return ModuleFinder.of(Path.of(DocumentsTest.placeOfCore()))
        .find("dev.stretto")
        .orElseThrow()
        .descriptor()
        .exports()
        .stream()
        .filter(it -> !it.isQualified())
        .map(ModuleDescriptor.Exports::source)
        .toList();
  }

  private static Optional<Class<?>> find(String name) {
    try {
      Class<?> type = Class.forName(name, false, Device.class.getClassLoader());
      return Modifier.isPublic(type.getModifiers()) ? Optional.of(type) : Optional.empty();
    } catch (ClassNotFoundException _) {
      return Optional.empty();
    }
  }

  /** {@return the cells of a page's tables, without their headings} */
  private static List<List<String>> rows(String page) {
    return DocumentsTest.read(GUIDE.resolve(page)).stream()
        .filter(line -> line.startsWith("| ") && !line.startsWith("|---"))
        .map(line -> Arrays.stream(line.split("\\|")).skip(1).map(String::strip).toList())
        .toList();
  }

  private static List<String> words(String cell) {
    return WORD.matcher(cell).results().map(it -> it.group(1)).toList();
  }
}
