package dev.stretto.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Finds the examples, which are numbered. */
final class ExampleClasses {
  private static final Path SOURCES = Path.of("src/main/java/dev/stretto/examples");

  private ExampleClasses() {}

  /** The numbers of all examples. */
  static List<String> numbers() throws IOException {
    return names().stream()
        .map(name -> name.substring("Example".length(), "Example00".length()))
        .toList();
  }

  /** An example. */
  static Class<?> of(String number) throws IOException, ClassNotFoundException {
    String name =
        names().stream()
            .filter(each -> each.startsWith("Example" + number))
            .findFirst()
            .orElseThrow();
    return Class.forName("dev.stretto.examples." + name);
  }

  private static List<String> names() throws IOException {
    try (var sources = Files.list(SOURCES)) {
      return sources
          .map(source -> source.getFileName().toString().replace(".java", ""))
          .filter(name -> name.startsWith("Example"))
          .sorted()
          .toList();
    }
  }
}
