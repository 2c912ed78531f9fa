package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Floats are rounded as floats, with Java's results. */
class FloatRoundsTest {
  private static final int RESULTS = 7;

  @Kernel
  static void rounds(ThreadBlock block, GlobalFloats in, GlobalInts out) {
    int i = block.threadIndexX();
    float x = in.get(i);
    all(x, out, RESULTS * i);
  }

  private static void all(float x, GlobalInts out, int at) {
    out.set(at, (int) Math.floor(x));
    out.set(at + 1, (int) Math.ceil(x));
    out.set(at + 2, (int) Math.rint(x));
    out.set(at + 3, (int) (long) Math.floor(x));
    out.set(at + 4, Float.floatToIntBits((float) Math.floor(x)));
    out.set(at + 5, (int) (double) x);
    out.set(at + 6, (int) Math.floor(x * 3.0));
  }

  private static int[] expected(float x) {
    return new int[] {
      (int) Math.floor(x),
      (int) Math.ceil(x),
      (int) Math.rint(x),
      (int) (long) Math.floor(x),
      Float.floatToIntBits((float) Math.floor(x)),
      (int) (double) x,
      (int) Math.floor(x * 3.0),
    };
  }

  private static float[] numbers() {
    float[] special = {
      0,
      -0f,
      0.5f,
      -0.5f,
      1.5f,
      2.5f,
      -1.5f,
      Float.NaN,
      Float.POSITIVE_INFINITY,
      Float.NEGATIVE_INFINITY,
      Float.MIN_VALUE,
      -Float.MIN_VALUE,
      0x1p31f,
      -0x1p31f,
      0x1.fffffep30f,
      0x1p63f,
      -0x1p63f,
      0x1p23f,
      0x1.000002p22f,
      Float.MAX_VALUE
    };
    float[] numbers = Arrays.copyOf(special, 256);
    Random random = new Random(1);
    for (int i = special.length; i < numbers.length; i++) {
      numbers[i] =
          i % 2 == 0 ? Float.intBitsToFloat(random.nextInt()) : (random.nextFloat() - 0.5f) * 100;
    }
    return numbers;
  }

  @Test
  void aRoundedFloatIsWhatJavaSaysAndOnlyDoublesGoThroughDoubles() {
    float[] in = numbers();
    int[] all = new int[RESULTS * in.length];
    for (int i = 0; i < in.length; i++) {
      System.arraycopy(expected(in[i]), 0, all, RESULTS * i, RESULTS);
    }
    Map<String, Interpreter> stages = new LinkedHashMap<>();
    CompiledKernel kernel =
        KernelCompiler.compile(
            new KernelSource(
                FloatRoundsTest.class.getClassLoader(),
                FloatRoundsTest.class.getName().replace('.', '/'),
                "rounds",
                MethodType.methodType(
                        void.class, ThreadBlock.class, GlobalFloats.class, GlobalInts.class)
                    .toMethodDescriptorString(),
                Map.of(),
                false),
            KernelTarget.of(9, 0),
            (pass, function) -> stages.put(stages.size() + " " + pass, Interpreter.of(function)));
    stages.forEach(
        (stage, interpreter) -> {
          int[] out = new int[all.length];
          DeviceMemory memory = new DeviceMemory();
          interpreter.run(
              new Interpreter.Shape(new int[] {1, 1, 1}, new int[] {in.length, 1, 1}, 0),
              memory,
              memory.array(MemorySegment.ofArray(in), Float.BYTES),
              memory.array(MemorySegment.ofArray(out), Integer.BYTES));
          assertThat(out).as("after %s", stage).isEqualTo(all);
        });
    String text = kernel.ptx().text();
    assertThat(text).contains("cvt.rmi.s32.f32", "cvt.rpi.s32.f32", "cvt.rni.s32.f32");
    // Of the product of doubles alone.
    assertThat(text.split("cvt.f64.f32", -1)).hasSize(2);
  }
}
