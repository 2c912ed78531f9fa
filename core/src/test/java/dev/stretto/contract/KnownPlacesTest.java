package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.diagnosis.tally.Found;
import dev.stretto.diagnosis.tally.KnownPlaces;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The lines that are remembered are those that a look at the stack would have found. */
class KnownPlacesTest {
  private static final int ROUNDS = 20_000;

  private final KnownPlaces places = new KnownPlaces();

  private int line(long operation) {
    return Program.line(places, operation);
  }

  @Test
  void aLoopOfDifferentOperationsHasALineForEach() {
    int wrong = 0;
    int first = Program.first(places, 1);
    int second = Program.second(places, 2);
    for (int i = 0; i < ROUNDS; i++) {
      wrong += Program.first(places, 1) == first ? 0 : 1;
      wrong += Program.second(places, 2) == second ? 0 : 1;
    }
    assertThat(first).isNotEqualTo(second);
    assertThat(wrong).isZero();
  }

  @Test
  void theSameOperationFromTwoLinesInTurnHasBoth() {
    int wrong = 0;
    int first = Program.first(places, 1);
    int second = Program.second(places, 1);
    for (int i = 0; i < ROUNDS; i++) {
      wrong += Program.first(places, 1) == first ? 0 : 1;
      wrong += Program.second(places, 1) == second ? 0 : 1;
    }
    assertThat(wrong).isZero();
  }

  @Test
  void theSameOperationFromTwoLinesAtRandomHasBoth() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    int first = Program.first(places, 1);
    int second = Program.second(places, 1);
    int wrong = 0;
    for (int i = 0; i < ROUNDS; i++) {
      boolean isFirst = random.nextBoolean();
      int found = isFirst ? Program.first(places, 1) : Program.second(places, 1);
      wrong += found == (isFirst ? first : second) ? 0 : 1;
    }
    assertThat(wrong).as("seed %d", seed).isZero();
  }

  @Test
  void theSecondOfTwoLoopsIsFoundAfterAMoment() {
    int first = Program.first(places, 1);
    for (int i = 0; i < ROUNDS; i++) {
      assertThat(Program.first(places, 1)).isEqualTo(first);
    }
    List<Integer> found = new ArrayList<>();
    long end = System.nanoTime() + 100 * KnownPlaces.TRUST_NANOS;
    while (System.nanoTime() < end) {
      found.add(Program.second(places, 1));
    }
    int second = found.getLast();
    assertThat(second).isNotEqualTo(first);
    int at = found.indexOf(second);
    assertThat(found.subList(at, found.size())).containsOnly(second);
  }

  @Test
  void methodsOfOneNameAreToldApart() {
    int one = Overloads.call(places, 1);
    int other = Overloads.call(places, 1L);
    for (int i = 0; i < ROUNDS; i++) {
      boolean isOne = i / 3 % 2 == 0;
      assertThat(isOne ? Overloads.call(places, 1) : Overloads.call(places, 1L))
          .isEqualTo(isOne ? one : other);
    }
    assertThat(one).isNotEqualTo(other);
  }

  @Test
  void threadsHaveLinesOfTheirOwn() throws InterruptedException {
    Map<String, Integer> wrong = new HashMap<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      boolean isFirst = i % 2 == 0;
      threads.add(
          new Thread(
              () -> {
                int mine = isFirst ? Program.first(places, 1) : Program.second(places, 1);
                int others = 0;
                for (int round = 0; round < ROUNDS; round++) {
                  int found = isFirst ? Program.first(places, 1) : Program.second(places, 1);
                  others += found == mine ? 0 : 1;
                }
                synchronized (wrong) {
                  wrong.put(Thread.currentThread().getName(), others);
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(wrong).hasSize(4);
    assertThat(wrong.values()).containsOnly(0);
  }

  @Test
  void whatIsAskedAheadIsWhatIsFound() {
    for (int i = 0; i < ROUNDS; i++) {
      int[] both = Program.both(places, 7);
      assertThat(both[0]).isEqualTo(both[1]);
    }
  }

  @Test
  void operationsThatAreAllDifferentAreFoundToo() {
    int first = line(-1);
    for (int i = 0; i < ROUNDS; i++) {
      assertThat(line(i)).isEqualTo(first);
    }
  }

  /** Lines of a program. */
  private static final class Program {
    static int line(KnownPlaces places, long operation) {
      return number(places.of(operation));
    }

    static int first(KnownPlaces places, long operation) {
      return number(places.of(operation));
    }

    static int second(KnownPlaces places, long operation) {
      return number(places.of(operation));
    }

    static int[] both(KnownPlaces places, long operation) {
      return new int[] {number(places.ahead(operation)), number(places.of(operation))};
    }

    static int number(Found found) {
      StackTraceElement line = Objects.requireNonNull(found.caller());
      assertThat(line).isEqualTo(found.line());
      return line.getLineNumber();
    }
  }

  private static final class Overloads {
    static int call(KnownPlaces places, int operation) {
      return Program.number(places.of(operation));
    }

    static int call(KnownPlaces places, long operation) {
      return Program.number(places.of(operation));
    }
  }
}
