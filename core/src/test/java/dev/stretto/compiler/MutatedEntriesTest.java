package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.driver.Mutations;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kept kernels with faults are compiled again, also if somebody had the key; see Mutations. */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class MutatedEntriesTest {
  private static final KernelTarget TARGET = new KernelTarget(80);
  private static final KernelSource SOURCE =
      new KernelSource(
          MutatedEntriesTest.class.getClassLoader(),
          MutatedEntriesTest.class.getName().replace('.', '/'),
          "kernel",
          "(Ldev/stretto/kernel/ThreadBlock;Ldev/stretto/memory/GlobalInts;)V",
          Map.of(),
          true);

  @TempDir Path folder;

  @Kernel
  static void kernel(ThreadBlock block, GlobalInts out) {
    out.set(block.threadIndexX(), 4711);
  }

  private Path kept() throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".kernel")).findFirst().orElseThrow();
    }
  }

  @Test
  void withoutTheKeyNoneIsTaken() throws Exception {
    KernelStore store = new KernelStore(folder);
    LaunchText right = store.get(SOURCE, TARGET);
    Path file = kept();
    byte[] bytes = Files.readAllBytes(file);
    Mutations.each(
        "cache entries",
        bytes,
        (mutated, _) -> {
          Files.write(file, mutated);
          assertThat(store.get(SOURCE, TARGET)).isEqualTo(right);
          assertThat(file).hasBinaryContent(bytes);
          return false;
        });
  }

  @Test
  void withTheKeyNoneDoesHarm() throws Exception {
    CompiledKernel right = KernelCompiler.compile(SOURCE, TARGET);
    byte[] key = new byte[Sha256.BYTES];
    byte[] sealed = KeptKernel.seal(key, "name", right);
    byte[] content = Arrays.copyOf(sealed, sealed.length - Sha256.BYTES);
    Mutations.each(
        "cache entries with the key",
        content,
        (mutated, _) -> {
          byte[] hash = Sha256.keyed(key, new byte[] {'n', 'a', 'm', 'e', 0}, mutated);
          byte[] all = Arrays.copyOf(mutated, mutated.length + Sha256.BYTES);
          System.arraycopy(hash, 0, all, mutated.length, Sha256.BYTES);
          return KeptKernel.open(key, "name", all, SOURCE.loader()).isPresent();
        });
  }
}
