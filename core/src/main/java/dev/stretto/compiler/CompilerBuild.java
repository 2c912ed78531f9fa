package dev.stretto.compiler;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.CodeSource;
import java.util.stream.Stream;

/**
 * Identifies this build of the compiler: another build may produce different text from the same
 * class files. A jar is identified by its size and modification time, a folder by those of the
 * compiler's class files, a run-time image by those of its modules.
 */
final class CompilerBuild {
  /** Computed once: it does not change while the process runs. */
  static final String ID = find();

  private CompilerBuild() {}

  private static String find() {
    CodeSource source = CompilerBuild.class.getProtectionDomain().getCodeSource();
    try {
      return source == null || !isFile(source.getLocation().toURI())
          ? of(Path.of(System.getProperty("java.home"), "lib", "modules"))
          : of(Path.of(source.getLocation().toURI()));
    } catch (IOException | URISyntaxException e) {
      // Without an identity, kernels are kept for this process alone.
      return "process " + ProcessHandle.current().pid() + " " + System.nanoTime();
    }
  }

  private static boolean isFile(URI place) {
    return "file".equals(place.getScheme());
  }

  private static String of(Path place) throws IOException {
    if (!Files.isDirectory(place)) {
      return stamp(place);
    }
    Path compiler = place.resolve(CompilerBuild.class.getPackageName().replace('.', '/'));
    try (Stream<Path> files = Files.walk(compiler)) {
      StringBuilder all = new StringBuilder();
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        all.append(file.getFileName()).append(' ').append(stamp(file)).append('\n');
      }
      return all.toString();
    }
  }

  private static String stamp(Path file) throws IOException {
    BasicFileAttributes is = Files.readAttributes(file, BasicFileAttributes.class);
    return is.size() + " " + is.lastModifiedTime().toMillis();
  }
}
