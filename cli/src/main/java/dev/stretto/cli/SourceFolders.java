package dev.stretto.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The places from {@code --source} where source files are looked up. */
final class SourceFolders {
  private static final int MOST_BYTES = 16 << 20;

  private final List<Path> paths;
  private final Map<String, Set<String>> packages = new HashMap<>();
  private final Map<String, List<String>> files = new HashMap<>();

  /**
   * Creates a lookup.
   *
   * @param paths folders that hold packages, or single files
   * @param classes the class files whose sources are looked up, by internal name
   * @throws CommandFailure if a path does not exist
   */
  SourceFolders(List<Path> paths, Map<String, byte[]> classes) {
    this.paths = paths;
    for (Path path : paths) {
      if (!Files.exists(path)) {
        throw CommandFailure.wrongCommandLine("--source: " + path + " does not exist");
      }
      if (!Files.isDirectory(path) && !Files.isRegularFile(path)) {
        throw CommandFailure.wrongCommandLine(
            "--source: " + path + " is neither a folder nor a file");
      }
    }
    if (!paths.isEmpty()) {
      classes.forEach(this::note);
    }
  }

  private void note(String internalName, byte[] bytes) {
    String file = NamedKernel.sourceFile(ClassFile.of().parse(bytes), internalName);
    String folder = internalName.substring(0, internalName.lastIndexOf('/') + 1);
    packages.computeIfAbsent(file, any -> new HashSet<>()).add(folder);
  }

  /** A line of a file, without the white space around it, or nothing if it is not found. */
  Optional<String> line(String file, int number) {
    List<String> lines = files.computeIfAbsent(file, this::read);
    return number < 1 || number > lines.size()
        ? Optional.empty()
        : Optional.of(lines.get(number - 1).strip());
  }

  private List<String> read(String file) {
    for (Path path : paths) {
      if (path.endsWith(file) && Files.isRegularFile(path)) {
        return readFile(path);
      }
      for (String folder : packages.getOrDefault(file, Set.of())) {
        Path inPackage = path.resolve(folder + file);
        if (Files.isRegularFile(inPackage)) {
          return readFile(inPackage);
        }
      }
    }
    return List.of();
  }

  private static List<String> readFile(Path path) {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw new CommandFailure(
            "--source: %s has more than %d bytes, which no Java source has"
                .formatted(path, MOST_BYTES));
      }
      // Whatever the encoding: characters that are not UTF-8 are shown as question marks.
      return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
