package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Attribute;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Builder;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Field;
import dev.stretto.compiler.ir.Fold;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.NewObject;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.SharedVariable;
import dev.stretto.compiler.ir.Target;
import dev.stretto.compiler.ir.Trap;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import dev.stretto.compiler.ir.Vector;
import dev.stretto.compiler.ir.Verifier;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The interpreter that compiled kernels are judged by, judged by hand. */
class InterpreterTest {
  private static final Line LINE = new Line("Made.java", "Made", "Made.kernel", 7, null);

  private final Block entry = new Block();
  private final Builder b = new Builder(entry, LINE);
  private final DeviceMemory memory = new DeviceMemory();
  private Interpreter interpreter;

  private void run(Interpreter.Shape shape, Object... arguments) {
    Function function = new Function("made", entry);
    Verifier.verify(function);
    interpreter = Interpreter.of(function);
    interpreter.run(shape, memory, arguments);
  }

  private Value asm(String name, Type result, Value... operands) {
    boolean convergent = name.startsWith("Warp.") || name.contains("sync");
    List<Type> results = result == Type.VOID ? List.of() : List.of(result);
    String owner =
        name.startsWith("InterpreterTest") ? "dev/stretto/compiler/" : "dev/stretto/kernel/";
    Asm asm = new Asm(owner + name, List.of(), results, false, convergent, 80, "");
    return b.op(OpCode.ASM, result, asm, operands);
  }

  private Value rank() {
    return asm("ThreadBlock.threadIndexX", Type.INT);
  }

  private DeviceMemory.Array array(int[] data) {
    return memory.array(MemorySegment.ofArray(data), 4);
  }

  private BlockParam arrayParam() {
    BlockParam address = entry.param(Type.GLOBAL);
    entry.param(Type.LONG);
    return address;
  }

  private Value element(Value base, Value index) {
    return b.op(OpCode.ELEMENT, base.type(), new Attribute.Count(4), base, index);
  }

  private void store(Value base, Value index, Value value) {
    b.op(OpCode.STORE, Type.VOID, Element.I32, element(base, index), value);
  }

  private Value load(Value base, Value index) {
    return b.op(OpCode.LOAD, Type.INT, Element.I32, element(base, index));
  }

  /** A kernel of 32 threads, each of which stores an int; what they stored. */
  private int[] perThread(int threads, java.util.function.Function<Value, Value> value) {
    int[] out = new int[threads];
    BlockParam base = arrayParam();
    Value rank = rank();
    store(base, rank, value.apply(rank));
    b.end(OpCode.RETURN, null);
    run(Interpreter.Shape.of(1, threads), array(out));
    return out;
  }

  @Test
  void aLoopCarriesItsValuesAsIfTheyMovedAtOnce() {
    Block head = new Block();
    Block body = new Block();
    Block exit = new Block();
    int[] out = new int[4];
    BlockParam base = arrayParam();
    BlockParam x = head.param(Type.INT);
    BlockParam y = head.param(Type.INT);
    BlockParam i = head.param(Type.INT);
    Value rank = rank();
    b.jump(head, List.of(Constant.of(10), Constant.of(20), Constant.of(0)));
    b.at(head);
    Value more = b.cmp(Cond.LT, i, rank);
    b.branch(more, new Target(body, List.of()), new Target(exit, List.of()));
    b.at(body);
    Value next = b.op(OpCode.ADD, Type.INT, i, Constant.of(1));
    b.jump(head, List.of(y, x, next));
    b.at(exit);
    store(base, rank, x);
    b.end(OpCode.RETURN, null);
    run(Interpreter.Shape.of(1, 4), array(out));
    assertThat(out).containsExactly(10, 20, 10, 20);
  }

  @Test
  void blocksOfTheGridRunWithTheirOwnPoisonedSharedMemory() {
    int[] out = new int[8];
    BlockParam base = arrayParam();
    Value shared = b.op(OpCode.SHARED_BASE, Type.SHARED, new SharedVariable(0, Element.I32, 4));
    Value rank = rank();
    Value block = asm("ThreadBlock.blockIndexX", Type.INT);
    Value size = asm("ThreadBlock.blockSizeX", Type.INT);
    Value at = b.op(OpCode.ADD, Type.INT, b.op(OpCode.MUL, Type.INT, block, size), rank);
    store(base, at, load(shared, rank));
    store(shared, rank, rank);
    b.end(OpCode.RETURN, null);
    run(Interpreter.Shape.of(2, 4), array(out));
    assertThat(out).containsOnly(0xA5A5A5A5);
  }

  @Test
  void threadsMeetAtABarrier() {
    int threads = 64;
    Value[] shared = new Value[1];
    int[] out =
        perThread(
            threads,
            rank -> {
              shared[0] =
                  b.op(
                      OpCode.SHARED_BASE, Type.SHARED, new SharedVariable(0, Element.I32, threads));
              store(shared[0], rank, rank);
              asm("ThreadBlock.sync", Type.VOID);
              return load(shared[0], b.op(OpCode.SUB, Type.INT, Constant.of(threads - 1), rank));
            });
    assertThat(out).isEqualTo(IntStream.range(0, threads).map(i -> threads - 1 - i).toArray());
  }

  @Test
  void aBarrierCountsWhatHolds() {
    assertThat(perThread(48, rank -> asm("ThreadBlock.syncCount", Type.INT, isOdd(rank))))
        .containsOnly(24);
  }

  private Value isOdd(Value rank) {
    return b.cmp(Cond.EQ, b.op(OpCode.AND, Type.INT, rank, Constant.of(1)), Constant.of(1));
  }

  @Test
  void lanesExchangeValues() {
    int[] out =
        perThread(
            64,
            rank -> {
              Value xor = asm("Warp.shuffleXor", Type.INT, rank, Constant.of(5));
              Value up = asm("Warp.shuffleUp", Type.INT, rank, Constant.of(3));
              Value down = asm("Warp.shuffleDown", Type.INT, rank, Constant.of(30));
              Value from = asm("Warp.shuffle", Type.INT, Constant.of(-1), rank, Constant.of(33));
              return sum(xor, times(up, 100), times(down, 10_000), times(from, 1_000_000));
            });
    for (int i = 0; i < 64; i++) {
      int lane = i % 32;
      int up = lane < 3 ? i : i - 3;
      int down = lane > 1 ? i : i + 30;
      int from = i - lane + 1;
      assertThat(out[i]).isEqualTo((i ^ 5) + up * 100 + down * 10_000 + from * 1_000_000);
    }
  }

  private Value times(Value value, int factor) {
    return b.op(OpCode.MUL, Type.INT, value, Constant.of(factor));
  }

  private Value sum(Value... values) {
    return Arrays.stream(values).reduce((x, y) -> b.op(OpCode.ADD, Type.INT, x, y)).orElseThrow();
  }

  @Test
  void lanesVoteMatchAndReduce() {
    int[] out =
        perThread(
            32,
            rank ->
                sum(
                    asm("Warp.ballot", Type.INT, isOdd(rank)),
                    asm("Warp.reduceAdd", Type.INT, rank),
                    asm(
                        "Warp.matchAny",
                        Type.INT,
                        b.op(OpCode.SHR, Type.INT, rank, Constant.of(4))),
                    b.op(OpCode.BOOL_TO_INT, Type.INT, asm("Warp.any", Type.BOOL, isOdd(rank))),
                    b.op(OpCode.BOOL_TO_INT, Type.INT, asm("Warp.all", Type.BOOL, isOdd(rank)))));
    for (int i = 0; i < 32; i++) {
      assertThat(out[i]).isEqualTo(0xAAAAAAAA + 31 * 16 + (i < 16 ? 0xFFFF : 0xFFFF0000) + 1);
    }
  }

  @Test
  void lanesThatAreNoMembersAreNotWaitedFor() {
    int[] out =
        perThread(
            32,
            rank -> {
              Block lower = new Block();
              Block join = new Block();
              BlockParam result = join.param(Type.INT);
              b.branch(
                  b.cmp(Cond.LT, rank, Constant.of(16)),
                  new Target(lower, List.of()),
                  new Target(join, List.of(rank)));
              b.at(lower);
              Value reduced = asm("Warp.reduceMax", Type.INT, Constant.of(0xFFFF), rank);
              b.jump(join, List.of(reduced));
              b.at(join);
              return result;
            });
    assertThat(out).isEqualTo(IntStream.range(0, 32).map(i -> Math.max(i, 15)).toArray());
  }

  @Test
  void threadsThatWaitInDifferentPlacesAreReported() {
    Block one = new Block();
    Block other = new Block();
    Value odd = isOdd(rank());
    b.branch(odd, new Target(one, List.of()), new Target(other, List.of()));
    for (Block block : List.of(one, other)) {
      b.at(block);
      asm("ThreadBlock.sync", Type.VOID);
      b.end(OpCode.RETURN, null);
    }
    assertThatThrownBy(() -> run(Interpreter.Shape.of(1, 4)))
        .isInstanceOf(InterpretedThread.Stuck.class)
        .hasMessageContaining("different places")
        .hasMessageContaining("thread 3");
  }

  @Test
  void atomicsUpdateMemoryAndGiveWhatWasThere() {
    int[] counters = {0, 100, 7};
    BlockParam base = arrayParam();
    Value rank = rank();
    Value one = element(base, Constant.of(1));
    Value two = element(base, Constant.of(2));
    asm("Atomics.add", Type.INT, base, rank);
    asm(
        "Atomics.min",
        Type.INT,
        one,
        rank,
        Constant.ofObject(new Constant.EnumName("Scope", "BLOCK")));
    asm("Atomics.compareAndExchange", Type.INT, two, Constant.of(7), rank);
    b.end(OpCode.RETURN, null);
    run(Interpreter.Shape.of(1, 32), array(counters));
    assertThat(counters).containsExactly(31 * 16, 0, 0);
  }

  @Test
  void anUnknownInstructionIsNamed() {
    asm("Ptx.somersault", Type.INT);
    b.end(OpCode.RETURN, null);
    assertThatThrownBy(
            () ->
                Interpreter.of(new Function("made", entry)).run(Interpreter.Shape.of(1, 1), memory))
        .hasMessageContaining("Ptx.somersault");
  }

  /** Stands for a class of the vocabulary. */
  @SuppressWarnings("unused")
  static final class FastMath {
    private FastMath() {}

    static int half(int x) {
      return x / 2;
    }
  }

  @Test
  void aStaticMethodOfNumbersMeansWhatItsBodyDoes() {
    int[] out = perThread(4, rank -> asm("InterpreterTest$FastMath.half", Type.INT, rank));
    assertThat(out).containsExactly(0, 0, 1, 1);
  }

  @Test
  void aCheckThatFailsSaysWhereAndWithWhatNumbers() {
    BlockParam base = arrayParam();
    Value rank = rank();
    Trap trap = new Trap(Trap.Kind.INDEX, "of an array");
    b.op(
        OpCode.CHECK, Type.VOID, trap, b.cmp(Cond.LT, rank, Constant.of(3)), rank, Constant.of(3L));
    store(base, rank, Constant.of(1));
    b.end(OpCode.RETURN, null);
    int[] out = new int[4];
    assertThatThrownBy(() -> run(Interpreter.Shape.of(1, 4), array(out)))
        .isInstanceOfSatisfying(
            InterpretedThread.Trapped.class, e -> assertThat(e.trap()).isEqualTo(trap))
        .hasMessageContaining("[3, 3]")
        .hasMessageContaining("Made.java:7")
        .hasMessageContaining("thread 3");
    assertThat(out).containsExactly(1, 1, 1, 0);
  }

  @Test
  void anAccessOutsideOfAnArrayIsReported() {
    BlockParam base = arrayParam();
    store(base, Constant.of(4), Constant.of(1));
    b.end(OpCode.RETURN, null);
    assertThatThrownBy(() -> run(Interpreter.Shape.of(1, 1), array(new int[4])))
        .hasMessageContaining("4 bytes at byte 16")
        .hasMessageContaining("STORE of line Made.java:7");
  }

  @Test
  void anEndlessLoopIsReported() {
    Block loop = new Block();
    b.jump(loop, List.of());
    b.at(loop);
    b.jump(loop, List.of());
    assertThatThrownBy(() -> run(Interpreter.Shape.of(1, 1)))
        .isInstanceOf(InterpretedThread.Stuck.class)
        .hasMessageContaining("jumped");
  }

  @Test
  void objectsArraysAndViewsWorkBeforeScalarsReplaceThem() {
    int[] out =
        perThread(
            3,
            rank -> {
              Field field = new Field("Pair", "x", Element.I32);
              Value pair = b.op(OpCode.NEW, Type.REF, new NewObject("Pair", false));
              b.op(OpCode.PUT_FIELD, Type.VOID, field, pair, times(rank, 10));
              Value array = b.op(OpCode.NEW_ARRAY, Type.REF, Element.I8, Constant.of(5));
              b.op(OpCode.ARRAY_SET, Type.VOID, Element.I8, array, rank, Constant.of(0x1FF));
              Value view =
                  b.op(
                      OpCode.VIEW,
                      Type.REF,
                      Element.I32,
                      entry.params().getFirst(),
                      Constant.of(3L));
              return sum(
                  b.op(OpCode.GET_FIELD, Type.INT, field, pair),
                  b.op(OpCode.ARRAY_GET, Type.INT, Element.I8, array, rank),
                  b.op(OpCode.ARRAY_GET, Type.INT, Element.I8, array, Constant.of(4)),
                  b.op(OpCode.ARRAY_LENGTH, Type.INT, array),
                  b.op(
                      OpCode.CONVERT,
                      Type.INT,
                      b.op(OpCode.VIEW_LENGTH, Type.LONG, Element.I32, view)));
            });
    assertThat(out).containsExactly(-1 + 5 + 3, 10 - 1 + 5 + 3, 20 - 1 + 5 + 3);
  }

  @Test
  void severalElementsAreMovedAtOnceFromAMultipleOfTheirSize() {
    int[] data = {1, 2, 3, 4, 0, 0};
    MemorySegment aligned = MemorySegment.ofArray(new long[3]);
    aligned.copyFrom(MemorySegment.ofArray(data));
    BlockParam base = arrayParam();
    BlockParam at = entry.param(Type.INT);
    Vector two = new Vector(Element.I32, 2);
    Value pair = b.op(OpCode.LOAD_VECTOR, Type.TUPLE, two, element(base, at));
    Value x = b.op(OpCode.EXTRACT, Type.INT, new Attribute.Count(0), pair);
    Value y = b.op(OpCode.EXTRACT, Type.INT, new Attribute.Count(1), pair);
    b.op(OpCode.STORE_VECTOR, Type.VOID, two, element(base, Constant.of(4)), y, x);
    b.end(OpCode.RETURN, null);
    DeviceMemory.Array array = memory.array(aligned, 4);
    run(Interpreter.Shape.of(1, 1), array, 2);
    assertThat(aligned.toArray(java.lang.foreign.ValueLayout.JAVA_INT))
        .containsExactly(1, 2, 3, 4, 4, 3);
    assertThatThrownBy(() -> run(Interpreter.Shape.of(1, 1), array, 1))
        .hasMessageContaining("8 bytes at address");
  }

  @Test
  void linesAreKeptThatThreadsPrint() {
    b.op(OpCode.PRINT, Type.VOID, new Attribute.Text("half"), Constant.of(0.5f));
    b.end(OpCode.RETURN, null);
    run(Interpreter.Shape.of(1, 2));
    assertThat(interpreter.printed()).containsExactly("half 0.5", "half 0.5");
  }

  private static final Object[][] SAMPLES = {
    {false, true},
    {
      0, 1, -1, 2, 31, 33, 0x80, 0x8000, 0xFFFF, 12345, -77777, Integer.MIN_VALUE, Integer.MAX_VALUE
    },
    {
      0L,
      1L,
      -1L,
      3L,
      63L,
      65L,
      1L << 31,
      -(1L << 31) - 1,
      0xFFFF_FFFFL,
      987654321012345L,
      Long.MIN_VALUE,
      Long.MAX_VALUE
    },
    {
      0f,
      -0f,
      1f,
      -1.5f,
      2.5f,
      Float.MIN_VALUE,
      Float.MAX_VALUE,
      3e9f,
      -1e19f,
      65519f,
      65520f,
      0x1p-25f,
      Float.NaN,
      Float.POSITIVE_INFINITY,
      Float.NEGATIVE_INFINITY
    },
    {
      0d,
      -0d,
      1d,
      -1.5,
      2.5,
      Double.MIN_VALUE,
      Double.MAX_VALUE,
      3e9,
      -1e19,
      1e300,
      1 / 3d,
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY
    }
  };

  private static final Type[] TYPES = {Type.BOOL, Type.INT, Type.LONG, Type.FLOAT, Type.DOUBLE};

  /** Both know Java's arithmetic; what they do not agree on, one of them has wrong. */
  @Test
  void everyOperationGivesWhatTheCompilersFoldingGives() {
    int agreed = 0;
    for (OpCode code : OpCode.values()) {
      if (code.effect() == OpCode.Effect.PURE) {
        for (int t = 0; t < TYPES.length; t++) {
          agreed += agreements(code, t);
        }
      }
    }
    assertThat(agreed).isGreaterThan(20_000);
  }

  private int agreements(OpCode code, int t) {
    int agreed = 0;
    for (Attribute attribute : attributes(code, TYPES[t])) {
      for (Type result : results(code, TYPES[t])) {
        for (List<Object> operands : operands(code, t)) {
          agreed += agrees(code, result, attribute, operands) ? 1 : 0;
        }
      }
    }
    return agreed;
  }

  private static Attribute[] attributes(OpCode code, Type type) {
    return switch (code) {
      case CMP -> type == Type.BOOL ? new Cond[] {Cond.EQ, Cond.NE} : Cond.values();
      case NARROW -> new Attribute[] {Element.I8, Element.I16, Element.U16};
      case TO_HALF, FROM_HALF -> new Attribute[] {Element.F16, Element.BF16};
      default -> new Attribute[1];
    };
  }

  private static List<Type> results(OpCode code, Type type) {
    boolean integer = type == Type.INT || type == Type.LONG;
    return switch (code) {
      case ADD, SUB, MUL, DIV, NEG, ABS, MIN, MAX -> type.isNumber() ? List.of(type) : List.of();
      case REM, UDIV, UREM, MULHI, UMULHI, SHL, SHR, USHR, ROTL, REVERSE ->
          integer ? List.of(type) : List.of();
      case POPC, CLZ -> integer ? List.of(Type.INT) : List.of();
      case AND, OR, XOR -> type.isFloating() ? List.of() : List.of(type);
      case FMA, SQRT, FLOOR, CEIL, RINT, COPYSIGN -> type.isFloating() ? List.of(type) : List.of();
      case CMP -> List.of(Type.BOOL);
      case NOT -> type == Type.BOOL ? List.of(Type.BOOL) : List.of();
      case SELECT -> List.of(type);
      case BOOL_TO_INT -> type == Type.BOOL ? List.of(Type.INT) : List.of();
      case IS_NAN -> type.isFloating() ? List.of(Type.BOOL) : List.of();
      case CONVERT ->
          type.isNumber() ? List.of(Type.INT, Type.LONG, Type.FLOAT, Type.DOUBLE) : List.of();
      case NARROW -> type == Type.INT ? List.of(Type.INT) : List.of();
      case ZERO_EXTEND -> type == Type.INT ? List.of(Type.LONG) : List.of();
      case BITS ->
          switch (type) {
            case INT -> List.of(Type.FLOAT);
            case LONG -> List.of(Type.DOUBLE);
            case FLOAT -> List.of(Type.INT);
            case DOUBLE -> List.of(Type.LONG);
            default -> List.of();
          };
      case TO_HALF -> type == Type.FLOAT ? List.of(Type.INT) : List.of();
      case FROM_HALF -> type == Type.INT ? List.of(Type.FLOAT) : List.of();
      default -> List.of();
    };
  }

  private static List<List<Object>> operands(OpCode code, int t) {
    Object[] own = SAMPLES[t];
    List<List<Object>> all = new ArrayList<>();
    for (Object a : own) {
      switch (code) {
        case NEG,
            ABS,
            SQRT,
            FLOOR,
            CEIL,
            RINT,
            REVERSE,
            POPC,
            CLZ,
            NOT,
            BOOL_TO_INT,
            IS_NAN,
            CONVERT,
            NARROW,
            ZERO_EXTEND,
            BITS,
            TO_HALF,
            FROM_HALF ->
            all.add(List.of(a));
        case SHL, SHR, USHR, ROTL -> {
          for (Object amount : SAMPLES[1]) {
            all.add(List.of(a, amount));
          }
        }
        case FMA -> {
          for (Object x : own) {
            for (Object y : own) {
              all.add(List.of(a, x, y));
            }
          }
        }
        case SELECT -> {
          all.add(List.of(true, a, own[0]));
          all.add(List.of(false, a, own[0]));
        }
        default -> {
          for (Object x : own) {
            all.add(List.of(a, x));
          }
        }
      }
    }
    return all;
  }

  private boolean agrees(OpCode code, Type type, Attribute attribute, List<Object> values) {
    Op op = new Op(code, type, values.stream().map(Constant::ofBoxed).toList(), attribute, LINE);
    Constant expected = Fold.evaluate(op);
    if (expected == null) {
      return false;
    }
    assertThat(expected.type()).as(op.code() + " " + values).isEqualTo(type);
    Block block = new Block();
    BlockParam out = block.param(Type.GLOBAL);
    block.param(Type.LONG);
    block.ops().add(op);
    Op number =
        type == Type.BOOL ? new Op(OpCode.BOOL_TO_INT, Type.INT, List.of(op), null, LINE) : op;
    if (number != op) {
      block.ops().add(number);
    }
    Element element =
        switch (number.type()) {
          case INT -> Element.I32;
          case LONG -> Element.I64;
          case FLOAT -> Element.F32;
          default -> Element.F64;
        };
    block.ops().add(new Op(OpCode.STORE, Type.VOID, List.of(out, number), element, LINE));
    block.ops().add(new Op(OpCode.RETURN, Type.VOID, List.of(), null, LINE));
    long[] result = new long[1];
    DeviceMemory own = new DeviceMemory();
    Interpreter.of(new Function("one", block))
        .run(Interpreter.Shape.of(1, 1), own, own.array(MemorySegment.ofArray(result), 8));
    long wanted = Arithmetic.of(expected.value(), expected.type());
    if (element.bytes() == 4) {
      wanted &= 0xFFFF_FFFFL;
    }
    assertThat(result[0]).as("%s[%s] %s", code, attribute, values).isEqualTo(wanted);
    return true;
  }
}
