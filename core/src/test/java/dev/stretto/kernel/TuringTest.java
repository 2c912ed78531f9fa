package dev.stretto.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.memory.Bfloat;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the PTX for compute capability 7.5 does, instruction by instruction, in any order of
 * threads. The barrier is compared with what the PTX ISA says of {@code mbarrier}: a count of what
 * is pending, and a number of the phase.
 */
class TuringTest {
  private static final String END = "\n}";

  /** What the PTX ISA says of a barrier. */
  private static final class Specified {
    int expected;
    int pending;
    long phase;

    Specified(int count) {
      expected = count;
      pending = count;
    }

    void arrive(int count, boolean drops) {
      expected -= drops ? count : 0;
      pending -= count;
      if (pending == 0) {
        phase++;
        pending = expected;
      }
    }
  }

  private static String arrival(int count, boolean drops) {
    return String.join(
        "\n",
        Turing.BEGIN_ARRIVAL,
        "mov.b32 count, " + count + ";",
        "mov.b32 drop, " + (drops ? count : 0) + ";",
        Turing.ARRIVE,
        "mov.b64 $r, old;",
        "}");
  }

  private static String test() {
    return "{\n.reg .b64 word;\n" + Turing.TEST + END;
  }

  private static String testParity() {
    return "{\n.reg .b64 word;\n.reg .b32 phase;\n" + Turing.TEST_PARITY + END;
  }

  private static long ask(PtxMachine.Memory memory, String text, long parameter) {
    PtxMachine thread = new PtxMachine(text, memory);
    thread.set("$2", parameter);
    thread.runToEnd();
    return thread.get("$r");
  }

  private static IntStream seeds() {
    return IntStream.range(0, 200);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aBarrierCountsAsThePtxIsaSays(int seed) {
    Random dice = new Random(seed);
    int count = 1 + dice.nextInt(6);
    PtxMachine.Memory memory = new PtxMachine.Memory();
    PtxMachine made = new PtxMachine(Turing.MAKE_BARRIER, memory);
    made.set("$2", count);
    made.runToEnd();
    Specified specified = new Specified(count);
    long state = 0;
    long stateOfPhase = -1;

    for (int step = 0; step < 60 && specified.expected > 0; step++) {
      int arrivals = 1 + dice.nextInt(specified.pending);
      boolean drops = specified.expected > arrivals && dice.nextInt(8) == 0;
      PtxMachine thread = new PtxMachine(arrival(arrivals, drops), memory);
      thread.runToEnd();
      state = thread.get("$r");
      stateOfPhase = specified.phase;
      assertThat((state >>> 32) & 0x7FFFFFFF).as("pending count").isEqualTo(specified.pending);
      specified.arrive(arrivals, drops);

      assertThat(ask(memory, test(), state)).isEqualTo(specified.phase > stateOfPhase ? 1 : 0);
      long parity = specified.phase & 1;
      assertThat(ask(memory, testParity(), parity)).as("the current phase").isZero();
      assertThat(ask(memory, testParity(), parity ^ 1)).as("the one before").isOne();
    }
  }

  /** Every arrival counts once, however the steps of the threads mix. */
  @ParameterizedTest
  @MethodSource("seeds")
  void arrivalsAtTheSameTimeAllCount(int seed) {
    Random dice = new Random(seed);
    int threads = 2 + dice.nextInt(6);
    int phases = 1 + dice.nextInt(4);
    PtxMachine.Memory memory = new PtxMachine.Memory();
    PtxMachine made = new PtxMachine(Turing.MAKE_BARRIER, memory);
    made.set("$2", threads);
    made.runToEnd();

    for (int phase = 0; phase < phases; phase++) {
      assertThat(ask(memory, testParity(), phase & 1)).isZero();
      List<PtxMachine> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(new PtxMachine(arrival(1, false), memory));
      }
      while (!running.isEmpty()) {
        int next = dice.nextInt(running.size());
        if (!running.get(next).step()) {
          running.remove(next);
        }
      }
      assertThat(ask(memory, testParity(), phase & 1)).as("phase %d", phase).isOne();
    }
  }

  @Test
  void aCopyOfSomeBytesFillsTheRestWithZeros() {
    for (int bytes : new int[] {4, 8, 16}) {
      for (int given = 0; given < bytes; given++) {
        PtxMachine.Memory memory = new PtxMachine.Memory();
        for (int i = 0; i < 32; i++) {
          memory.setByte(1000 + i, i + 1);
          memory.setByte(i, 99);
        }
        String text =
            String.join(
                "\n",
                "{",
                Turing.COPY_SOME,
                "some:",
                Turing.COPY_BYTE,
                "setp.lt.s32 more, at, " + bytes + ";",
                "@more bra some;",
                "}");
        PtxMachine thread = new PtxMachine(text, memory);
        thread.set("$&2[3?4]", 1000);
        thread.set("$&0[1]", 0);
        thread.set("$4", given);
        thread.runToEnd();

        for (int i = 0; i < 32; i++) {
          int expected = i < given ? i + 1 : i < bytes ? 0 : 99;
          assertThat(memory.getByte(i))
              .as("%d of %d, %d given", i, bytes, given)
              .isEqualTo(expected);
        }
      }
    }
  }

  private static Stream<Float> floats() {
    Random dice = new Random(5);
    return Stream.concat(
        Stream.of(
            0f,
            -0f,
            1f,
            Float.MIN_VALUE,
            -Float.MIN_VALUE,
            Float.MAX_VALUE,
            -Float.MAX_VALUE,
            Float.POSITIVE_INFINITY,
            Float.NEGATIVE_INFINITY,
            Float.NaN,
            1 + 1f / 256,
            1 + 3f / 256),
        Stream.generate(() -> Float.intBitsToFloat(dice.nextInt())).limit(2_000));
  }

  @Test
  void aPairOfBfloat16IsRoundedAsTheJvmDoes() {
    floats()
        .forEach(
            value -> {
              PtxMachine thread = new PtxMachine(Turing.PAIR_OF_BF16, new PtxMachine.Memory());
              thread.set("$0", Float.floatToRawIntBits(value) & 0xFFFFFFFFL);
              thread.set("$1", Float.floatToRawIntBits(-value) & 0xFFFFFFFFL);
              thread.runToEnd();
              long pair = thread.get("$r");
              if (Float.isNaN(value)) {
                assertThat(pair).isEqualTo(0x7FFF7FFFL); // what the instruction gives
              } else {
                assertThat((short) (pair >> 16)).as("%s", value).isEqualTo(Bfloat.of(value));
                assertThat((short) pair).as("%s", -value).isEqualTo(Bfloat.of(-value));
              }
            });
  }
}
