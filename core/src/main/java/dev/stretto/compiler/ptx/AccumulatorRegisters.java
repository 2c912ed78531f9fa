package dev.stretto.compiler.ptx;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Target;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds values that must share a register because an instruction reads and writes them in place:
 * its operands, its results, and the values that loops pass on from these.
 *
 * <p>A matrix product of a warp group is still being computed when the next instruction begins.
 * Moving its accumulators before waiting for it is not only slow: the assembler then waits after
 * each product (its note C7514). So every move that can be avoided must be avoided.
 */
final class AccumulatorRegisters {
  /** Positions in the text: for each operation its early results, its operands, its results. */
  private static final int SLOTS = 3;

  private static final int USE = 1;
  private static final int RESULT = 2;

  /** Values that share a register. */
  private static final class Web {
    private @Nullable Web joined;
    private LiveRange range;
    private final Type type;
    private @Nullable String register;

    Web(Type type, LiveRange range) {
      this.type = type;
      this.range = range;
    }

    Web whole() {
      Web whole = this;
      while (whole.joined != null) {
        whole = whole.joined;
      }
      return whole;
    }
  }

  /** An edge that passes a value to a parameter. */
  private record Handing(Value argument, BlockParam param, boolean back) {}

  private final List<Block> blocks;
  private final Table<Op, @Nullable Value[]> results = new Table<>();
  private final List<Op> users = new ArrayList<>();
  private final Table<Op, Integer> positions = new Table<>();
  private final List<Handing> handings = new ArrayList<>();
  private final Table<Value, Web> webs = new Table<>();
  private final List<Value> values = new ArrayList<>();

  AccumulatorRegisters(Function function) {
    this.blocks = function.blocks();
    find();
    if (!users.isEmpty()) {
      collect();
      new Liveness(blocks, results, positions).of(values, this::add);
      join();
    }
  }

  private void add(Value value, LiveRange range) {
    webs.put(value, new Web(value.type(), range));
  }

  private void find() {
    for (Block block : blocks) {
      for (Op op : block.ops()) {
        if (op.code() == OpCode.ASM && !op.attribute(Asm.class).inPlace().isEmpty()) {
          users.add(op);
          positions.put(op, 0);
          results.put(op, new @Nullable Value[op.attribute(Asm.class).results().size()]);
        }
      }
    }
    if (users.isEmpty()) {
      return;
    }
    for (Block block : blocks) {
      for (Op op : block.ops()) {
        if (op.code() == OpCode.EXTRACT
            && op.operand(0) instanceof Op tuple
            && results.has(tuple)) {
          results.get(tuple)[op.count()] = op;
        }
      }
    }
    handings();
  }

  private void handings() {
    Table<Block, Boolean> passed = new Table<>();
    for (Block block : blocks) {
      passed.put(block, true);
      for (Target target : block.targets()) {
        boolean back = passed.has(target.block());
        for (int i = 0; i < target.arguments().size(); i++) {
          Value argument = target.arguments().get(i);
          if (!PtxWriter.isConstant(argument)) {
            handings.add(new Handing(argument, target.block().params().get(i), back));
          }
        }
      }
    }
  }

  /** The values that are read or written in place, and those that they came from or become. */
  private void collect() {
    Table<Value, Boolean> known = new Table<>();
    ArrayDeque<Value> open = new ArrayDeque<>();
    for (Op op : users) {
      for (Asm.InPlace place : op.attribute(Asm.class).inPlace()) {
        offer(op.operand(place.operand()), known, open);
        offer(results.get(op)[place.result()], known, open);
      }
    }
    Table<Value, List<Value>> neighbours = new Table<>();
    for (Handing handing : handings) {
      neighbours.make(handing.argument(), _ -> new ArrayList<>()).add(handing.param());
      neighbours.make(handing.param(), _ -> new ArrayList<>()).add(handing.argument());
    }
    while (!open.isEmpty()) {
      List<Value> next = neighbours.find(open.pop());
      if (next != null) {
        next.forEach(value -> offer(value, known, open));
      }
    }
  }

  private void offer(@Nullable Value value, Table<Value, Boolean> known, ArrayDeque<Value> open) {
    if (value != null && !PtxWriter.isConstant(value) && known.put(value, true)) {
      values.add(value);
      open.push(value);
    }
  }

  private void join() {
    for (Op op : users) {
      for (Asm.InPlace place : op.attribute(Asm.class).inPlace()) {
        Value result = results.get(op)[place.result()];
        if (result != null && !place.isFresh(op)) {
          tie(op, op.operand(place.operand()), result);
        }
      }
    }
    for (boolean back : new boolean[] {true, false}) {
      for (Handing handing : handings) {
        if (handing.back() == back) {
          join(handing.argument(), handing.param());
        }
      }
    }
  }

  private void tie(Op op, Value operand, Value result) {
    if (!PtxWriter.isConstant(operand) && !join(operand, result)) {
      // It is moved there before the instruction reads its other operands.
      Web web = webs.get(result).whole();
      int at = positions.get(op);
      web.range = web.range.and(new LiveRange(at, at + RESULT));
    }
  }

  /** {@return whether both share a register now} */
  private boolean join(Value a, Value b) {
    Web one = webs.find(a);
    Web other = webs.find(b);
    if (one == null || other == null) {
      return false;
    }
    one = one.whole();
    other = other.whole();
    if (one == other) {
      return true;
    }
    if (one.type != other.type || one.range.meets(other.range)) {
      return false;
    }
    other.joined = one;
    one.range = one.range.and(other.range);
    return true;
  }

  /** {@return the value that is an instruction's result, or null if nothing uses it} */
  @Nullable Value result(Op op, int index) {
    @Nullable Value[] all = results.find(op);
    return all == null ? null : all[index];
  }

  /** Assigns registers to them. */
  void name(Registers registers) {
    for (Value value : values) {
      Web web = webs.get(value).whole();
      if (web.register == null) {
        web.register = registers.fresh(web.type);
      }
      registers.name(value, web.register);
    }
  }

  /** Computes live ranges. */
  private static final class Liveness {
    private final List<Block> blocks;
    private final Table<Block, int[]> spans = new Table<>();
    private final Table<Block, List<Block>> before = new Table<>();
    private final Table<Value, Integer> made = new Table<>();
    private final Table<Value, Block> homes = new Table<>();
    private final Table<Value, Table<Block, Integer>> uses = new Table<>();

    Liveness(
        List<Block> blocks, Table<Op, @Nullable Value[]> results, Table<Op, Integer> positions) {
      this.blocks = blocks;
      number(results, positions);
    }

    private void number(Table<Op, @Nullable Value[]> results, Table<Op, Integer> positions) {
      int position = 0;
      for (Block block : blocks) {
        before.make(block, _ -> new ArrayList<>());
        int from = position;
        for (BlockParam param : block.params()) {
          made.put(param, from);
          homes.put(param, block);
        }
        for (Op op : block.ops()) {
          position += SLOTS;
          int at = position;
          made.put(op, isOneInstruction(op) ? position + RESULT : position);
          homes.put(op, block);
          if (positions.has(op)) {
            positions.put(op, position);
          }
          for (Value use : op.uses()) {
            use(use, block, at);
            if ((op.code() == OpCode.MIN || op.code() == OpCode.MAX) && use instanceof Op inner) {
              // A minimum or maximum of a negated operand uses the operand under the negation.
              inner.operands().forEach(it -> use(it, block, at));
            }
          }
        }
        position += SLOTS;
        spans.put(block, new int[] {from, position});
        for (Target target : block.targets()) {
          before.make(target.block(), _ -> new ArrayList<>()).add(block);
        }
      }
      for (Block block : blocks) {
        for (Op op : block.ops()) {
          if (positions.has(op)) {
            early(op, positions.get(op), results.get(op));
          }
        }
      }
    }

    private void use(Value value, Block block, int position) {
      uses.make(value, _ -> new Table<>()).put(block, position + USE + 1);
    }

    /**
     * Whether the result is written after all operands have been read; other operations are several
     * instructions, and may write it earlier.
     */
    private static boolean isOneInstruction(Op op) {
      return switch (op.code()) {
        case ADD, SUB, MUL, FMA, NEG, SELECT -> true;
        default -> false;
      };
    }

    /**
     * Results begin to live at the instruction; results that need a move first begin before it
     * reads its operands.
     */
    private void early(Op op, int at, @Nullable Value[] values) {
      for (Asm.InPlace place : op.attribute(Asm.class).inPlace()) {
        Value value = values[place.result()];
        if (value != null) {
          boolean moved = PtxWriter.isConstant(op.operand(place.operand())) && !place.isFresh(op);
          made.put(value, moved ? at : at + RESULT);
        }
      }
    }

    interface Taker {
      void take(Value value, LiveRange range);
    }

    void of(List<Value> values, Taker taker) {
      for (Value value : values) {
        taker.take(value, of(value));
      }
    }

    private LiveRange of(Value value) {
      Block home = homes.get(value);
      int begin = made.get(value);
      LiveRange range = new LiveRange(begin, begin + 1);
      Table<Block, Integer> last = uses.find(value);
      if (last == null) {
        return range;
      }
      Table<Block, Boolean> liveIn = new Table<>();
      ArrayDeque<Block> open = new ArrayDeque<>();
      for (Block block : blocks) {
        Integer end = last.find(block);
        if (end != null && block == home && end > begin) {
          range = range.and(new LiveRange(begin, end));
        } else if (end != null) {
          range = range.and(new LiveRange(spans.get(block)[0], end));
          if (liveIn.put(block, true)) {
            open.add(block);
          }
        }
      }
      while (!open.isEmpty()) {
        for (Block block : before.get(open.pop())) {
          int[] span = spans.get(block);
          if (block == home) {
            range = range.and(new LiveRange(begin, span[1]));
          } else {
            range = range.and(new LiveRange(span[0], span[1]));
            if (liveIn.put(block, true)) {
              open.add(block);
            }
          }
        }
      }
      return range;
    }
  }
}
