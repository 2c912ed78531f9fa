package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Arrays whose content is compiled in: what becomes of reads. */
class ConstantMemoryTest {
  private static final KernelTarget TARGET = new KernelTarget(80);

  @Const static final byte[] BYTES = bytes(100);
  @Const static final char[] CHARS = {0, 1, 0xffff, 0x8000};
  @Const static final long[] LONGS = {Long.MIN_VALUE, -1, Long.MAX_VALUE, 0};
  @Const static final float[] FLOATS = {-0.0f, Float.NaN, 1, Float.MIN_VALUE};
  @Const static final double[] DOUBLES = {-0.0, Double.NaN, 1, -1e-320};
  @Const static final boolean[] BOOLEANS = {true, false, true, false};
  @Const static final short[] SHORTS = {-1, Short.MIN_VALUE, 2, 3};
  @Const static final int[] NONE = {};

  private static byte[] bytes(int count) {
    byte[] all = new byte[count];
    new SplittableRandom(5).nextBytes(all);
    return all;
  }

  static void known(ThreadBlock block, GlobalInts out) {
    int sum = NONE.length;
    for (int i = 0; i < 4; i++) {
      sum = 31 * sum + CHARS[i];
    }
    for (int number : NONE) {
      sum += number;
    }
    out.set(0, sum + BYTES[99] + BYTES.length);
  }

  static void read(ThreadBlock block, GlobalInts out, int at) {
    out.set(0, BYTES[at] + BYTES[at + 1] + BYTES[at]);
  }

  static void guarded(ThreadBlock block, GlobalInts out, int at) {
    int value = 7;
    if (at >= 0 && at < BYTES.length) {
      value = BYTES[at];
    }
    out.set(0, value);
  }

  static void all(ThreadBlock block, GlobalLongs out, int at) {
    out.set(0, LONGS[at]);
    out.set(1, Float.floatToIntBits(FLOATS[at]));
    out.set(2, Double.doubleToLongBits(DOUBLES[at]));
    out.set(3, BOOLEANS[at] ? 1 : 0);
    out.set(4, SHORTS[at]);
    out.set(5, CHARS[at]);
    out.set(6, BYTES[at]);
    int[] local = new int[4];
    System.arraycopy(new int[] {1, 2, 3, 4}, 0, local, 0, 4);
    out.set(7, local[1] + CHARS.clone()[2]);
  }

  static void takes(ThreadBlock block, GlobalInts out, int at, Pair pair) {
    out.set(pair.a(), at + pair.b() + BYTES[at]);
  }

  record Pair(int a, byte b) {}

  private static KernelSource source(String name, boolean checked) {
    Method method =
        Arrays.stream(ConstantMemoryTest.class.getDeclaredMethods())
            .filter(it -> it.getName().equals(name))
            .findFirst()
            .orElseThrow();
    return new KernelSource(
        ConstantMemoryTest.class.getClassLoader(),
        ConstantMemoryTest.class.getName().replace('.', '/'),
        name,
        MethodType.methodType(void.class, method.getParameterTypes()).toMethodDescriptorString(),
        Map.of(),
        checked);
  }

  private static String text(String name, boolean checked) {
    return KernelCompiler.compile(source(name, checked), TARGET).ptx().text();
  }

  private static int count(String text, String of) {
    return text.split(java.util.regex.Pattern.quote(of), -1).length - 1;
  }

  @Test
  void elementsAtKnownIndicesAreNumbers() {
    String text = text("known", false);
    int sum = 0;
    for (char one : CHARS) {
      sum = 31 * sum + one;
    }
    assertThat(text).doesNotContain(".const").contains(String.valueOf(sum + BYTES[99] + 100));
    assertThat(KernelCompiler.compile(source("known", false), TARGET).constants())
        .as("what its text depends on")
        .extracting(Object::toString)
        .contains("ConstantMemoryTest.CHARS", "ConstantMemoryTest.BYTES");
  }

  @Test
  void otherElementsAreReadOnceFromConstantMemory() {
    String text = text("read", false);
    assertThat(count(text, "ld.const.s8")).isEqualTo(2);
    assertThat(count(text, ".const .align 1 .b8")).isEqualTo(1);
    assertThat(text("read", true)).contains("setp.lo.u32");
  }

  /** An access that a condition guards is not made before it is known to hold. */
  @Test
  void aGuardedReadStaysBehindItsGuard() {
    long[] memory = new long[1];
    List<dev.stretto.compiler.ir.Function> last = new ArrayList<>();
    KernelCompiler.compile(source("guarded", false), TARGET, (_, function) -> last.add(function));
    Interpreter kernel = Interpreter.of(last.getLast());
    for (int at : new int[] {-1, 0, 55, 99, 100, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      DeviceMemory device = new DeviceMemory();
      kernel.run(
          Interpreter.Shape.of(1, 1),
          device,
          device.array(MemorySegment.ofArray(memory), Integer.BYTES),
          at);
      assertThat((int) memory[0]).isEqualTo(at >= 0 && at < 100 ? BYTES[at] : 7);
    }
  }

  @Test
  void theAssemblerTakesEveryType(@TempDir Path folder) throws Exception {
    Optional<Ptxas> assembler = Ptxas.find();
    if (assembler.isEmpty()) {
      return;
    }
    List<String> texts = new ArrayList<>();
    for (boolean checked : new boolean[] {false, true}) {
      for (String name : List.of("known", "read", "guarded", "all", "takes")) {
        String text = text(name, checked);
        assertThat(assembler.get().complaints(text, "sm_80", folder)).isEmpty();
        texts.add(text);
      }
    }
    assertThat(texts).hasSize(10);
  }
}
