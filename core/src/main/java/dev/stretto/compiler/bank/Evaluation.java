package dev.stretto.compiler.bank;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Fold;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.SharedVariable;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Computes the values of one warp, in one round of each loop. All lanes are in the same round, as
 * they are where they access memory together.
 */
final class Evaluation {
  /** Longer chains of operations are not followed. */
  private static final int DEPTH = 400;

  /** Loops within loops, and loops that are entered in two places, would take too long. */
  private static final int MOST_VALUES = 300_000;

  /** Rounds of a loop are computed one after the other. */
  private static final int ROUNDS = 6;

  /** Each array begins at a multiple of all banks' bytes, and far from the others. */
  private static final int ARRAY_DISTANCE = 1 << 20;

  private final Nest nest;
  private final Sample sample;
  private final WarpPlace place;
  private final Frame outer = new Frame(null, null, new IdentityHashMap<>());
  private int depth;
  private int values;

  Evaluation(Nest nest, Sample sample, WarpPlace place) {
    this.nest = nest;
    this.sample = sample;
    this.place = place;
  }

  /** {@return the value of each lane} */
  Lanes of(Value value) {
    return of(value, outer);
  }

  /**
   * Values that were computed already: those of one round of a loop, and behind them those that the
   * loop does not compute.
   */
  private final class Frame {
    private final @Nullable Frame around;
    private final @Nullable Block header;
    private final IdentityHashMap<Value, Lanes> params;
    private final IdentityHashMap<Value, Lanes> known = new IdentityHashMap<>();

    Frame(@Nullable Frame around, @Nullable Block header, IdentityHashMap<Value, Lanes> params) {
      this.around = around;
      this.header = header;
      this.params = params;
    }

    /** The frame that computes a value. */
    Frame of(Value value) {
      Frame frame = this;
      while (frame.header != null
          && frame.around != null
          && !nest.contains(frame.header, nest.home(value))) {
        frame = frame.around;
      }
      return frame;
    }
  }

  private Lanes of(Value value, Frame frame) {
    if (value instanceof Constant constant) {
      return Lanes.same(constant.value(), Set.of());
    }
    Frame its = frame.of(value);
    Lanes given = its.params.get(value);
    Lanes known = given == null ? its.known.get(value) : given;
    if (known == null) {
      if (depth > DEPTH || ++values > MOST_VALUES) {
        return perLane(value);
      }
      depth++;
      known =
          switch (value) {
            case BlockParam param -> param(param, its);
            case Op op -> op(op, its);
            case Constant _ -> throw new IllegalStateException("a constant has its value");
          };
      depth--;
      its.known.put(value, known);
    }
    return known;
  }

  // --- parameters of blocks

  private Lanes param(BlockParam param, Frame frame) {
    int number = nest.parameter(param);
    if (number >= 0) {
      return assumed(new Unknown(Unknown.Kind.ARGUMENT, number, nest.name(number)), param.type());
    }
    Block block = nest.home(param);
    if (nest.isHeader(block)) {
      IdentityHashMap<Value, Lanes> round = round(block, frame);
      frame.known.putAll(round);
      return Objects.requireNonNull(round.get(param), "a parameter of the loop");
    }
    return merged(param, nest.edges(block), frame);
  }

  /** The parameters of a loop in the round that the sample says. */
  private IdentityHashMap<Value, Lanes> round(Block header, Frame frame) {
    Unknown unknown =
        new Unknown(Unknown.Kind.ROUND, nest.number(header.end()), placeOf(header.end()));
    int rounds = sample.choice(unknown, ROUNDS);
    IdentityHashMap<Value, Lanes> params = next(header, nest.in(header), frame);
    for (int round = 0; round < rounds; round++) {
      params = next(header, nest.back(header), new Frame(frame, header, params));
    }
    IdentityHashMap<Value, Lanes> marked = new IdentityHashMap<>();
    params.forEach((param, lanes) -> marked.put(param, lanes.and(Set.of(unknown))));
    return marked;
  }

  private IdentityHashMap<Value, Lanes> next(Block header, List<Edge> edges, Frame frame) {
    IdentityHashMap<Value, Lanes> params = new IdentityHashMap<>();
    for (BlockParam param : header.params()) {
      params.put(param, merged(param, edges, frame));
    }
    return params;
  }

  /** What arrives by several jumps: the same by all, or what the branch before them decides. */
  private Lanes merged(BlockParam param, List<Edge> edges, Frame frame) {
    Block block = nest.home(param);
    int index = block.params().indexOf(param);
    List<Lanes> all = new ArrayList<>();
    for (Edge edge : edges) {
      all.add(of(edge.target().arguments().get(index), frame));
    }
    if (areSame(all)) {
      return all.getFirst();
    }
    Block above = nest.parent(block);
    boolean entered = !nest.isHeader(block) || edges.equals(nest.in(block));
    if (above == null || above.end().code() != OpCode.BRANCH || !entered) {
      return perLane(param);
    }
    List<Lanes> yes = new ArrayList<>();
    List<Lanes> no = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      int way = nest.way(above.end(), edges.get(i));
      if (way < 0) {
        return perLane(param);
      }
      (way == 0 ? yes : no).add(all.get(i));
    }
    if (yes.isEmpty() || no.isEmpty() || !areSame(yes) || !areSame(no)) {
      return perLane(param);
    }
    return chosen(of(above.end().operand(0), frame), yes.getFirst(), no.getFirst());
  }

  private static boolean areSame(List<Lanes> all) {
    return all.stream().allMatch(one -> one == all.getFirst() || one.hasSameValues(all.getFirst()));
  }

  private static Lanes chosen(Lanes condition, Lanes yes, Lanes no) {
    @Nullable Object[] values = new Object[Banks.LANES];
    for (int lane = 0; lane < values.length; lane++) {
      Object holds = condition.of(lane);
      values[lane] = holds == null ? null : ((Boolean) holds ? yes : no).of(lane);
    }
    return Lanes.each(values, Lanes.union(condition.from(), Lanes.union(yes.from(), no.from())));
  }

  // --- operations

  private Lanes op(Op op, Frame frame) {
    return switch (op.code()) {
      case ASM -> asm(op, op.attribute(Asm.class), frame);
      case SHARED_BASE ->
          Lanes.same(op.attribute(SharedVariable.class).number() * ARRAY_DISTANCE, Set.of());
      case DYNAMIC_BASE -> Lanes.same(-ARRAY_DISTANCE, Set.of());
      case CLUSTER_ADDRESS -> perLane(op);
      default -> computed(op, frame);
    };
  }

  private Lanes computed(Op op, Frame frame) {
    List<Lanes> operands = new ArrayList<>();
    Set<Unknown> from = Set.of();
    boolean same = true;
    for (Value operand : op.operands()) {
      Lanes its = of(operand, frame);
      operands.add(its);
      from = Lanes.union(from, its.from());
      same &= its.isSame();
    }
    if (op.code() == OpCode.SELECT) {
      return chosen(operands.get(0), operands.get(1), operands.get(2));
    }
    if (same) {
      Object value = compute(op, operands, 0);
      return value != null ? Lanes.same(value, from) : undecided(op, from);
    }
    @Nullable Object[] values = new Object[Banks.LANES];
    boolean any = false;
    for (int lane = 0; lane < values.length; lane++) {
      values[lane] = compute(op, operands, lane);
      any |= values[lane] != null;
    }
    return any ? Lanes.each(values, from) : perLane(op, from);
  }

  private static @Nullable Object compute(Op op, List<Lanes> operands, int lane) {
    @Nullable Object[] values = new Object[operands.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = operands.get(i).of(lane);
      if (values[i] == null) {
        return null;
      }
    }
    if (op.code() == OpCode.ELEMENT && values[0] != null && values[1] != null) {
      long at = ((Number) values[0]).longValue() + ((Number) values[1]).longValue() * op.count();
      return op.type() == Type.SHARED ? (Object) (int) at : (Object) at;
    }
    return op.isPure() ? Fold.evaluate(op, values) : null;
  }

  /** A value that is the same for all lanes, since they compute it of the same. */
  private Lanes undecided(Op op, Set<Unknown> from) {
    boolean repeats = op.code().effect() == OpCode.Effect.READS || op.isPure();
    return repeats && op.type() != Type.TUPLE
        ? assumed(new Unknown(Unknown.Kind.VALUE, nest.number(op), placeOf(op)), op.type())
            .and(from)
        : perLane(op, from);
  }

  private Lanes asm(Op op, Asm asm, Frame frame) {
    String name = asm.name().substring(asm.name().lastIndexOf('/') + 1);
    Lanes known = place.of(name);
    if (known != null) {
      return known;
    }
    Set<Unknown> from = Set.of();
    boolean same = true;
    for (Value operand : op.operands()) {
      Lanes its = of(operand, frame);
      from = Lanes.union(from, its.from());
      same &= its.isSame();
    }
    if (op.type() == Type.TUPLE || op.type() == Type.VOID) {
      return perLane(op, from);
    }
    boolean shared = isOfWarp(name) || (asm.pure() && same);
    return shared
        ? assumed(new Unknown(Unknown.Kind.VALUE, nest.number(op), placeOf(op)), op.type())
            .and(from)
        : perLane(op, from);
  }

  /** Whether all lanes of a warp get the same result. */
  private static boolean isOfWarp(String name) {
    return name.startsWith("ThreadBlock.sync") || name.startsWith("Warp.ballot");
  }

  private Lanes assumed(Unknown unknown, Type type) {
    return Lanes.same(sample.value(unknown, type), Set.of(unknown));
  }

  private Lanes perLane(Value value) {
    return perLane(value, Set.of());
  }

  private Lanes perLane(Value value, Set<Unknown> from) {
    if (from.stream().anyMatch(it -> it.kind() == Unknown.Kind.LANES)) {
      return Lanes.unknown(from); // and for no other reason
    }
    Op at = value instanceof Op op ? op : nest.home(value).end();
    Unknown unknown = new Unknown(Unknown.Kind.LANES, 0, placeOf(at));
    return Lanes.unknown(Lanes.union(from, Set.of(unknown)));
  }

  private static String placeOf(Op op) {
    return op.line().outermost().toString();
  }
}
