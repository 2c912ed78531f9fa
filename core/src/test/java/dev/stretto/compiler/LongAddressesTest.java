package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.compiler.ir.Attribute;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Builder;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Target;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import dev.stretto.compiler.ir.Verifier;
import dev.stretto.compiler.pass.CommonAddresses;
import dev.stretto.compiler.pass.Invariants;
import dev.stretto.compiler.pass.Pass;
import dev.stretto.compiler.pass.Strides;
import dev.stretto.compiler.pass.ValueNumbering;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Random sums of products of longs as indices, whose parts wrap: after the passes over addresses
 * the same elements are written. An index is such a sum, less what it comes to, plus a place.
 */
class LongAddressesTest {
  private static final Line LINE = new Line("Made.java", "Made", "Made.kernel", 7, null);
  private static final int KERNELS = 400;
  private static final int FACTORS = 4;
  private static final int INDICES = 10;
  private static final int ROWS = 4;
  private static final int ROUNDS = 5;
  private static final int MIDDLE = 400;
  private static final int[] TIMES = {1, 1, 2, 3, -1};
  private static final long[] ODD = {
    0,
    1,
    -1,
    2,
    3,
    7,
    1 << 20,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    1L << 32,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };

  /** A number as it is computed. */
  private sealed interface Tree {}

  private record Factor(int number) implements Tree {}

  private record Drawn(long value) implements Tree {}

  private record Both(OpCode code, Tree a, Tree b) implements Tree {}

  private record Shifted(Tree a, int places) implements Tree {}

  private record Negative(Tree a) implements Tree {}

  private static Tree tree(SplittableRandom random, int depth) {
    if (depth == 0 || random.nextInt(5) == 0) {
      return random.nextInt(4) == 0 ? number(random) : new Factor(random.nextInt(FACTORS));
    }
    Tree a = tree(random, depth - 1);
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> new Both(OpCode.ADD, a, tree(random, depth - 1));
      case 3 -> new Both(OpCode.SUB, a, tree(random, depth - 1));
      case 4, 5 -> new Both(OpCode.MUL, a, tree(random, depth - 1));
      case 6 -> new Shifted(a, random.nextInt(64));
      default -> new Negative(a);
    };
  }

  private static Drawn number(SplittableRandom random) {
    return new Drawn(
        random.nextBoolean() ? ODD[random.nextInt(ODD.length)] : random.nextInt(-9, 10));
  }

  /** The place of an element of a row: rows are a few elements long, and there are any before. */
  private static Tree place(SplittableRandom random, long row) {
    Tree y = new Both(OpCode.ADD, new Factor(0), new Drawn(row));
    Tree width = new Factor(FACTORS - 1);
    Tree start =
        random.nextBoolean() ? new Both(OpCode.MUL, y, width) : new Both(OpCode.MUL, width, y);
    return new Both(OpCode.ADD, start, new Factor(1));
  }

  private static long result(Tree tree, long[] factors) {
    return switch (tree) {
      case Factor it -> factors[it.number];
      case Drawn it -> it.value;
      case Both it -> {
        long a = result(it.a, factors);
        long b = result(it.b, factors);
        yield it.code == OpCode.ADD ? a + b : it.code == OpCode.SUB ? a - b : a * b;
      }
      case Shifted it -> result(it.a, factors) << it.places;
      case Negative it -> -result(it.a, factors);
    };
  }

  private static Value built(Tree tree, Builder b, List<BlockParam> factors) {
    return switch (tree) {
      case Factor it -> factors.get(it.number);
      case Drawn it -> Constant.of(it.value);
      case Both it -> b.op(it.code, Type.LONG, built(it.a, b, factors), built(it.b, b, factors));
      case Shifted it ->
          b.op(OpCode.SHL, Type.LONG, built(it.a, b, factors), Constant.of(it.places));
      case Negative it -> b.op(OpCode.NEG, Type.LONG, built(it.a, b, factors));
    };
  }

  /** A kernel with some indices in a row, two in each arm of a branch, and two in a loop. */
  private static final class Made {
    private final Block entry = new Block();
    private final BlockParam array = entry.param(Type.GLOBAL);
    private final List<BlockParam> factors = new ArrayList<>();
    private final List<BlockParam> results = new ArrayList<>();
    private final List<Tree> trees = new ArrayList<>();
    private final SplittableRandom random;
    private final Function function = new Function("made", entry);

    Made(SplittableRandom random) {
      this.random = random;
      entry.param(Type.LONG);
      for (int i = 0; i < FACTORS; i++) {
        factors.add(entry.param(Type.LONG));
      }
      for (int i = 0; i < INDICES; i++) {
        results.add(entry.param(Type.LONG));
      }
      Builder b = new Builder(entry, LINE);
      int times = TIMES[random.nextInt(TIMES.length)];
      for (int i = 0; i < ROWS + 2; i++) {
        Tree place = place(random, random.nextInt(-9, 10));
        trees.add(times == 1 ? place : new Both(OpCode.MUL, place, new Drawn(times)));
      }
      for (int i = 0; i < ROWS; i++) {
        row(b, i);
      }
      Tree common = tree(random, 3);
      Block yes = new Block();
      Block no = new Block();
      Block header = new Block();
      b.branch(
          b.cmp(Cond.LT, factors.get(0), factors.get(1)),
          new Target(yes, List.of()),
          new Target(no, List.of()));
      Builder arm = new Builder(yes, LINE);
      row(arm, ROWS);
      store(arm, common, Constant.of(0L));
      arm.jump(header, List.of(Constant.of(0L)));
      Builder other = new Builder(no, LINE);
      row(other, ROWS + 1);
      store(other, common, Constant.of(0L));
      other.jump(header, List.of(Constant.of(0L)));
      BlockParam counter = header.param(Type.LONG);
      loop(header, counter);
    }

    /** Writes an element of a row, which may be the same as another. */
    private void row(Builder b, int number) {
      Value index = built(trees.get(number), b, factors);
      index = b.op(OpCode.SUB, Type.LONG, index, results.getFirst());
      write(b, sum(b, index, Constant.of((long) MIDDLE)), Constant.of(1000L + number));
    }

    private void loop(Block header, BlockParam counter) {
      Block body = new Block();
      Block end = new Block();
      Builder b = new Builder(header, LINE);
      b.branch(
          b.cmp(Cond.LT, counter, Constant.of((long) ROUNDS)),
          new Target(body, List.of()),
          new Target(end, List.of()));
      Builder in = new Builder(body, LINE);
      in.op(OpCode.LOAD, Type.LONG, Element.I64, array); // only loops that read are touched
      store(in, tree(random, 3), counter);
      backwards(in, tree(random, 2), counter);
      in.jump(header, List.of(in.op(OpCode.ADD, Type.LONG, counter, Constant.of(1L))));
      new Builder(end, LINE).end(OpCode.RETURN, null);
    }

    /** Writes into the element of an index: the sums are in any order. */
    private void store(Builder b, Tree tree, Value counter) {
      int number = trees.size();
      trees.add(tree);
      Value place = Constant.of((long) number * ROUNDS);
      Value index =
          random.nextBoolean()
              ? sum(b, sum(b, counter, built(tree, b, factors)), place)
              : sum(b, built(tree, b, factors), sum(b, place, counter));
      index = b.op(OpCode.SUB, Type.LONG, index, results.get(number));
      write(b, index, sum(b, counter, Constant.of(1000L + number)));
    }

    /** Writes what the other loop's index writes, the last element first. */
    private void backwards(Builder b, Tree tree, Value counter) {
      int number = trees.size();
      trees.add(tree);
      Value index = b.op(OpCode.SUB, Type.LONG, built(tree, b, factors), counter);
      index = b.op(OpCode.SUB, Type.LONG, index, results.get(number));
      index = sum(b, index, Constant.of((long) number * ROUNDS + ROUNDS - 1));
      write(b, index, sum(b, counter, Constant.of(1000L + number)));
    }

    private void write(Builder b, Value index, Value stored) {
      Value at = b.op(OpCode.ELEMENT, Type.GLOBAL, new Attribute.Count(8), array, index);
      b.op(OpCode.STORE, Type.VOID, Element.I64, at, stored);
    }

    private static Value sum(Builder b, Value a, Value c) {
      return b.op(OpCode.ADD, Type.LONG, a, c);
    }

    /** The same for each run. */
    private long[] given() {
      SplittableRandom numbers = new SplittableRandom(trees.hashCode());
      long[] given = new long[FACTORS];
      for (int i = 0; i < FACTORS; i++) {
        given[i] = numbers.nextInt(3) == 0 ? ODD[numbers.nextInt(ODD.length)] : numbers.nextLong();
      }
      given[FACTORS - 1] = numbers.nextInt(-4, 5);
      return given;
    }

    private long[] run() {
      long[] given = given();
      long[] data = new long[MIDDLE * 2];
      DeviceMemory memory = new DeviceMemory();
      List<Object> arguments = new ArrayList<>();
      arguments.add(memory.array(MemorySegment.ofArray(data), 8));
      for (long each : given) {
        arguments.add(each);
      }
      for (Tree tree : trees) {
        arguments.add(result(tree, given));
      }
      Interpreter.of(function).run(Interpreter.Shape.of(1, 1), memory, arguments.toArray());
      return data;
    }

    private long[] expected() {
      long[] given = given();
      long[] data = new long[MIDDLE * 2];
      for (int i = 0; i < ROWS; i++) {
        data[element(i, given)] = 1000 + i;
      }
      int arm = given[0] < given[1] ? 0 : 1;
      data[element(ROWS + arm, given)] = 1000 + ROWS + arm;
      data[(ROWS + 2 + arm) * ROUNDS] = 1000 + ROWS + 2 + arm;
      for (int round = 0; round < ROUNDS; round++) {
        int forwards = INDICES - 2;
        data[forwards * ROUNDS + round] = 1000 + forwards + round;
        int backwards = INDICES - 1;
        data[backwards * ROUNDS + ROUNDS - 1 - round] = 1000 + backwards + round;
      }
      return data;
    }

    private int element(int row, long[] given) {
      return MIDDLE + (int) (result(trees.get(row), given) - result(trees.getFirst(), given));
    }

    void isRight(String after, long seed) {
      assertThat(run()).as("kernel %d after %s", seed, after).isEqualTo(expected());
    }
  }

  @Test
  void thePassesOverAddressesKeepThem() {
    Map<String, Integer> changed = new TreeMap<>();
    List<Pass> passes =
        List.of(
            new ValueNumbering(),
            new Strides(),
            new CommonAddresses(),
            new Invariants(),
            new ValueNumbering(),
            new Strides());
    for (long seed = 0; seed < KERNELS; seed++) {
      Made made = new Made(new SplittableRandom(seed));
      made.isRight("nothing", seed);
      for (Pass pass : passes) {
        if (pass.run(made.function)) {
          changed.merge(pass.name(), 1, Integer::sum);
        }
        Verifier.verify(made.function);
        made.isRight(pass.name(), seed);
      }
    }
    assertThat(changed.get("strides")).isGreaterThan(KERNELS / 8);
    assertThat(changed.get("common-addresses")).isGreaterThan(KERNELS / 4);
    assertThat(changed.get("invariants")).isGreaterThan(KERNELS / 2);
  }
}
