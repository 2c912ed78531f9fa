package dev.stretto.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.compiler.KernelCompiler;
import dev.stretto.compiler.KernelTarget;
import dev.stretto.compiler.bank.BlockShape;
import dev.stretto.compiler.bank.SharedAccess;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What `stretto explain` says of the banks of shared memory is what the guide says. */
class KernelBanksTest {
  private static List<SharedAccess> accesses(Class<?> type, String kernel, int number) {
    Method method =
        Arrays.stream(type.getDeclaredMethods())
            .filter(it -> it.getName().equals(kernel))
            .findFirst()
            .orElseThrow();
    return KernelCompiler.inspect(
            KernelLintsTest.source(method, number),
            new KernelTarget(90),
            new BlockShape(256, 1, 1),
            (_, _) -> {})
        .accesses();
  }

  private static List<SharedAccess> conflicts(Class<?> type, String kernel, int number) {
    List<SharedAccess> accesses = accesses(type, kernel, number);
    assertThat(accesses).isNotEmpty().allMatch(SharedAccess::isKnown);
    return accesses.stream().filter(SharedAccess::hasConflict).toList();
  }

  @Test
  void aGapAfterEachRowAndASwizzleAvoidConflicts() throws Exception {
    Class<?> transpose = Example18TransposeByTensorMap.class;
    assertThat(conflicts(transpose, "synchronous", 0)).isEmpty();
    List<SharedAccess> conflicts = conflicts(transpose, "oneStage", 0);
    assertThat(conflicts).hasSize(1);
    SharedAccess load = conflicts.getFirst();
    String page = Files.readString(Path.of("../docs/guide/13-kernels-in-java.md"));
    assertThat(page)
        .contains("%s: %s\n  %s\n".formatted(load.line(), load.title(), load.message()))
        .contains(
            "Shared memory: %d accesses, 1 with bank conflicts\n"
                .formatted(accesses(transpose, "oneStage", 0).size()));
    List<SharedAccess> swizzled =
        accesses(transpose, "severalStages", 4).stream().filter(it -> it.bytes() == 16).toList();
    assertThat(swizzled).isNotEmpty().noneMatch(SharedAccess::hasConflict);
  }
}
