package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxCopies;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a checked kernel checks of the addresses of its asynchronous copies. */
class CheckedCopiesTest {
  @Kernel
  static void readsAll(ThreadBlock block, GlobalInts in) {
    PtxCopies.cpAsyncCg16(block.sharedInts(64), 0, in, 512);
  }

  @Kernel
  static void readsNothing(ThreadBlock block, GlobalInts in) {
    SharedInts tile = block.sharedInts(64);
    PtxCopies.cpAsyncCg16(tile, 0, in, 512, 0);
    PtxCopies.cpAsyncCa16(tile, 16, in, 512, 0);
    PtxCopies.cpAsyncCa8(tile, 32, in, 512, 0);
    PtxCopies.cpAsyncCa4(tile, 40, in, -4, 0);
  }

  @Kernel
  static void ignoresAll(ThreadBlock block, GlobalInts in) {
    SharedInts tile = block.sharedInts(64);
    PtxCopies.cpAsyncCg16(tile, 0, in, 512, true);
    PtxCopies.cpAsyncCa16(tile, 16, in, 512, true);
    PtxCopies.cpAsyncCa8(tile, 32, in, 512, true);
    PtxCopies.cpAsyncCa4(tile, 40, in, -4, true);
  }

  @Kernel
  static void readsSome(ThreadBlock block, GlobalInts in, int bytes) {
    PtxCopies.cpAsyncCg16(block.sharedInts(64), 0, in, 512, bytes);
  }

  private static CompiledKernel compiled(String name) {
    Method method =
        Arrays.stream(CheckedCopiesTest.class.getDeclaredMethods())
            .filter(each -> each.getName().equals(name))
            .findFirst()
            .orElseThrow();
    return KernelCompiler.compile(
        new KernelSource(
            CheckedCopiesTest.class.getClassLoader(),
            CheckedCopiesTest.class.getName().replace('.', '/'),
            name,
            MethodType.methodType(void.class, method.getParameterTypes())
                .toMethodDescriptorString(),
            Map.of(),
            true),
        new KernelTarget(80));
  }

  @Test
  void anAddressThatIsReadIsChecked() {
    assertThat(compiled("readsAll").ptx().faults()).isNotEmpty();
    assertThat(compiled("readsSome").ptx().faults()).isNotEmpty();
  }

  /** Threads past the end of an array read 0 bytes there, and get zeros. */
  @Test
  void anAddressWhereNothingIsReadIsNot() {
    assertThat(compiled("readsNothing").ptx().faults()).isEmpty();
    assertThat(compiled("ignoresAll").ptx().faults()).isEmpty();
  }
}
