package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.compiler.KernelTree.Kernel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The text of a generated kernel, which becomes a test of its own when it has shown a mistake. */
class KernelTextTest {
  private static final int KERNELS = 30;

  @TempDir Path folder;

  private static List<Kernel> kernels() {
    return LongStream.rangeClosed(1, KERNELS).mapToObj(KernelGenerator::generate).toList();
  }

  @Test
  void whatJavacMakesOfTheTextIsTheKernel() throws IOException {
    List<Kernel> kernels = kernels();
    List<String> command =
        new ArrayList<>(
            List.of("-d", folder.toString(), "-nowarn", "-proc:none", "-cp", classPath()));
    for (Kernel kernel : kernels) {
      Path source = folder.resolve(kernel.name() + ".java");
      Files.writeString(source, KernelText.of(kernel));
      command.add(source.toString());
    }
    int status =
        ToolProvider.getSystemJavaCompiler().run(null, null, null, command.toArray(new String[0]));
    assertThat(status).isZero();
    for (int i = 0; i < kernels.size(); i++) {
      Kernel kernel = kernels.get(i);
      FuzzedKernel written = new FuzzedKernel(kernel, i, true);
      FuzzedKernel compiled = new FuzzedKernel(kernel, i, true);
      compiled.files(classFiles(kernel.name()));
      assertThat(compiled.check()).as(KernelText.of(kernel)).isEmpty();
      assertThat(written.check()).isEmpty();
      assertThat(compiled.leftBehind()).as(kernel.name()).isEqualTo(written.leftBehind());
    }
  }

  private static String classPath() {
    return Path.of(Kernel.class.getProtectionDomain().getCodeSource().getLocation().getPath())
        + java.io.File.pathSeparator
        + Path.of(
            dev.stretto.kernel.Kernel.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
  }

  /** A class's file and those of the classes in it. */
  private Map<String, byte[]> classFiles(String name) throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    try (Stream<Path> all = Files.list(folder)) {
      all.filter(file -> file.getFileName().toString().matches(name + "(\\$.*)?\\.class"))
          .forEach(file -> files.put(className(file), read(file)));
    }
    return files;
  }

  private static String className(Path file) {
    return file.getFileName().toString().replace(".class", "");
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
