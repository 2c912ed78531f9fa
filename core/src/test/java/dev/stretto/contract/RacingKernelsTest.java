package dev.stretto.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.TensorMap;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pairs of kernels that differ in what orders two accesses. The first run of the wrong one is
 * refused, with the rule and both lines; the right one runs. So it is in checked order and under a
 * seed, compiled and as the method that it is.
 */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class RacingKernelsTest {
  private static final String ORDER = "dev.stretto.order";
  private static final String KERNELS = "dev.stretto.kernels";
  private static final int LENGTH = 512;
  private static final List<String> DEVICES =
      List.of("virtual", "virtual:h200,seed=1", "virtual:h200,seed=2");

  private static final List<Class<?>> OWNERS =
      List.of(
          RacesInSharedMemory.class,
          RacesInGlobalMemory.class,
          RacesInClusters.class,
          RacesOfReductions.class,
          RacesOfArrivals.class,
          RacesWithCopies.class,
          RacesOfStages.class,
          RacesOfProducts.class,
          RacesOfTensors.class);

  /** A kernel of one of the classes. */
  interface Racing extends KernelMethod.Of2<GlobalInts, GlobalInts> {}

  /** The same with a map of the second array. */
  interface RacingTensor extends KernelMethod.Of3<TensorMap, GlobalInts, GlobalInts> {}

  /** The wrong kernel, and the right one. */
  record Pair(Method bad, Method good, Grid grid) {
    @Override
    public String toString() {
      return good.getName().substring(0, good.getName().length() - "Good".length());
    }
  }

  /** A wrong kernel's name ends with Bad, and the right one's with Good. */
  private static List<Pair> pairs() {
    List<Pair> pairs = new ArrayList<>();
    for (Class<?> owner : OWNERS) {
      for (Method bad : owner.getDeclaredMethods()) {
        if (bad.isAnnotationPresent(Breaks.class)) {
          String name = bad.getName().replaceFirst("Bad$", "Good");
          pairs.add(new Pair(bad, method(owner, name), grid(bad.getAnnotation(Launched.class))));
        }
      }
    }
    pairs.sort(Comparator.comparing(Pair::toString));
    return pairs;
  }

  static Grid grid(@Nullable Launched how) {
    if (how == null) {
      return Grid.of(1, 64);
    }
    Grid grid =
        Grid.of(how.blocks(), how.threads())
            .withCluster(how.cluster(), 1, 1)
            .withSharedBytes(how.sharedBytes());
    return how.cooperative() ? grid.cooperative() : grid;
  }

  /** A reference to a kernel, as the compiler of Java makes it. */
  private static <K extends KernelMethod> K reference(Method kernel, Class<K> type) {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    try {
      MethodHandle handle = lookup.unreflect(kernel);
      MethodType erased = handle.type();
      for (int i = 1; i < erased.parameterCount(); i++) {
        erased = erased.changeParameterType(i, Object.class);
      }
      return type.cast(
          LambdaMetafactory.altMetafactory(
                  lookup,
                  "run",
                  MethodType.methodType(type),
                  erased,
                  handle,
                  handle.type(),
                  LambdaMetafactory.FLAG_SERIALIZABLE)
              .getTarget()
              .invoke());
    } catch (Throwable e) {
      throw new AssertionError(kernel.toString(), e);
    }
  }

  /** Copies the same elements in each block, round after round, in two halves. */
  @Kernel
  static void copiesOfAll(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(LENGTH);
    int rank = block.threadRank();
    int sum = 0;
    for (int round = 0; round < 8; round++) {
      block.memcpyAsync(tile, 0, in, 0, LENGTH / 2, 16);
      block.memcpyAsync(tile, LENGTH / 2, in, LENGTH / 2, LENGTH / 2, 16);
      block.waitAll();
      sum += tile.get(rank) + tile.get(rank + LENGTH / 2);
      block.sync();
    }
    out.set(block.blockIndexX() * block.size() + rank, sum);
  }

  /** Blocks run side by side, and each looks at the copies of others. */
  @Test
  void blocksThatCopyTheSameElementsAreRight() {
    try (Device device = Device.open("virtual:h200,order=checked");
        Stream stream = device.stream();
        GlobalInts in = device.allocateInts(LENGTH);
        GlobalInts out = device.allocateInts(64 * LENGTH / 2)) {
      stream.fill(in, 3);
      int[] sums = new int[64 * LENGTH / 2];
      for (int i = 0; i < 20; i++) {
        stream.launch(Grid.of(64, LENGTH / 2), RacingKernelsTest::copiesOfAll, in, out);
      }
      stream.copy(out, sums).await();
      assertThat(sums).containsOnly(8 * 6);
    }
  }

  @Test
  void thereAreManyPairs() {
    assertThat(pairs()).hasSizeGreaterThanOrEqualTo(120);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void theWrongOneIsToldWithBothLines(Pair pair) {
    Breaks breaks = Objects.requireNonNull(pair.bad.getAnnotation(Breaks.class));
    List<String> rules = Arrays.stream(breaks.value()).map(rule -> rule.title() + ": ").toList();
    List<String> lines = wrongLines(pair.bad);
    assertThat(lines).isNotEmpty();
    for (String way : ways(pair)) {
      for (String device : DEVICES) {
        String report = String.valueOf(catchThrowable(() -> run(device, way, pair.grid, pair.bad)));
        assertThat(rules).as("%s on %s: %s", way, device, report).anyMatch(report::contains);
        assertThat(lines).as("%s on %s: %s", way, device, report).allMatch(report::contains);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void theRightOneIsNotTold(Pair pair) {
    for (String way : ways(pair)) {
      for (String device : DEVICES) {
        assertThat(catchThrowable(() -> run(device, way, pair.grid, pair.good)))
            .as("%s on %s", way, device)
            .isNull();
      }
    }
  }

  private static List<String> ways(Pair pair) {
    Launched how = pair.bad.getAnnotation(Launched.class);
    return how != null && how.compiled() ? List.of("compiled") : List.of("compiled", "java");
  }

  private static Method method(Class<?> owner, String name) {
    return Arrays.stream(owner.getDeclaredMethods())
        .filter(method -> method.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** The lines of a kernel that end with the comment. */
  private static List<String> wrongLines(Method method) {
    String file = method.getDeclaringClass().getSimpleName() + ".java";
    List<String> source;
    try (InputStream in = RacingKernelsTest.class.getResourceAsStream(file)) {
      source = new String(Objects.requireNonNull(in).readAllBytes(), UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int at = 0;
    while (!source.get(at).contains(" " + method.getName() + "(")) {
      at++;
    }
    List<String> lines = new ArrayList<>();
    for (; !source.get(at).equals("  }"); at++) {
      if (source.get(at).endsWith("// wrong")) {
        lines.add(file + ":" + (at + 1));
      }
    }
    return lines;
  }

  static void run(String name, String way, Grid grid, Method kernel) {
    System.setProperty(ORDER, "checked");
    System.setProperty(KERNELS, way);
    try (Device device = Device.open(name);
        Stream stream = device.stream();
        GlobalInts in = device.allocateInts(LENGTH);
        GlobalInts out = device.allocateInts(LENGTH)) {
      stream.copy(new SplittableRandom(5).ints(LENGTH, 0, 1 << 20).toArray(), in);
      stream.fill(out, 0);
      if (kernel.getParameterCount() == 3) {
        stream.launch(grid, reference(kernel, Racing.class), in, out);
      } else {
        TensorMap map = TensorMap.of(out).shape(16, 16).box(16, 4).build();
        stream.launch(grid, reference(kernel, RacingTensor.class), map, in, out);
      }
      stream.await();
    } finally {
      System.clearProperty(ORDER);
      System.clearProperty(KERNELS);
    }
  }
}
