package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Sample;
import dev.stretto.compiler.FuzzedKernel.Mistake;
import dev.stretto.compiler.KernelTree.Kernel;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Target;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Passes that are made wrong on purpose: a comparison that does not see it would prove nothing. */
class PlantedFaultTest {
  private static final int KERNELS = Sample.of(40, 150);

  /** The pass whose result is broken, once, in the way that a seed picks. */
  private static final class Fault implements BiConsumer<String, Function> {
    private final String pass;
    private final SplittableRandom random;
    private boolean planted;
    private OpCode broken;

    Fault(String pass, long seed) {
      this.pass = pass;
      this.random = new SplittableRandom(seed);
    }

    @Override
    public void accept(String after, Function function) {
      if (planted || !after.equals(pass)) {
        return;
      }
      List<Runnable> ways = new ArrayList<>();
      for (Block block : function.blocks()) {
        for (int i = 0; i < block.ops().size(); i++) {
          Op wrong = wrong(block.ops().get(i));
          if (wrong != null) {
            int at = i;
            ways.add(() -> replace(function, block, at, wrong));
          }
        }
      }
      if (!ways.isEmpty()) {
        ways.get(random.nextInt(ways.size())).run();
        planted = true;
      }
    }

    private void replace(Function function, Block block, int at, Op wrong) {
      Op right = block.ops().get(at);
      broken = right.code();
      block.ops().set(at, wrong);
      for (Block other : function.blocks()) {
        for (Op op : other.ops()) {
          for (int i = 0; i < op.size(); i++) {
            if (op.operand(i) == right) {
              op.operand(i, wrong);
            }
          }
          for (Target target : op.targets()) {
            target.arguments().replaceAll(it -> it == right ? wrong : it);
          }
        }
      }
    }

    /** What a careless pass could have made of an operation; null if nothing comes to mind. */
    private static Op wrong(Op op) {
      return switch (op.code()) {
        case SUB, SHL, SHR, USHR, DIV, REM ->
            op.operand(0).type() == op.operand(1).type() && op.operand(0) != op.operand(1)
                ? with(op.code(), op, op.operand(1), op.operand(0))
                : null;
        case ADD -> with(OpCode.SUB, op, op.operand(0), op.operand(1));
        case MUL ->
            op.type() == Type.INT ? with(OpCode.ADD, op, op.operand(0), op.operand(1)) : null;
        case MIN -> with(OpCode.MAX, op, op.operand(0), op.operand(1));
        case AND -> with(OpCode.OR, op, op.operand(0), op.operand(1));
        case SELECT -> with(OpCode.SELECT, op, op.operand(0), op.operand(2), op.operand(1));
        case CMP -> {
          boolean floating = op.operand(0).type().isFloating();
          Cond cond = op.attribute(Cond.class).negated(floating);
          yield new Op(OpCode.CMP, Type.BOOL, op.operands(), cond, op.line());
        }
        case STORE ->
            op.operand(1) instanceof Constant constant && constant.type() == Type.INT
                ? with(OpCode.STORE, op, op.operand(0), Constant.of(constant.asInt() + 1))
                : null;
        case BRANCH ->
            Op.branch(op.operand(0), op.targets().get(1), op.targets().get(0), op.line());
        default -> null;
      };
    }

    private static Op with(OpCode code, Op op, Value... operands) {
      return new Op(code, op.type(), List.of(operands), op.attribute(), op.line());
    }
  }

  private static FuzzedKernel fuzzed(Kernel kernel, long seed) {
    return new FuzzedKernel(kernel, seed, false);
  }

  private static Optional<Mistake> check(
      Kernel kernel, long seed, BiConsumer<String, Function> fault) {
    return fuzzed(kernel, seed).check(fault);
  }

  @Test
  void aFaultIsSeenBehindWhicheverPassItIs() {
    Map<String, List<Long>> changedBy = new TreeMap<>();
    for (long seed = 1; seed < 60; seed++) {
      long number = seed;
      fuzzed(KernelGenerator.generate(seed), seed)
          .check(
              (pass, _) -> {
                List<Long> seeds = changedBy.computeIfAbsent(pass, _ -> new ArrayList<>());
                if (seeds.isEmpty() || seeds.getLast() != number) {
                  seeds.add(number);
                }
              });
    }
    assertThat(changedBy).hasSizeGreaterThan(5);
    changedBy.forEach(
        (pass, seeds) ->
            assertThat(seeds).as(pass).anyMatch(seed -> isSeen(new Fault(pass, seed), seed)));
  }

  private static boolean isSeen(Fault fault, long seed) {
    Optional<Mistake> mistake = check(KernelGenerator.generate(seed), seed, fault);
    return mistake.filter(it -> it.stage().endsWith(" " + fault.pass)).isPresent();
  }

  /** What a kernel computes and nobody reads cannot be seen; there must not be too much of that. */
  @Test
  void mostFaultsAreSeen() {
    int planted = 0;
    int seen = 0;
    Set<OpCode> codes = new HashSet<>();
    for (long seed = 1; seed <= KERNELS; seed++) {
      Fault fault = new Fault("simplify", seed);
      Optional<Mistake> mistake = check(KernelGenerator.generate(seed), seed, fault);
      if (fault.planted) {
        planted++;
        if (mistake.isPresent()) {
          seen++;
          codes.add(fault.broken);
        }
      }
    }
    assertThat(planted).isGreaterThan(KERNELS * 3 / 4);
    assertThat(seen).isGreaterThan(planted / 2);
    assertThat(codes).contains(OpCode.ADD, OpCode.CMP, OpCode.BRANCH);
  }

  @Test
  void aFaultIsShrunkToWhatShowsIt() {
    for (long seed = 1; seed < 100; seed++) {
      long number = seed;
      Kernel kernel = KernelGenerator.generate(seed);
      Optional<Mistake> mistake = check(kernel, seed, swap());
      if (mistake.isPresent()) {
        Kernel small =
            KernelShrinker.shrink(
                kernel,
                it -> check(it, number, swap()).filter(mistake.get()::isLike).isPresent(),
                1_500);
        assertThat(KernelTree.size(small)).isLessThan(30);
        return;
      }
    }
    throw new AssertionError("no kernel subtracts");
  }

  /** Exchanges the operands of every subtraction of ints, behind the first pass. */
  private static BiConsumer<String, Function> swap() {
    boolean[] done = {false};
    return (pass, function) -> {
      if (!done[0] && pass.equals("simplify")) {
        done[0] = true;
        for (Block block : function.blocks()) {
          for (Op op : block.ops()) {
            if (op.code() == OpCode.SUB && op.type() == Type.INT) {
              Value first = op.operand(0);
              op.operand(0, op.operand(1));
              op.operand(1, first);
            }
          }
        }
      }
    };
  }
}
