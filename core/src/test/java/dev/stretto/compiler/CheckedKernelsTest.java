package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.kernel.Debug;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.Int4;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How checked kernels end when a check fails. What a GPU makes of it is in the contract suite. */
class CheckedKernelsTest {
  @Kernel
  static void assertsTwice(ThreadBlock block, GlobalInts in) {
    assert in.get(0) == 1 : "a message with \"%d\" and ä";
    assert in.get(1) == 1;
  }

  @Kernel
  static void everything(ThreadBlock block, GlobalInts in) {
    in.set4(in.get(0), new Int4(1, 2, 3, 4));
    assert in.get(1) == 1;
    in.set(3, in.get(4) / in.get(5));
    Debug.print("a text", in.get(0));
  }

  @Kernel
  static void indexesOnly(ThreadBlock block, GlobalInts in) {
    in.set(5, 1);
  }

  private static String text(String name, int sm) {
    Method method =
        Arrays.stream(CheckedKernelsTest.class.getDeclaredMethods())
            .filter(each -> each.getName().equals(name))
            .findFirst()
            .orElseThrow();
    return KernelCompiler.compile(
            new KernelSource(
                CheckedKernelsTest.class.getClassLoader(),
                CheckedKernelsTest.class.getName().replace('.', '/'),
                name,
                MethodType.methodType(void.class, method.getParameterTypes())
                    .toMethodDescriptorString(),
                Map.of(),
                true),
            new KernelTarget(sm))
        .ptx()
        .text();
  }

  @Test
  void theirTextAssembles(@TempDir Path folder) throws IOException, InterruptedException {
    Ptxas ptxas = Ptxas.find().orElse(null);
    Assumptions.assumeTrue(ptxas != null, "no ptxas");
    for (int sm : List.of(80, 90)) {
      List<String> texts =
          Stream.of("assertsTwice", "everything", "indexesOnly").map(n -> text(n, sm)).toList();
      String architecture = new KernelTarget(sm).toString();
      for (String text : texts) {
        assertThat(ptxas.complaints(text, architecture, folder)).as(text).isEmpty();
      }
      assertThat(ptxas.complaints(Ptxas.together(texts), architecture, folder)).isEmpty();
    }
  }

  @Test
  void onlyAnAssertionCallsTheDriversFunction() {
    assertThat(text("assertsTwice", 90)).containsOnlyOnce("call.uni __assertfail");
    assertThat(text("indexesOnly", 90)).doesNotContain("__assertfail");
  }
}
