package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Attribute;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Builder;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import dev.stretto.compiler.ir.Verifier;
import dev.stretto.compiler.pass.Divisions;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongBinaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A division by a constant becomes something else, which gives the same. */
class DivisionsTest {
  private static final Line LINE = new Line("Made.java", "Made", "Made.kernel", 7, null);
  private static final long[] DIVISORS = {
    2,
    3,
    4,
    5,
    6,
    7,
    9,
    10,
    11,
    25,
    64,
    100,
    125,
    625,
    641,
    1000,
    65536,
    1_000_003,
    1 << 30,
    Integer.MAX_VALUE,
    Integer.MAX_VALUE - 1,
    6_700_417L,
    1L << 31,
    (1L << 32) + 1,
    1L << 62,
    Long.MAX_VALUE,
    Long.MAX_VALUE - 1
  };

  /** Around 0, the ends, and multiples of the divisor, where quotients change. */
  private static long[] dividends(boolean longs, long divisor) {
    long least = longs ? Long.MIN_VALUE : Integer.MIN_VALUE;
    long most = longs ? Long.MAX_VALUE : Integer.MAX_VALUE;
    SplittableRandom random = new SplittableRandom(divisor);
    LongStream edges =
        LongStream.rangeClosed(-3, 3)
            .flatMap(
                near ->
                    LongStream.of(
                        near,
                        least + Math.abs(near),
                        most - Math.abs(near),
                        divisor + near,
                        near - divisor,
                        most / divisor * divisor + near,
                        least / divisor * divisor + near,
                        divisor * random.nextInt(1000) + near));
    LongStream any = random.longs(200).map(it -> longs ? it : (int) it);
    return LongStream.concat(edges, any).map(it -> longs ? it : (int) it).toArray();
  }

  @ParameterizedTest
  @CsvSource({
    "DIV, INT, false", "REM, INT, false", "UDIV, INT, false", "UREM, INT, false",
    "DIV, LONG, false", "REM, LONG, false", "UDIV, LONG, false", "UREM, LONG, false",
    "DIV, INT, true", "REM, INT, true", "UDIV, INT, true", "UREM, INT, true"
  })
  void giveWhatADivisionGives(OpCode code, Type type, boolean positive) {
    boolean longs = type == Type.LONG;
    for (long divisor : DIVISORS) {
      if (!longs && divisor > Integer.MAX_VALUE) {
        continue;
      }
      long[] dividends = dividends(longs, divisor);
      long[] found = divided(code, type, positive, dividends, divisor);
      for (int i = 0; i < dividends.length; i++) {
        long dividend = positive ? dividends[i] & 0x7fff : dividends[i];

        assertThat(found[i])
            .as("%s of %d and %d", code, dividend, divisor)
            .isEqualTo(operation(code, longs).applyAsLong(dividend, divisor));
      }
    }
  }

  private static LongBinaryOperator operation(OpCode code, boolean longs) {
    return switch (code) {
      case DIV -> (a, b) -> a / b;
      case REM -> (a, b) -> a % b;
      case UDIV ->
          longs ? Long::divideUnsigned : (a, b) -> Integer.divideUnsigned((int) a, (int) b);
      default ->
          longs ? Long::remainderUnsigned : (a, b) -> Integer.remainderUnsigned((int) a, (int) b);
    };
  }

  /** What a kernel computes, of which a thread has a dividend each, after the pass. */
  private static long[] divided(
      OpCode code, Type type, boolean positive, long[] dividends, long divisor) {
    Block entry = new Block();
    Builder b = new Builder(entry, LINE);
    BlockParam array = entry.param(Type.GLOBAL);
    entry.param(Type.LONG);
    Asm thread =
        new Asm(
            "dev/stretto/kernel/ThreadBlock.threadIndexX",
            List.of(),
            List.of(Type.INT),
            false,
            false,
            80,
            "");
    Value rank = b.op(OpCode.ASM, Type.INT, thread);
    Value place = b.op(OpCode.ELEMENT, Type.GLOBAL, new Attribute.Count(8), array, rank);
    Value wide = b.op(OpCode.LOAD, Type.LONG, Element.I64, place);
    Value dividend = type == Type.LONG ? wide : b.op(OpCode.CONVERT, Type.INT, wide);
    if (positive) {
      dividend = b.op(OpCode.AND, Type.INT, dividend, Constant.of(0x7fff));
    }
    Constant by = type == Type.LONG ? Constant.of(divisor) : Constant.of((int) divisor);
    Value quotient = b.op(code, type, dividend, by);
    Value stored = type == Type.LONG ? quotient : b.op(OpCode.CONVERT, Type.LONG, quotient);
    b.op(OpCode.STORE, Type.VOID, Element.I64, place, stored);
    b.end(OpCode.RETURN, null);
    Function function = new Function("made", entry);

    boolean changed = new Divisions().run(function);

    Verifier.verify(function);
    boolean left =
        function.blocks().stream()
            .flatMap(block -> block.ops().stream())
            .anyMatch(op -> op.code() == code);
    // An unsigned number that may be any is divided by powers of two alone.
    boolean unsigned = code == OpCode.UDIV || code == OpCode.UREM;
    assertThat(left).isEqualTo(unsigned && !positive && Long.bitCount(divisor) > 1);
    assertThat(changed).isNotEqualTo(left);
    DeviceMemory memory = new DeviceMemory();
    long[] data = dividends.clone();
    Interpreter.of(function)
        .run(
            Interpreter.Shape.of(1, data.length),
            memory,
            memory.array(MemorySegment.ofArray(data), 8));
    return data;
  }

  /** A quotient and a rest of the same numbers, in either order, and what divides. */
  @ParameterizedTest
  @CsvSource({
    "DIV, REM, INT", "REM, DIV, INT", "DIV, REM, LONG", "REM, DIV, LONG",
    "UDIV, UREM, INT", "UREM, UDIV, INT", "UDIV, UREM, LONG", "UREM, UDIV, LONG"
  })
  void aRestIsComputedFromTheQuotient(OpCode one, OpCode two, Type type) {
    boolean longs = type == Type.LONG;
    for (long divisor : new long[] {1, -1, 3, -7, 100, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      long[] dividends = dividends(longs, divisor);
      long[] found = both(one, two, type, dividends, divisor);
      for (int i = 0; i < dividends.length; i++) {
        long first = operation(one, longs).applyAsLong(dividends[i], divisor);
        long second = operation(two, longs).applyAsLong(dividends[i], divisor);
        long expected = first + 31 * second;

        assertThat(found[i])
            .as("%s and %s of %d and %d", one, two, dividends[i], divisor)
            .isEqualTo(longs ? expected : (int) expected);
      }
    }
  }

  private static long[] both(OpCode one, OpCode two, Type type, long[] dividends, long divisor) {
    Block entry = new Block();
    Builder b = new Builder(entry, LINE);
    BlockParam array = entry.param(Type.GLOBAL);
    entry.param(Type.LONG);
    BlockParam by = entry.param(type);
    Asm thread =
        new Asm(
            "dev/stretto/kernel/ThreadBlock.threadIndexX",
            List.of(),
            List.of(Type.INT),
            false,
            false,
            80,
            "");
    Value rank = b.op(OpCode.ASM, Type.INT, thread);
    Value place = b.op(OpCode.ELEMENT, Type.GLOBAL, new Attribute.Count(8), array, rank);
    Value wide = b.op(OpCode.LOAD, Type.LONG, Element.I64, place);
    Value dividend = type == Type.LONG ? wide : b.op(OpCode.CONVERT, Type.INT, wide);
    Value first = b.op(one, type, dividend, by);
    Value second = b.op(two, type, dividend, by);
    Constant factor = type == Type.LONG ? Constant.of(31L) : Constant.of(31);
    Value sum = b.op(OpCode.ADD, type, first, b.op(OpCode.MUL, type, second, factor));
    Value stored = type == Type.LONG ? sum : b.op(OpCode.CONVERT, Type.LONG, sum);
    b.op(OpCode.STORE, Type.VOID, Element.I64, place, stored);
    b.end(OpCode.RETURN, null);
    Function function = new Function("made", entry);

    assertThat(new Divisions().run(function)).isTrue();

    Verifier.verify(function);
    assertThat(
            function.blocks().stream()
                .flatMap(block -> block.ops().stream())
                .filter(op -> op.code() == OpCode.REM || op.code() == OpCode.UREM))
        .isEmpty();
    DeviceMemory memory = new DeviceMemory();
    long[] data = dividends.clone();
    Object number = type == Type.LONG ? (Object) divisor : (Object) (int) divisor;
    Interpreter.of(function)
        .run(
            Interpreter.Shape.of(1, data.length),
            memory,
            memory.array(MemorySegment.ofArray(data), 8),
            number);
    return data;
  }
}
