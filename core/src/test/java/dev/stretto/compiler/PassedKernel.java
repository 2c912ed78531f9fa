package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.kernel.Kernel;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Kernels that take an array and write ints: what they do after each pass of the compiler. */
final class PassedKernel {
  private PassedKernel() {}

  /**
   * Runs a kernel as it is after each pass, in one block with a thread for each result.
   *
   * @param bytes of an element of {@code in}
   * @return the kernel's PTX
   */
  static String check(Class<?> owner, String name, MemorySegment in, int bytes, int[] expected) {
    Method method =
        Arrays.stream(owner.getDeclaredMethods())
            .filter(it -> it.getName().equals(name) && it.isAnnotationPresent(Kernel.class))
            .findFirst()
            .orElseThrow();
    Map<String, Interpreter> stages = new LinkedHashMap<>();
    CompiledKernel kernel =
        KernelCompiler.compile(
            new KernelSource(
                owner.getClassLoader(),
                owner.getName().replace('.', '/'),
                name,
                MethodType.methodType(void.class, method.getParameterTypes())
                    .toMethodDescriptorString(),
                Map.of(),
                false),
            KernelTarget.of(9, 0),
            (pass, function) -> stages.put(stages.size() + " " + pass, Interpreter.of(function)));
    stages.forEach(
        (stage, interpreter) -> {
          int[] out = new int[expected.length];
          DeviceMemory memory = new DeviceMemory();
          interpreter.run(
              new Interpreter.Shape(new int[] {1, 1, 1}, new int[] {out.length, 1, 1}, 0),
              memory,
              memory.array(in, bytes),
              memory.array(MemorySegment.ofArray(out), Integer.BYTES));
          assertThat(out).as("%s after %s", name, stage).isEqualTo(expected);
        });
    return kernel.ptx().text();
  }
}
