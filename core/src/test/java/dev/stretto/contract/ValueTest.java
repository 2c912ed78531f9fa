package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Graph;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.driver.ValueCondition;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeadlockException;
import dev.stretto.fault.RaceException;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Numbers that streams write, and for which they wait. */
class ValueTest extends ContractTest {
  private static final String ORDER = "checked";
  private static final VarHandle INT = JAVA_INT.varHandle();

  private GlobalInts zeros(int count) {
    GlobalInts array = device.allocateSignals(count);
    try (Stream stream = device.stream()) {
      stream.fill(array, 0).await();
    }
    return array;
  }

  private static int[] read(Stream stream, GlobalInts array) {
    int[] out = new int[(int) array.length()];
    stream.copy(array, out).await();
    return out;
  }

  @Test
  void aStreamGoesOnWhenAnotherOneHasWrittenTheNumber() {
    try (Stream writer = device.stream();
        Stream waiter = device.stream();
        GlobalInts flag = zeros(1);
        GlobalInts data = device.allocateInts(1000);
        GlobalInts copy = device.allocateInts(1000)) {
      for (int round = 1; round <= 10; round++) {
        writer.fill(data, round);
        writer.writeValue(flag, 0, round);
        waiter.waitValue(flag, 0, round, ValueCondition.AT_LEAST);
        waiter.copy(data, copy);
        assertThat(read(waiter, copy)).containsOnly(round);
        writer.waitFor(waiter.record());
      }
    }
  }

  @Test
  void aWaitMayBeEnqueuedBeforeTheWrite() {
    try (Stream writer = device.stream();
        Stream waiter = device.stream();
        GlobalInts flag = zeros(1);
        GlobalInts data = zeros(1)) {
      waiter.waitValue(flag, 0, 5, ValueCondition.EQUAL);
      waiter.fill(data, 7);
      assertThat(waiter.await(Duration.ofMillis(20))).isFalse();
      writer.writeValue(flag, 0, 5);
      waiter.await();
      assertThat(read(waiter, data)).containsExactly(7);
    }
  }

  @Test
  void eachConditionMeansWhatItSays() {
    goesOn(ValueCondition.AT_LEAST, 3, 2, 4);
    goesOn(ValueCondition.AT_LEAST, Integer.MAX_VALUE, 5, Integer.MIN_VALUE); // in a circle
    goesOn(ValueCondition.EQUAL, 9, 10, 9);
    goesOn(ValueCondition.COMMON_BIT, 0b0010, 0b1001, 0b0110);
    goesOn(ValueCondition.COMMON_ZERO, 0b0001, ~0b0001, ~0b0011);
  }

  private void goesOn(ValueCondition condition, int other, int not, int then) {
    try (Stream waiter = device.stream();
        Stream writer = device.stream();
        GlobalInts flag = zeros(1)) {
      writer.writeValue(flag, 0, not);
      writer.await();
      waiter.waitValue(flag, 0, other, condition);
      assertThat(waiter.await(Duration.ofMillis(5))).isFalse();
      writer.writeValue(flag, 0, then);
      waiter.await();
    }
  }

  @Test
  void numbersOfEightBytesAreComparedAsAWhole() {
    goesOnWide(ValueCondition.AT_LEAST, 1L << 40, (1L << 40) - 1, 1L << 40);
    goesOnWide(ValueCondition.EQUAL, 9L << 32, 8L << 32, 9L << 32);
    goesOnWide(ValueCondition.COMMON_BIT, 1L << 50, 1L << 49 | 1L << 18, 3L << 49);
    goesOnWide(ValueCondition.COMMON_ZERO, 1, ~1L, ~(1L << 60 | 1));
  }

  private void goesOnWide(ValueCondition condition, long other, long not, long then) {
    try (Stream waiter = device.stream();
        Stream writer = device.stream();
        GlobalLongs number = device.allocateLongSignals(2)) {
      writer.writeValue(number, 1, not);
      writer.await();
      waiter.waitValue(number, 1, other, condition);
      assertThat(waiter.await(Duration.ofMillis(5))).isFalse();
      writer.writeValue(number, 1, then);
      waiter.await();
    }
  }

  @Test
  void theHostLetsAStreamGoOn() {
    try (Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena();
        GlobalInts data = zeros(1)) {
      MemorySegment latch = arena.allocate(JAVA_INT, 2);
      GlobalInts view = device.view(latch, GlobalInts::of);
      stream.waitValue(view, 0, 1, ValueCondition.EQUAL);
      stream.fill(data, 3);
      stream.writeValue(view, 1, 9);
      assertThat(stream.await(Duration.ofMillis(20))).isFalse();
      INT.setRelease(latch, 0L, 1);
      stream.awaitUntil(() -> (int) INT.getAcquire(latch, 4L) == 9);
      assertThat(read(stream, data)).containsExactly(3);
    }
  }

  @Test
  void twoStreamsTakeTurns() {
    int rounds = machine().isSeeded() ? 20 : 200;
    try (Stream one = device.stream();
        Stream other = device.stream();
        GlobalInts turns = zeros(2);
        GlobalInts data = zeros(64)) {
      for (int round = 1; round <= rounds; round++) {
        one.fill(data, round);
        one.writeValue(turns, 0, round);
        other.waitValue(turns, 0, round, ValueCondition.AT_LEAST);
        other.copy(data.slice(0, 32), data.slice(32, 32));
        other.writeValue(turns, 1, round);
        one.waitValue(turns, 1, round, ValueCondition.AT_LEAST);
      }
      assertThat(read(one, data)).containsOnly(rounds);
    }
  }

  @Test
  void streamsThatWaitForEachOtherAreReported() {
    assumeTrue(machine().isSeeded());
    try (Stream one = device.stream();
        Stream other = device.stream();
        GlobalInts flags = zeros(2)) {
      one.waitValue(flags, 0, 1, ValueCondition.AT_LEAST);
      one.writeValue(flags, 1, 1);
      other.waitValue(flags, 1, 1, ValueCondition.AT_LEAST);
      other.writeValue(flags, 0, 1);
      assertThatThrownBy(one::await)
          .isInstanceOf(DeadlockException.class)
          .hasMessageContaining("wait for the number at")
          .hasMessageContaining("has to be at least 1");
      try (Stream third = device.stream()) {
        third.writeValue(flags, 0, 1);
        one.await();
        other.await();
      }
    }
  }

  @Test
  @WithOrder(ORDER)
  void whatTheNumberOrdersIsNoRace() {
    try (Stream writer = device.stream();
        Stream waiter = device.stream();
        GlobalInts flag = zeros(1);
        GlobalInts data = device.allocateInts(16)) {
      writer.fill(data, 1);
      writer.writeValue(flag, 0, 1);
      waiter.waitValue(flag, 0, 1, ValueCondition.AT_LEAST);
      assertThat(read(waiter, data)).containsOnly(1);
      writer.fill(data, 2); // the host knows that the copy is done
      assertThatThrownBy(() -> waiter.copy(data, new int[16])).isInstanceOf(RaceException.class);
      writer.writeValue(flag, 0, 2);
      waiter.waitValue(flag, 0, 2, ValueCondition.AT_LEAST);
      assertThat(read(waiter, data)).containsOnly(2);
    }
  }

  @Test
  @WithOrder(ORDER)
  void anOrdinaryAccessToTheNumberIsARace() {
    try (Stream writer = device.stream();
        Stream other = device.stream();
        GlobalInts flag = zeros(1)) {
      writer.writeValue(flag, 0, 1);
      assertThatThrownBy(() -> other.fill(flag, 2)).isInstanceOf(RaceException.class);
      assertThatThrownBy(() -> other.copy(flag, new int[1])).isInstanceOf(RaceException.class);
      writer.await();
    }
  }

  @Test
  void aConditionThatNoNumberMeetsIsRefused() {
    try (Stream stream = device.stream();
        GlobalInts flag = zeros(1);
        GlobalLongs wide = device.allocateLongSignals(1)) {
      for (Runnable never :
          List.<Runnable>of(
              () -> stream.waitValue(flag, 0, 0, ValueCondition.COMMON_BIT),
              () -> stream.waitValue(flag, 0, -1, ValueCondition.COMMON_ZERO),
              () -> stream.waitValue(wide, 0, 0, ValueCondition.COMMON_BIT),
              () -> stream.waitValue(wide, 0, -1, ValueCondition.COMMON_ZERO))) {
        assertThatThrownBy(never::run)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("for ever");
      }
      stream.await();
    }
  }

  @Test
  void otherPlacesAreRefused() {
    try (Stream stream = device.stream();
        GlobalInts flag = zeros(2);
        GlobalInts gone = device.allocateSignals(1);
        GlobalInts pooled = device.allocateInts(1)) {
      assertThatThrownBy(() -> stream.writeValue(flag, 2, 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> stream.waitValue(flag, -1, 1, ValueCondition.EQUAL))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> stream.writeValue(pooled, 0, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("allocateSignals");
      assertThatThrownBy(() -> stream.waitValue(pooled, 0, 1, ValueCondition.EQUAL))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("allocateSignals");
      gone.close();
      assertThatThrownBy(() -> stream.writeValue(gone, 0, 1)).isInstanceOf(ClosedException.class);
      assertThatThrownBy(
              () ->
                  Graph.capture(stream, () -> stream.waitValue(pooled, 0, 1, ValueCondition.EQUAL)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("allocateSignals");
    }
  }
}
