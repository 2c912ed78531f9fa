package dev.stretto.compiler.jvm;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.JavaCall;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import dev.stretto.compiler.ir.Vector;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a kernel does with each of its arrays, as far as the code shows: whether it reads and writes
 * it, and whether each thread keeps to elements of its own. A thread does so if all its accesses
 * are at {@code a * i + c}, where {@code i} is its number in a one-dimensional launch, or a number
 * behind that by a multiple of how many threads there are, and the constant {@code c} is less than
 * the constant {@code a}.
 */
final class ArrayUses {
  private final Cells cells;
  private final Table<Block, List<Edge>> predecessors;
  private final IdentityHashMap<BlockParam, Block> homes = new IdentityHashMap<>();
  private final IdentityHashMap<BlockParam, Boolean> owned = new IdentityHashMap<>();
  private final int[] uses;
  private final long[] strides;

  private ArrayUses(Function function, Cells cells) {
    this.cells = cells;
    this.predecessors = function.predecessors();
    this.uses = new int[function.entry().params().size()];
    this.strides = new long[uses.length];
    for (Block block : function.blocks()) {
      block.params().forEach(param -> homes.put(param, block));
    }
  }

  /** The uses of each parameter: bits of {@link SteppedCode}. */
  static int[] of(Function function, Cells cells, MemoryCode memory) {
    ArrayUses all = new ArrayUses(function, cells);
    for (Block block : function.blocks()) {
      for (Op op : block.ops()) {
        all.note(op, memory);
      }
      all.escape(block.end(), memory);
    }
    return all.uses;
  }

  private void note(Op op, MemoryCode memory) {
    switch (op.code()) {
      case LOAD, STORE, LOAD_VECTOR, STORE_VECTOR -> {
        if (op.operand(0).type() == Type.GLOBAL) {
          access(op, memory);
        }
      }
      case CALL -> escape(op, memory);
      default -> {}
    }
  }

  /** A method may do anything with an array that it gets, but for copies to shared memory. */
  private void escape(Op op, MemoryCode memory) {
    int how = SteppedCode.READS | SteppedCode.SHARES;
    if (op.code() != OpCode.CALL || !isRead(op.attribute(JavaCall.class).title())) {
      how |= SteppedCode.WRITES;
    }
    for (Value value : op.operands()) {
      if (value.type() == Type.GLOBAL) {
        use(memory.origin(value), how);
      }
    }
  }

  private static boolean isRead(String method) {
    return method.startsWith("PtxCopies.")
        || method.startsWith("PtxBulkCopies.cpAsyncBulkToShared");
  }

  private void use(int parameter, int how) {
    if (parameter >= 0 && parameter < uses.length) {
      uses[parameter] |= how;
    } else {
      for (int i = 0; i < uses.length; i++) {
        uses[i] |= how;
      }
    }
  }

  private void access(Op op, MemoryCode memory) {
    boolean reads = op.code() == OpCode.LOAD || op.code() == OpCode.LOAD_VECTOR;
    int how = reads ? SteppedCode.READS : SteppedCode.WRITES;
    int parameter = memory.origin(op.operand(0));
    boolean keeps = parameter >= 0 && parameter < uses.length && keepsToOwn(op, parameter);
    use(parameter, keeps ? how : how | SteppedCode.SHARES);
  }

  private boolean keepsToOwn(Op op, int parameter) {
    long bytes =
        op.code() == OpCode.LOAD || op.code() == OpCode.STORE
            ? op.attribute(Element.class).bytes()
            : (long) op.attribute(Vector.class).count()
                * op.attribute(Vector.class).element().bytes();
    Line place = place(op.operand(0));
    if (place == null || place.constant < 0 || place.constant + bytes > place.stride) {
      return false;
    }
    if (strides[parameter] == 0) {
      strides[parameter] = place.stride;
    }
    return strides[parameter] == place.stride;
  }

  /** A number that is a constant multiple of a thread's own number, and a constant. */
  private record Line(long stride, long constant) {}

  /** The bytes of an address behind its array. */
  private @Nullable Line place(Value address) {
    if (!(address instanceof Op op)) {
      return null;
    }
    if (op.code() == OpCode.OFFSET && op.operand(1) instanceof Constant by) {
      Line line = place(op.operand(0));
      return line == null ? null : new Line(line.stride, line.constant + number(by));
    }
    if (op.code() == OpCode.OFFSET && cells.parameter(op.operand(0)) >= 0) {
      return line(op.operand(1));
    }
    if (op.code() == OpCode.ELEMENT && cells.parameter(op.operand(0)) >= 0) {
      Line line = line(op.operand(1));
      return line == null ? null : new Line(line.stride * op.count(), line.constant * op.count());
    }
    return null;
  }

  private @Nullable Line line(Value value) {
    if (isOwn(value)) {
      return new Line(1, 0);
    }
    if (!(value instanceof Op op)) {
      return null;
    }
    return switch (op.code()) {
      case CONVERT -> isWhole(op) ? line(op.operand(0)) : null;
      case ADD -> {
        Value other = op.operand(0) instanceof Constant ? op.operand(1) : op.operand(0);
        Value by = op.operand(0) instanceof Constant ? op.operand(0) : op.operand(1);
        Line line = by instanceof Constant ? line(other) : null;
        yield line == null ? null : new Line(line.stride, line.constant + number((Constant) by));
      }
      case MUL -> {
        Value other = op.operand(0) instanceof Constant ? op.operand(1) : op.operand(0);
        Value by = op.operand(0) instanceof Constant ? op.operand(0) : op.operand(1);
        yield by instanceof Constant factor ? times(line(other), number(factor)) : null;
      }
      case SHL ->
          op.operand(1) instanceof Constant by && number(by) >= 0 && number(by) < 16
              ? times(line(op.operand(0)), 1L << number(by))
              : null;
      default -> null;
    };
  }

  private static @Nullable Line times(@Nullable Line line, long factor) {
    return line == null || factor <= 0
        ? null
        : new Line(line.stride * factor, line.constant * factor);
  }

  private static long number(Constant constant) {
    return ((Number) constant.value()).longValue();
  }

  private static boolean isWhole(Op convert) {
    Type from = convert.operand(0).type();
    return (from == Type.INT || from == Type.LONG)
        && (convert.type() == Type.INT || convert.type() == Type.LONG);
  }

  private static Value unconverted(Value value) {
    Value at = value;
    while (at instanceof Op op && op.code() == OpCode.CONVERT && isWhole(op)) {
      at = op.operand(0);
    }
    return at;
  }

  /** Whether a value is the thread's number, or behind that by a multiple of how many there are. */
  private boolean isOwn(Value converted) {
    Value value = unconverted(converted);
    if (value instanceof BlockParam param) {
      return isOwn(param);
    }
    if (!(value instanceof Op op) || op.code() != OpCode.ADD) {
      return false;
    }
    Value a = unconverted(op.operand(0));
    Value b = unconverted(op.operand(1));
    return (isProduct(a, "blockIndexX") && isPlace(b, "threadIndexX"))
        || (isProduct(b, "blockIndexX") && isPlace(a, "threadIndexX"))
        || (isProduct(a, "gridSizeX") && isOwn(b))
        || (isProduct(b, "gridSizeX") && isOwn(a));
  }

  private boolean isOwn(BlockParam param) {
    Block home = homes.get(param);
    if (home == null || cells.parameter(param) >= 0) {
      return false;
    }
    Boolean known = owned.get(param);
    if (known != null) {
      return known;
    }
    owned.put(param, true); // unless an edge brings something else
    int index = home.params().indexOf(param);
    boolean all = true;
    for (Edge edge : predecessors.get(home)) {
      all &= isOwn(edge.target().arguments().get(index));
    }
    if (!all) {
      owned.replaceAll((_, _) -> false); // what was found meanwhile may have relied on it
    }
    owned.put(param, all);
    return all;
  }

  private static boolean isProduct(Value value, String by) {
    if (!(value instanceof Op op) || op.code() != OpCode.MUL) {
      return false;
    }
    Value a = unconverted(op.operand(0));
    Value b = unconverted(op.operand(1));
    return (isPlace(a, by) && isPlace(b, "blockSizeX"))
        || (isPlace(b, by) && isPlace(a, "blockSizeX"));
  }

  private static boolean isPlace(Value value, String name) {
    return value instanceof Op op && op.code() == OpCode.CALL && name.equals(Cells.place(op));
  }

  @Override
  public String toString() {
    return Arrays.toString(uses);
  }
}
