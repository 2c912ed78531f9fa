package dev.stretto.compiler.jvm;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.JavaCall;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import dev.stretto.compiler.ir.Vector;
import java.lang.classfile.TypeKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a kernel's values. Some values need none: the kernel's parameters, which all threads
 * share, and places such as a thread's index, which can be asked again.
 */
final class Cells {
  private static final Set<String> PLACES =
      Set.of(
          "blockIndexX",
          "blockIndexY",
          "blockIndexZ",
          "threadIndexX",
          "threadIndexY",
          "threadIndexZ",
          "blockSizeX",
          "blockSizeY",
          "blockSizeZ",
          "gridSizeX",
          "gridSizeY",
          "gridSizeZ");

  /** The thread's place in its warp. */
  static final String LANE = "lane";

  /** The place of the thread's warp in its block. */
  static final String WARP = "index";

  private final IdentityHashMap<BlockParam, Integer> parameters = new IdentityHashMap<>();
  private final IdentityHashMap<Value, Cell> cells = new IdentityHashMap<>();
  private final IdentityHashMap<Value, Cell[]> parts = new IdentityHashMap<>();
  private final EnumMap<TypeKind, Integer> slots = new EnumMap<>(TypeKind.class);
  private int count;

  Cells(Function function) {
    for (BlockParam param : function.entry().params()) {
      parameters.put(param, parameters.size());
    }
    for (Block block : function.blocks()) {
      if (block != function.entry()) {
        block.params().forEach(param -> cells.put(param, cell(param.type())));
      }
      for (Op op : block.ops()) {
        if (op.code() == OpCode.CALL && op.type() == Type.TUPLE) {
          JavaCall call = op.attribute(JavaCall.class);
          parts.put(op, call.results().stream().map(this::cell).toArray(Cell[]::new));
        } else if (op.code() == OpCode.LOAD_VECTOR) {
          Vector vector = op.attribute(Vector.class);
          Cell[] all = new Cell[vector.count()];
          for (int i = 0; i < all.length; i++) {
            all[i] = cell(vector.element().type());
          }
          parts.put(op, all);
        } else if (op.type() != Type.VOID && op.code() != OpCode.EXTRACT && !isPlace(op)) {
          cells.put(op, cell(op.type()));
        }
      }
    }
  }

  private Cell cell(Type type) {
    return new Cell(count++, type);
  }

  /** Whether a value is a place that can be asked wherever it is wanted. */
  static boolean isPlace(Value value) {
    if (!(value instanceof Op op)) {
      return false;
    }
    return switch (op.code()) {
      case SHARED_BASE, DYNAMIC_BASE, DYNAMIC_BYTES -> true;
      case CALL -> place(op) != null;
      default -> false;
    };
  }

  /** The method of the thread's block or warp that says the place, or null. */
  static @Nullable String place(Op op) {
    JavaCall call = op.attribute(JavaCall.class);
    String method = call.of("ThreadBlock");
    if (method != null) {
      return PLACES.contains(method) ? method : null;
    }
    String ofWarp = call.of("Warp");
    return LANE.equals(ofWarp) || WARP.equals(ofWarp) ? ofWarp : null;
  }

  /** The number of the kernel's parameter that a value is; -1 if it is none. */
  int parameter(Value value) {
    return value instanceof BlockParam param ? parameters.getOrDefault(param, -1) : -1;
  }

  /** The cell of a value, or null if it has none. */
  @Nullable Cell find(Value value) {
    if (value instanceof Op op && op.code() == OpCode.EXTRACT) {
      return Objects.requireNonNull(parts.get(op.operand(0)), "a tuple")[op.count()];
    }
    return cells.get(value);
  }

  Cell get(Value value) {
    return Objects.requireNonNull(find(value), "a value's cell");
  }

  /** The cells that an operation sets. */
  List<Cell> setBy(Op op) {
    Cell[] all = parts.get(op);
    if (all != null) {
      return List.of(all);
    }
    Cell one = op.code() == OpCode.EXTRACT ? null : cells.get(op);
    return one == null ? List.of() : List.of(one);
  }

  /** The cells of some values. */
  List<Cell> of(List<? extends Value> values) {
    List<Cell> all = new ArrayList<>();
    for (Value value : values) {
      Cell cell = find(value);
      if (cell != null) {
        all.add(cell);
      }
    }
    return all;
  }

  int count() {
    return count;
  }

  /** Gives a cell a place in the frames, if it has none. */
  void keep(Cell cell) {
    if (cell.slot() < 0) {
      cell.slot(slots.merge(cell.kind(), 1, Integer::sum) - 1);
    }
  }

  /** How many places a frame has for a kind of number. */
  int kept(TypeKind kind) {
    return slots.getOrDefault(kind, 0);
  }
}
