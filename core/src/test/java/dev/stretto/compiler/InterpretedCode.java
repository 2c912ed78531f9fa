package dev.stretto.compiler;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.ConstantArray;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Field;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.SharedVariable;
import dev.stretto.compiler.ir.Target;
import dev.stretto.compiler.ir.Trap;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import dev.stretto.compiler.ir.Vector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * A kernel as plain arrays: an instruction is an int that says what to do, followed by the numbers
 * of registers. Registers hold 64 bits as {@link Arithmetic} has them; constants are registers that
 * nothing writes.
 */
final class InterpretedCode {
  // What the first int of an instruction says. Behind it stand: ...
  static final int INTS = 0; // opcode, result, a, b
  static final int LONGS = 1; // opcode, result, a, b
  static final int FLOATS = 2; // opcode, result, a, b, c
  static final int DOUBLES = 3; // opcode, result, a, b, c
  static final int COMPARE = 4; // condition, result, a, b
  static final int COMPARE_FLOATS = 5; // condition, result, a, b
  static final int COMPARE_DOUBLES = 6; // condition, result, a, b
  static final int NOT = 7; // result, a
  static final int SELECT = 8; // result, condition, a, b
  static final int MOVE = 9; // result, a
  static final int IS_NAN = 10; // type, result, a
  static final int CONVERT = 11; // from, to, result, a
  static final int NARROW = 12; // element, result, a
  static final int ZERO_EXTEND = 13; // result, a
  static final int TO_HALF = 14; // element, result, a
  static final int FROM_HALF = 15; // element, result, a
  static final int ELEMENT_ADDRESS = 16; // bytes, whether shared, result, base, index
  static final int LOAD = 18; // whether shared, element, result, address
  static final int STORE = 19; // whether shared, element, address, value
  static final int LOAD_VECTOR = 20; // whether shared, element, count, results, address
  static final int STORE_VECTOR = 21; // whether shared, element, count, address, values...
  static final int ALONE = 22; // call
  static final int TOGETHER = 23; // call
  static final int PRINT = 24; // call
  static final int CHECK = 25; // condition, call
  static final int NEW = 26; // result, fields
  static final int GET_FIELD = 27; // result, object, field
  static final int PUT_FIELD = 28; // object, field, value
  static final int NEW_ARRAY = 29; // result, length
  static final int ARRAY_LENGTH = 30; // result, array
  static final int ARRAY_GET = 31; // result, array, index
  static final int ARRAY_SET = 32; // element, array, index, value
  static final int VIEW = 33; // result, base, length
  static final int JUMP = 34; // where
  static final int BRANCH = 35; // condition, where, where else
  static final int RETURN = 36;
  static final int FAIL = 37; // call
  static final int CONSTANT_GET = 38; // array, result, index

  /**
   * What does not fit into a few ints.
   *
   * @param operands their registers
   * @param types their types
   * @param result the register of the first result
   * @param meaning what an instruction of PTX does; null for anything else
   */
  @SuppressWarnings("ArrayRecordComponent") // calls are not compared
  record Call(
      Op op, int[] operands, Type[] types, int result, InstructionMeanings.Meaning meaning) {}

  private final IdentityHashMap<Value, Integer> registers = new IdentityHashMap<>();
  private final Map<Long, Integer> constants = new HashMap<>();
  private final IdentityHashMap<Block, Integer> places = new IdentityHashMap<>();
  private final Map<Field, Integer> fields = new HashMap<>();
  private final Map<Object, Integer> objects = new HashMap<>();
  private final List<Call> calls = new ArrayList<>();
  private final List<ConstantArray> constantArrays = new ArrayList<>();
  private final List<Runnable> fixes = new ArrayList<>();
  private final List<Op> opsByPlace = new ArrayList<>();
  private int[] opPlaces = new int[64];
  private int[] code = new int[256];
  private long[] initial = new long[64];
  private int size;
  private int registerCount;
  private boolean gathers;
  private boolean awaitsGrids;
  private int sharedBytes;
  private final Map<Integer, Integer> sharedOffsets = new HashMap<>();
  private final List<Type> parameterTypes = new ArrayList<>();

  private InterpretedCode() {}

  static InterpretedCode of(Function function) {
    InterpretedCode result = new InterpretedCode();
    List<Block> blocks = function.blocks();
    for (Block block : blocks) {
      block.params().forEach(param -> result.registers.put(param, result.registerCount++));
    }
    function.entry().params().forEach(param -> result.parameterTypes.add(param.type()));
    blocks.forEach(result::layOut);
    for (int i = 0; i < blocks.size(); i++) {
      result.block(blocks.get(i), i + 1 < blocks.size() ? blocks.get(i + 1) : null);
    }
    result.fixes.forEach(Runnable::run);
    result.code = Arrays.copyOf(result.code, result.size);
    result.initial = Arrays.copyOf(result.initial, result.registerCount);
    return result;
  }

  int[] code() {
    return code;
  }

  /** What the registers hold at first; the kernel's parameters are the first ones. */
  long[] initial() {
    return initial;
  }

  List<Type> parameterTypes() {
    return parameterTypes;
  }

  Call call(int number) {
    return calls.get(number);
  }

  /** Whether threads ever wait for each other. */
  boolean gathers() {
    return gathers;
  }

  /** Whether threads wait themselves for the kernels before this one. */
  boolean awaitsGrids() {
    return awaitsGrids;
  }

  int sharedBytes() {
    return sharedBytes;
  }

  /** {@return whether another kernel does the same, in the same order} */
  boolean isSame(InterpretedCode other) {
    if (!Arrays.equals(code, other.code)
        || !Arrays.equals(initial, other.initial)
        || calls.size() != other.calls.size()) {
      return false;
    }
    for (int i = 0; i < calls.size(); i++) {
      Call a = calls.get(i);
      Call b = other.calls.get(i);
      if (a.op.code() != b.op.code()
          || !Arrays.equals(a.operands, b.operands)
          || !java.util.Objects.equals(a.op.attribute(), b.op.attribute())
          || a.result != b.result) {
        return false;
      }
    }
    return true;
  }

  /** {@return the operation whose instruction is at this place} */
  Op opAt(int place) {
    int found = Arrays.binarySearch(opPlaces, 0, opsByPlace.size(), place);
    return opsByPlace.get(found >= 0 ? found : -found - 2);
  }

  /** Says where shared arrays and fields are: every object has a place for every field. */
  private void layOut(Block block) {
    for (Op op : block.ops()) {
      if (op.attribute() instanceof Field field) {
        fields.putIfAbsent(field, fields.size());
      }
      if (op.code() == OpCode.SHARED_BASE) {
        SharedVariable array = op.attribute(SharedVariable.class);
        sharedOffsets.computeIfAbsent(
            array.number(),
            it -> {
              int at = sharedBytes;
              sharedBytes = Math.toIntExact(at + (array.bytes() + 15 & ~15));
              return at;
            });
      }
    }
  }

  private void emit(int... ints) {
    while (size + ints.length > code.length) {
      code = Arrays.copyOf(code, code.length * 2);
    }
    System.arraycopy(ints, 0, code, size, ints.length);
    size += ints.length;
  }

  private int fresh(long value, int count) {
    int register = registerCount;
    registerCount += count;
    while (registerCount > initial.length) {
      initial = Arrays.copyOf(initial, initial.length * 2);
    }
    initial[register] = value;
    return register;
  }

  /** The elements of the constant array that a reference stands for. */
  long[] constantArray(long reference) {
    for (Map.Entry<Object, Integer> known : objects.entrySet()) {
      if (known.getValue() == -1 - reference && known.getKey() instanceof ConstantArray array) {
        return java.util.stream.IntStream.range(0, array.length())
            .mapToObj(array::get)
            .mapToLong(it -> Arithmetic.of(it.value(), it.type()))
            .toArray();
      }
    }
    throw new DeviceMemory.MemoryFault("no array has the reference " + reference);
  }

  /** An element of a constant array, as a register holds it. */
  long constantAt(int array, long index) {
    Constant value = constantArrays.get(array).get((int) index);
    return Arithmetic.of(value.value(), value.type());
  }

  private int constant(long value) {
    return constants.computeIfAbsent(value, it -> fresh(it, 1));
  }

  private int use(Value value) {
    if (value instanceof Constant constant) {
      return constant(
          constant.type() == Type.REF
              ? -1 - objects.computeIfAbsent(constant.value(), it -> objects.size())
              : Arithmetic.of(constant.value(), constant.type()));
    }
    Integer register = registers.get(value);
    if (register == null) {
      throw new IllegalStateException("a value is used before any block that is run defines it");
    }
    return register;
  }

  private int define(Op op) {
    int count =
        switch (op.code()) {
          case LOAD_VECTOR -> op.attribute(Vector.class).count();
          case ASM -> Math.max(1, op.attribute(Asm.class).results().size());
          default -> 1;
        };
    int register = fresh(0, count);
    registers.put(op, register);
    return register;
  }

  private void block(Block block, Block next) {
    places.put(block, size);
    for (Op op : block.ops()) {
      if (opsByPlace.size() == opPlaces.length) {
        opPlaces = Arrays.copyOf(opPlaces, opPlaces.length * 2);
      }
      opPlaces[opsByPlace.size()] = size;
      opsByPlace.add(op);
      op(op, next);
    }
  }

  private void op(Op op, Block next) {
    int[] in = new int[op.size()];
    Type[] types = new Type[op.size()];
    for (int i = 0; i < in.length; i++) {
      in[i] = use(op.operand(i));
      types[i] = op.operand(i).type();
    }
    int code = op.code().ordinal();
    int out = op.type() == Type.VOID ? -1 : op.code() == OpCode.EXTRACT ? -1 : define(op);
    switch (op.code()) {
      case ADD,
          SUB,
          MUL,
          DIV,
          REM,
          UDIV,
          UREM,
          MULHI,
          UMULHI,
          NEG,
          AND,
          OR,
          XOR,
          SHL,
          SHR,
          USHR,
          ROTL,
          ABS,
          MIN,
          MAX,
          FMA,
          SQRT,
          FLOOR,
          CEIL,
          RINT,
          COPYSIGN,
          POPC,
          CLZ,
          REVERSE ->
          arithmetic(code, types[0], out, in);
      case OFFSET -> emit(types[0] == Type.SHARED ? INTS : LONGS, ADD, out, in[0], in[1]);
      case ELEMENT -> emit(ELEMENT_ADDRESS, op.count(), isShared(types[0]), out, in[0], in[1]);
      case CMP ->
          emit(
              types[0] == Type.FLOAT
                  ? COMPARE_FLOATS
                  : types[0] == Type.DOUBLE ? COMPARE_DOUBLES : COMPARE,
              op.attribute(Cond.class).ordinal(),
              out,
              in[0],
              in[1]);
      case NOT -> emit(NOT, out, in[0]);
      case SELECT -> emit(SELECT, out, in[0], in[1], in[2]);
      case BOOL_TO_INT, BITS -> emit(MOVE, out, in[0]);
      case IS_NAN -> emit(IS_NAN, types[0].ordinal(), out, in[0]);
      case CONVERT -> emit(CONVERT, types[0].ordinal(), op.type().ordinal(), out, in[0]);
      case NARROW -> emit(NARROW, op.attribute(Element.class).ordinal(), out, in[0]);
      case ZERO_EXTEND -> emit(ZERO_EXTEND, out, in[0]);
      case TO_HALF -> emit(TO_HALF, op.attribute(Element.class).ordinal(), out, in[0]);
      case FROM_HALF -> emit(FROM_HALF, op.attribute(Element.class).ordinal(), out, in[0]);
      case LOAD ->
          emit(LOAD, isShared(types[0]), op.attribute(Element.class).ordinal(), out, in[0]);
      case CONSTANT_GET -> {
        constantArrays.add(op.attribute(ConstantArray.class));
        emit(CONSTANT_GET, constantArrays.size() - 1, out, in[0]);
      }
      case STORE ->
          emit(STORE, isShared(types[0]), op.attribute(Element.class).ordinal(), in[0], in[1]);
      case LOAD_VECTOR -> {
        Vector vector = op.attribute(Vector.class);
        emit(
            LOAD_VECTOR,
            isShared(types[0]),
            vector.element().ordinal(),
            vector.count(),
            out,
            in[0]);
      }
      case STORE_VECTOR -> {
        Vector vector = op.attribute(Vector.class);
        emit(STORE_VECTOR, isShared(types[0]), vector.element().ordinal(), vector.count());
        emit(in);
      }
      case ASM -> {
        InstructionMeanings.Meaning meaning = InstructionMeanings.of(op.attribute(Asm.class));
        boolean together = meaning instanceof InstructionMeanings.Together;
        gathers |= together;
        awaitsGrids |= op.attribute(Asm.class).name().endsWith("PtxGrid.awaitGridsBefore");
        emit(together ? TOGETHER : ALONE, call(new Call(op, in, types, out, meaning)));
      }
      case EXTRACT -> registers.put(op, registers.get(op.operand(0)) + op.count());
      case PRINT -> emit(PRINT, call(new Call(op, in, types, out, null)));
      case CHECK -> emit(CHECK, in[0], call(trap(op, in, types, 1)));
      case FAIL -> emit(FAIL, call(trap(op, in, types, 0)));
      case KNOWN, NOTE, REQUIRE, IN_RANGE -> {}
      case SHARED_BASE ->
          registers.put(
              op,
              constant(
                  DeviceMemory.sharedAddress(
                      sharedOffsets.get(op.attribute(SharedVariable.class).number()))));
      case DYNAMIC_BASE -> registers.put(op, constant(DeviceMemory.sharedAddress(sharedBytes)));
      case DYNAMIC_BYTES ->
          emit(ALONE, call(new Call(op, in, types, out, InstructionMeanings.DYNAMIC_BYTES)));
      case VIEW -> emit(VIEW, out, in[0], in[1]);
      case VIEW_BASE -> emit(GET_FIELD, out, in[0], 0);
      case VIEW_LENGTH -> emit(GET_FIELD, out, in[0], 1);
      case VIEW_WIDTH ->
          registers.put(op, constant(((Op) op.operand(0)).attribute(Element.class).bytes()));
      case NEW -> emit(NEW, out, fields.size());
      case GET_FIELD -> emit(GET_FIELD, out, in[0], field(op));
      case PUT_FIELD -> emit(PUT_FIELD, in[0], field(op), in[1]);
      case NEW_ARRAY -> emit(NEW_ARRAY, out, in[0]);
      case ARRAY_LENGTH -> emit(ARRAY_LENGTH, out, in[0]);
      case ARRAY_GET -> emit(ARRAY_GET, out, in[0], in[1]);
      case ARRAY_SET -> emit(ARRAY_SET, element(op), in[0], in[1], in[2]);
      case JUMP -> jump(op.targets().getFirst(), next);
      case BRANCH -> branch(op, in[0]);
      case RETURN -> emit(RETURN);
      default ->
          throw new UnsupportedOperationException("the interpreter does not know " + op.code());
    }
  }

  private static final int ADD = OpCode.ADD.ordinal();

  private void arithmetic(int code, Type type, int out, int[] in) {
    int a = in[0];
    int b = in.length > 1 ? in[1] : a;
    int c = in.length > 2 ? in[2] : a;
    switch (type) {
      case INT -> emit(INTS, code, out, a, b);
      case BOOL, LONG -> emit(LONGS, code, out, a, b);
      case FLOAT -> emit(FLOATS, code, out, a, b, c);
      case DOUBLE -> emit(DOUBLES, code, out, a, b, c);
      default -> throw new IllegalArgumentException(OpCode.values()[code] + " of " + type);
    }
  }

  private static int isShared(Type address) {
    return address == Type.SHARED ? 1 : 0;
  }

  private static int element(Op op) {
    return op.attribute() instanceof Element element ? element.ordinal() : Element.I64.ordinal();
  }

  private int field(Op op) {
    return fields.get(op.attribute(Field.class));
  }

  private int call(Call call) {
    calls.add(call);
    return calls.size() - 1;
  }

  private static Call trap(Op op, int[] in, Type[] types, int from) {
    op.attribute(Trap.class);
    return new Call(
        op,
        Arrays.copyOfRange(in, from, in.length),
        Arrays.copyOfRange(types, from, types.length),
        -1,
        null);
  }

  private void jump(Target target, Block next) {
    moves(target);
    // A block that comes next was not emitted before, so that this is no loop.
    if (target.block() != next) {
      emit(JUMP, 0);
      place(size - 1, target.block());
    }
  }

  private void place(int at, Block block) {
    fixes.add(() -> code[at] = places.get(block));
  }

  private void branch(Op op, int condition) {
    emit(BRANCH, condition, 0, 0);
    int at = size - 2;
    for (int i = 0; i < 2; i++) {
      Target target = op.targets().get(i);
      if (target.arguments().isEmpty()) {
        place(at + i, target.block());
      } else {
        code[at + i] = size;
        jump(target, null);
      }
    }
  }

  /** A move that a jump does. */
  private static final class Move {
    private final int to;
    private int from;

    Move(int to, int from) {
      this.to = to;
      this.from = from;
    }
  }

  /** What a jump brings is moved as if at once. */
  private void moves(Target target) {
    List<Move> moves = new ArrayList<>();
    for (int i = 0; i < target.arguments().size(); i++) {
      int to = registers.get(target.block().params().get(i));
      int from = use(target.arguments().get(i));
      if (to != from) {
        moves.add(new Move(to, from));
      }
    }
    while (!moves.isEmpty()) {
      List<Move> free = moves.stream().filter(move -> isFree(move.to, moves)).toList();
      free.forEach(move -> emit(MOVE, move.to, move.from));
      moves.removeAll(free);
      if (free.isEmpty()) {
        // They go round in a circle: it is opened.
        Move first = moves.getFirst();
        int saved = fresh(0, 1);
        emit(MOVE, saved, first.from);
        first.from = saved;
      }
    }
  }

  private static boolean isFree(int register, List<Move> moves) {
    return moves.stream().noneMatch(move -> move.from == register);
  }
}
