package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.compiler.reach.AccessKind;
import dev.stretto.compiler.reach.Reach;
import dev.stretto.compiler.reach.Reached;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.Float4;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.TensorMap;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a kernel is said to access, beside what the interpreter sees it access. */
class ReachTest {
  private static final KernelTarget TARGET = new KernelTarget(90);

  /** Kernels whose bytes follow from the launch. */
  static final class Exact {
    private Exact() {}

    static void saxpy(ThreadBlock block, float a, GlobalFloats x, GlobalFloats y, int n) {
      long i = block.globalIndexX();
      if (i < n) {
        y.set(i, a * x.get(i) + y.get(i));
      }
    }

    static void part(ThreadBlock block, GlobalFloats x, GlobalFloats y, int from, int to) {
      int i = from + (int) block.globalIndexX();
      if (i >= to) {
        return;
      }
      y.set(i, x.get(i) + 1);
    }

    static void strided(ThreadBlock block, GlobalFloats x, GlobalFloats y, int from, int to) {
      int all = block.gridSizeX() * block.blockSizeX();
      for (int i = from + (int) block.globalIndexX(); i < to; i += all) {
        y.set(i, x.get(i));
      }
    }

    static void everyThird(ThreadBlock block, GlobalFloats x, int first, int count) {
      int i = (int) block.globalIndexX();
      if (i < count) {
        x.set(first + 3 * i, 1);
      }
    }

    static void backwards(ThreadBlock block, GlobalFloats x, GlobalFloats y, int n) {
      int i = (int) block.globalIndexX();
      if (i < n) {
        y.set(n - 1 - i, x.get(i));
      }
    }

    static void tile(
        ThreadBlock block, GlobalFloats x, int pitch, int left, int top, int width, int height) {
      int column = (int) block.globalIndexX();
      int row = (int) block.globalIndexY();
      if (column < width && row < height) {
        x.set((long) (top + row) * pitch + left + column, 1);
      }
    }

    static void rowPerWarp(ThreadBlock block, GlobalFloats x, GlobalFloats sums, int columns) {
      int row = block.blockIndexX() * (block.blockSizeX() / 32) + block.warp().index();
      float sum = 0;
      for (int i = block.warp().lane(); i < columns; i += 32) {
        sum += x.get((long) row * columns + i);
      }
      if (block.warp().lane() == 0) {
        sums.set(row, sum);
      }
    }

    static void rowAndColumn(ThreadBlock block, GlobalFloats x, int columns, int pitch, int n) {
      int i = (int) block.globalIndexX();
      if (i < n) {
        x.set(i / columns * pitch + i % columns, i);
      }
    }

    static void byMode(ThreadBlock block, GlobalFloats x, GlobalFloats y, int mode) {
      int i = (int) block.globalIndexX();
      if (mode == 0) {
        x.set(i, 1);
      } else {
        y.set(i, x.get(i));
      }
    }

    static void neighbours(ThreadBlock block, GlobalFloats x, GlobalFloats y, int n) {
      int i = (int) block.globalIndexX();
      if (i > 0 && i < n - 1) {
        y.set(i, x.get(i - 1) + x.get(i + 1));
      }
    }

    static void fours(ThreadBlock block, GlobalFloats x, GlobalFloats y, int n) {
      int i = (int) block.globalIndexX();
      if (4 * i < n) {
        Float4 four = x.get4(4L * i);
        y.set4(4L * i, four);
      }
    }

    static void onlyOne(ThreadBlock block, GlobalFloats x) {
      if (block.globalIndexX() == 5) {
        x.set(block.globalIndexX(), 1);
      }
    }

    static void inChunks(ThreadBlock block, GlobalFloats x, int chunk, int n) {
      int from = block.blockIndexX() * chunk;
      for (int i = block.threadIndexX(); i < chunk; i += block.blockSizeX()) {
        if (from + i < n) {
          x.set(from + i, 1);
        }
      }
    }

    static void last(ThreadBlock block, GlobalFloats x, GlobalFloats y) {
      int i = (int) block.globalIndexX();
      if (i < x.length() - 3) {
        y.set(i, x.get(i + 3));
      }
    }
  }

  /** Kernels whose bytes depend on what is in memory. */
  static final class Loose {
    private Loose() {}

    static void histogram(ThreadBlock block, GlobalInts x, GlobalInts counts, int n) {
      int i = (int) block.globalIndexX();
      if (i < n) {
        Atomics.add(counts, x.get(i) & 15, 1);
      }
    }

    static void gather(ThreadBlock block, GlobalInts at, GlobalFloats x, GlobalFloats y) {
      int i = (int) block.globalIndexX();
      y.set(i, x.get(at.get(i)));
    }

    static void oneOfTwo(ThreadBlock block, GlobalFloats x, GlobalFloats y, GlobalInts which) {
      GlobalFloats one = which.get(0) > 0 ? x : y;
      one.set(block.globalIndexX(), 1);
    }

    static void halves(ThreadBlock block, GlobalFloats x, int n) {
      for (int i = n / 2; i > 0; i /= 2) {
        x.set(i, 1);
      }
    }
  }

  /** Kernels that copy. */
  static final class Copying {
    private Copying() {}

    static void waits(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
      SharedFloats tile = block.sharedFloats(256);
      block.memcpyAsync(tile, 0, in, block.blockIndexX() * 256L, 256);
      block.waitAll();
      out.set(block.globalIndexX(), tile.get(block.threadIndexX()));
    }

    static void tensor(ThreadBlock block, TensorMap in, GlobalFloats out) {
      SharedFloats tile = block.sharedFloats(256);
      dev.stretto.kernel.PtxTensorCopies.prefetchTensormap(in);
      out.set(block.globalIndexX(), tile.get(0));
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // not compared
  record Launched(String kernel, Interpreter.Shape shape, int length, Object... numbers) {
    @Override
    public String toString() {
      return kernel + Arrays.toString(numbers) + " by " + shape.blocks() + " x " + shape.threads();
    }
  }

  static Stream<Launched> exact() {
    Interpreter.Shape square = new Interpreter.Shape(new int[] {2, 3, 1}, new int[] {8, 4, 1}, 0);
    return Stream.of(
        new Launched("saxpy", Interpreter.Shape.of(4, 32), 128, 2f, 100),
        new Launched("saxpy", Interpreter.Shape.of(4, 32), 128, 2f, 128),
        new Launched("saxpy", Interpreter.Shape.of(1, 32), 128, 2f, 0),
        new Launched("part", Interpreter.Shape.of(4, 32), 200, 40, 97),
        new Launched("strided", Interpreter.Shape.of(2, 32), 300, 17, 259),
        new Launched("strided", Interpreter.Shape.of(8, 32), 300, 17, 27),
        new Launched("everyThird", Interpreter.Shape.of(2, 32), 200, 1, 50),
        new Launched("backwards", Interpreter.Shape.of(2, 32), 64, 50),
        new Launched("tile", square, 600, 30, 4, 2, 13, 9),
        new Launched("tile", square, 600, 30, 4, 2, 16, 12),
        new Launched("rowPerWarp", Interpreter.Shape.of(3, 64), 300, 50),
        new Launched("rowAndColumn", Interpreter.Shape.of(2, 32), 300, 8, 20, 64),
        new Launched("byMode", Interpreter.Shape.of(2, 32), 64, 0),
        new Launched("byMode", Interpreter.Shape.of(2, 32), 64, 1),
        new Launched("neighbours", Interpreter.Shape.of(2, 32), 64, 60),
        new Launched("fours", Interpreter.Shape.of(2, 32), 128, 120),
        new Launched("onlyOne", Interpreter.Shape.of(2, 32), 64),
        new Launched("inChunks", Interpreter.Shape.of(3, 32), 300, 80, 230),
        new Launched("last", Interpreter.Shape.of(3, 32), 80));
  }

  @ParameterizedTest
  @MethodSource("exact")
  void theBytesOfALaunchAreExactWhereTheyFollowFromIt(Launched launched) {
    Seen seen = new Seen(Exact.class, launched);
    for (int i = 0; i < seen.arguments.length; i++) {
      if (seen.arguments[i] instanceof DeviceMemory.Array array) {
        int bytes = (int) array.length() * 4;
        assertThat(seen.said(i, bytes, AccessKind.READ)).isEqualTo(seen.read(i));
        assertThat(seen.said(i, bytes, AccessKind.WRITE)).isEqualTo(seen.written(i));
      }
    }
  }

  @Test
  void anIndexFromMemoryMayBeAnyByteButItsGuardsHold() {
    assertThat(new Seen(Loose.class, "histogram", 64, 60).reached)
        .containsExactlyInAnyOrder(
            rows(0, AccessKind.READ, 0, 240), rows(1, AccessKind.ATOMIC, 0, 64));
    assertThat(new Seen(Loose.class, "gather", 64).reached)
        .contains(
            rows(0, AccessKind.READ, 0, 256),
            rows(1, AccessKind.READ, 0, 4L << 31),
            rows(2, AccessKind.WRITE, 0, 256));
    assertThat(new Seen(Loose.class, "oneOfTwo", 64).reached)
        .contains(
            rows(0, AccessKind.WRITE, 0, Long.MAX_VALUE),
            rows(1, AccessKind.WRITE, 0, Long.MAX_VALUE));
    assertThat(new Seen(Loose.class, "halves", 64, 64).reached)
        .containsExactly(rows(0, AccessKind.WRITE, 4, (4L << 31) - 4));
  }

  @Test
  void copiesReadWhatTheyCopy() {
    Reach reach = compile(Copying.class, "waits").reach();
    DeviceMemory memory = new DeviceMemory();
    Object[] arrays = {
      memory.array(MemorySegment.ofArray(new byte[4096]), 4),
      memory.array(MemorySegment.ofArray(new byte[4096]), 4)
    };
    List<Reached> all = reach.at(new LaunchedNumbers(arrays, Interpreter.Shape.of(2, 256)));
    assertThat(all)
        .containsExactlyInAnyOrder(
            rows(0, AccessKind.READ, 0, 2048), rows(1, AccessKind.WRITE, 0, 2048));
  }

  @Test
  void aPrefetchIsNoAccess() {
    Reach reach = compile(Copying.class, "tensor").reach();
    assertThat(reach.does(0, AccessKind.READ)).isFalse();
    assertThat(reach.does(1, AccessKind.WRITE)).isTrue();
  }

  @Test
  void whatIsWrittenIsReadAgain() throws Exception {
    for (Method method : Exact.class.getDeclaredMethods()) {
      Reach reach = compile(Exact.class, method.getName()).reach();
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      reach.write(new DataOutputStream(bytes));
      assertThat(Reach.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()))))
          .isEqualTo(reach);
    }
  }

  private static Reached rows(int argument, AccessKind kind, long offset, long width) {
    return new Reached(argument, kind, offset, width, width, 1, 0, 1);
  }

  private static CompiledKernel compile(Class<?> owner, String name) {
    return KernelCompiler.compile(source(owner, name), TARGET);
  }

  private static Method method(Class<?> owner, String name) {
    return Arrays.stream(owner.getDeclaredMethods())
        .filter(it -> it.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static KernelSource source(Class<?> owner, String name) {
    return new KernelSource(
        owner.getClassLoader(),
        owner.getName().replace('.', '/'),
        name,
        java.lang.invoke.MethodType.methodType(void.class, method(owner, name).getParameterTypes())
            .toMethodDescriptorString(),
        Map.of(),
        false);
  }

  /** What is said of a launch, and what is seen. */
  private static final class Seen {
    final Object[] arguments;
    final List<Reached> reached;
    private final DeviceMemory memory = new DeviceMemory();

    Seen(Class<?> owner, String kernel, int length, Object... numbers) {
      this(owner, new Launched(kernel, Interpreter.Shape.of(2, 32), length, numbers));
    }

    Seen(Class<?> owner, Launched launched) {
      Class<?>[] types = method(owner, launched.kernel).getParameterTypes();
      arguments = new Object[types.length - 1];
      int number = 0;
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] =
            types[i + 1].isPrimitive()
                ? launched.numbers[number++]
                : memory.array(MemorySegment.ofArray(new byte[4 * launched.length]), 4);
      }
      Interpreter[] last = new Interpreter[1];
      CompiledKernel compiled =
          KernelCompiler.compile(
              source(owner, launched.kernel),
              TARGET,
              (_, function) -> last[0] = Interpreter.of(function));
      memory.forgetAccesses();
      if (owner == Exact.class) {
        last[0].run(launched.shape, memory, arguments);
      }
      reached = compiled.reach().at(new LaunchedNumbers(arguments, launched.shape));
    }

    private int place(int argument) {
      return (int)
          Arrays.stream(arguments, 0, argument)
              .filter(DeviceMemory.Array.class::isInstance)
              .count();
    }

    BitSet read(int argument) {
      return memory.read(place(argument));
    }

    BitSet written(int argument) {
      return memory.written(place(argument));
    }

    BitSet said(int argument, int bytes, AccessKind kind) {
      BitSet left = new BitSet();
      left.set(0, bytes);
      BitSet all = (BitSet) left.clone();
      reached.stream()
          .filter(it -> it.argument() == argument && it.kind() == kind)
          .forEach(it -> LaunchedNumbers.clear(left, it));
      all.andNot(left);
      return all;
    }
  }
}
