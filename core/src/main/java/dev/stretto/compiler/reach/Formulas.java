package dev.stretto.compiler.reach;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Dominators;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns the integers of a graph into formulas. Equal formulas are one. */
final class Formulas {
  private static final int DEPTH = 200;

  private final Dominators dominators;
  private final Table<Block, List<Edge>> predecessors;
  private final IdentityHashMap<BlockParam, Block> places = new IdentityHashMap<>();
  private final IdentityHashMap<Value, Integer> known = new IdentityHashMap<>();
  private final Map<Node, Integer> numbers = new HashMap<>();
  private final List<Node> nodes = new ArrayList<>();
  private int unknown;
  private int depth;

  Formulas(Dominators dominators, Table<Block, List<Edge>> predecessors) {
    this.dominators = dominators;
    this.predecessors = predecessors;
    for (Block block : dominators.order()) {
      block.params().forEach(param -> places.put(param, block));
    }
  }

  List<Node> nodes() {
    return nodes;
  }

  /** Says what a parameter of the kernel is. */
  void parameter(BlockParam parameter, Node.Code code, int argument) {
    known.put(parameter, add(code, -1, -1, argument));
  }

  int constant(long number) {
    return add(Node.Code.CONSTANT, -1, -1, number);
  }

  int plus(int a, int b) {
    return add(Node.Code.ADD, a, b, 0);
  }

  int times(int a, long by) {
    return by == 1 ? a : add(Node.Code.MUL, a, constant(by), 0);
  }

  /** {@return the node of a value} */
  int of(Value value) {
    Integer before = known.get(value);
    if (before != null) {
      return before;
    }
    known.put(value, unknown(value)); // for values that depend on themselves
    if (depth < DEPTH) {
      depth++;
      known.put(value, compute(value));
      depth--;
    }
    return known.get(value);
  }

  private int unknown(Value value) {
    return add(
        value.type() == Type.INT ? Node.Code.UNKNOWN_INT : Node.Code.UNKNOWN, -1, -1, unknown++);
  }

  private int add(Node.Code code, int a, int b, long number) {
    return numbers.computeIfAbsent(
        new Node(code, a, b, number),
        node -> {
          nodes.add(node);
          return nodes.size() - 1;
        });
  }

  private int compute(Value value) {
    return switch (value) {
      case Constant constant -> constant(constant.asLong());
      case BlockParam param -> {
        Block place = places.get(param);
        yield place == null ? unknown(param) : param(param, place);
      }
      case Op op -> of(op);
    };
  }

  private int of(Op op) {
    Node.Code code =
        switch (op.code()) {
          case ADD -> Node.Code.ADD;
          case SUB -> Node.Code.SUB;
          case MUL -> Node.Code.MUL;
          case DIV -> Node.Code.DIV;
          case REM -> Node.Code.REM;
          case AND -> Node.Code.AND;
          case OR -> Node.Code.OR;
          case XOR -> Node.Code.XOR;
          case SHL -> Node.Code.SHL;
          case SHR -> Node.Code.SHR;
          case USHR -> Node.Code.USHR;
          case MIN -> Node.Code.MIN;
          case MAX -> Node.Code.MAX;
          default -> null;
        };
    if (code != null) {
      int right = isShift(code) ? amount(op) : of(op.operand(1));
      return wrapped(op.type(), add(code, of(op.operand(0)), right, 0));
    }
    return switch (op.code()) {
      case NEG -> wrapped(op.type(), add(Node.Code.SUB, constant(0), of(op.operand(0)), 0));
      case CONVERT ->
          op.operand(0).type().isFloating() ? unknown(op) : wrapped(op.type(), of(op.operand(0)));
      case BOOL_TO_INT -> either(constant(0), constant(1));
      case SELECT -> either(of(op.operand(1)), of(op.operand(2)));
      case ASM -> special(op, op.attribute(Asm.class).name());
      default -> unknown(op);
    };
  }

  private static boolean isShift(Node.Code code) {
    return code == Node.Code.SHL || code == Node.Code.SHR || code == Node.Code.USHR;
  }

  /** Of a shift's amount, only the lowest bits count. */
  private int amount(Op shift) {
    int bits = shift.type() == Type.INT ? 31 : 63;
    return shift.operand(1) instanceof Constant by
        ? constant(by.asLong() & bits)
        : add(Node.Code.AND, of(shift.operand(1)), constant(bits), 0);
  }

  /** Integers of 32 bits wrap around. */
  private int wrapped(Type type, int node) {
    return type == Type.INT && nodes.get(node).code() != Node.Code.CONSTANT
        ? add(Node.Code.INT, node, -1, 0)
        : node;
  }

  /** Two choices between the same numbers may differ. */
  private int either(int a, int b) {
    return a == b ? a : add(Node.Code.EITHER, a, b, unknown++);
  }

  private int special(Op op, String name) {
    return switch (name.substring(name.lastIndexOf('/') + 1)) {
      case "ThreadBlock.threadIndexX" -> dimension(Node.Code.THREAD_INDEX, 0);
      case "ThreadBlock.threadIndexY" -> dimension(Node.Code.THREAD_INDEX, 1);
      case "ThreadBlock.threadIndexZ" -> dimension(Node.Code.THREAD_INDEX, 2);
      case "ThreadBlock.blockIndexX" -> dimension(Node.Code.BLOCK_INDEX, 0);
      case "ThreadBlock.blockIndexY" -> dimension(Node.Code.BLOCK_INDEX, 1);
      case "ThreadBlock.blockIndexZ" -> dimension(Node.Code.BLOCK_INDEX, 2);
      case "ThreadBlock.blockSizeX" -> dimension(Node.Code.BLOCK_SIZE, 0);
      case "ThreadBlock.blockSizeY" -> dimension(Node.Code.BLOCK_SIZE, 1);
      case "ThreadBlock.blockSizeZ" -> dimension(Node.Code.BLOCK_SIZE, 2);
      case "ThreadBlock.gridSizeX" -> dimension(Node.Code.GRID_SIZE, 0);
      case "ThreadBlock.gridSizeY" -> dimension(Node.Code.GRID_SIZE, 1);
      case "ThreadBlock.gridSizeZ" -> dimension(Node.Code.GRID_SIZE, 2);
      case "Warp.lane" -> add(Node.Code.REM, threadRank(), constant(32), 0);
      case "Warp.index" -> add(Node.Code.DIV, threadRank(), constant(32), 0);
      default -> unknown(op);
    };
  }

  private int dimension(Node.Code code, int dimension) {
    return add(code, -1, -1, dimension);
  }

  private int threadRank() {
    int rank = dimension(Node.Code.THREAD_INDEX, 2);
    for (int dimension = 1; dimension >= 0; dimension--) {
      int rows = add(Node.Code.MUL, rank, dimension(Node.Code.BLOCK_SIZE, dimension), 0);
      rank = plus(rows, dimension(Node.Code.THREAD_INDEX, dimension));
    }
    return rank;
  }

  /** A value that depends on where a thread comes from. */
  private int param(BlockParam param, Block block) {
    int index = block.params().indexOf(param);
    int first = -1;
    int step = -1;
    for (Edge edge : predecessors.get(block)) {
      Value value = edge.target().arguments().get(index);
      if (!dominators.dominates(block, edge.from())) {
        int its = of(value);
        first = first < 0 ? its : either(first, its);
        continue;
      }
      int its = step(value, param);
      if (its < 0 || (step >= 0 && step != its)) {
        return unknown(param);
      }
      step = its;
    }
    return step < 0
        ? first
        : wrapped(param.type(), add(Node.Code.LOOP, first, step, dominators.number(block)));
  }

  /** What a value is more than a parameter; -1 if it is not that plus something. */
  private int step(Value value, BlockParam param) {
    if (value == param) {
      return constant(0);
    }
    if (!(value instanceof Op op)) {
      return -1;
    }
    return switch (op.code()) {
      case CONVERT -> op.operand(0).type().isFloating() ? -1 : step(op.operand(0), param);
      case ADD -> {
        int left = step(op.operand(0), param);
        if (left >= 0) {
          yield sum(left, of(op.operand(1)));
        }
        int right = step(op.operand(1), param);
        yield right < 0 ? -1 : sum(right, of(op.operand(0)));
      }
      case SUB -> {
        int left = step(op.operand(0), param);
        yield left < 0 ? -1 : add(Node.Code.SUB, left, of(op.operand(1)), 0);
      }
      default -> -1;
    };
  }

  private int sum(int a, int b) {
    return isZero(a) ? b : plus(a, b);
  }

  private boolean isZero(int node) {
    return nodes.get(node).equals(Node.constant(0));
  }

  /** {@return whether a value is an integer, so that it may have a formula} */
  static boolean isInteger(@Nullable Value value) {
    return value != null && (value.type() == Type.INT || value.type() == Type.LONG);
  }
}
