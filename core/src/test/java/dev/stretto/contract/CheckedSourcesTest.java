package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Copy;
import dev.stretto.PinnedArena;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.fault.RaceException;
import dev.stretto.memory.GlobalFloats;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/**
 * With a checked order, a wait reports a source that the program wrote before its copy was done.
 */
@WithOrder("checked")
class CheckedSourcesTest extends ContractTest {
  private static final int LENGTH = 1 << 18;

  /** A program with a pinned source. */
  private interface Program {
    void run(Stream stream, MemorySegment host, GlobalFloats array);
  }

  private void run(Program program) {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalFloats array = device.allocateFloats(LENGTH)) {
      program.run(stream, pinned.allocate(LENGTH * 4L), array);
    }
  }

  private static void write(MemorySegment host) {
    host.set(ValueLayout.JAVA_INT, 4L * (LENGTH - 1), 7);
  }

  @Test
  void theWaitTellsThatAPinnedSourceWasWrittenTooEarly() {
    run(
        (stream, host, array) -> {
          Copy copy = stream.copy(host, array);
          write(host);
          RaceException race = catchThrowableOfType(RaceException.class, copy::await);
          assertThat(race).hasMessageContaining("before that was done");
          assertThat(race.first().orElseThrow().getClassName())
              .isEqualTo(CheckedSourcesTest.class.getName());
        });
  }

  @Test
  void theWaitTellsThatAnArrayWasWrittenTooEarly() {
    float[] source = new float[LENGTH];
    run(
        (stream, host, array) -> {
          Copy copy = stream.copy(source, array);
          source[77] = 1;
          assertThatThrownBy(copy::await).isInstanceOf(RaceException.class);
        });
  }

  @Test
  void theWaitTellsThatARowWasWrittenTooEarly() {
    float[][] rows = new float[4][LENGTH / 4];
    run(
        (stream, host, array) -> {
          Copy copy = stream.copyRows(rows, array);
          rows[2][77] = 1;
          assertThatThrownBy(copy::await)
              .isInstanceOf(RaceException.class)
              .hasMessageContaining("a copy of rows");
        });
  }

  @Test
  void aFutureTellsAsWell() {
    assumeTrue(machine.isSeeded()); // elsewhere the copy may be done, and known to be, before
    run(
        (stream, host, array) -> {
          var future = stream.copy(host, array).toCompletableFuture();
          write(host);
          assertThatThrownBy(
                  () -> {
                    stream.record().await();
                    future.join();
                  })
              .satisfiesAnyOf(
                  e -> assertThat(e).isInstanceOf(RaceException.class),
                  e -> assertThat(e).hasCauseInstanceOf(RaceException.class));
        });
  }

  @Test
  void anotherStreamTellsAsWell() {
    run(
        (stream, host, array) -> {
          try (Stream other = device.stream()) {
            stream.copy(host, array);
            other.waitFor(stream.record());
            write(host); // nobody has asked yet
            assertThatThrownBy(other::await).isInstanceOf(RaceException.class);
          }
        });
  }

  @Test
  void aSourceThatACallbackMayWriteIsNotTold() {
    run(
        (stream, host, array) -> {
          stream.then(() -> write(host));
          stream.copy(host, array);
          stream.await();
        });
  }

  @Test
  void theProgramMayWriteASourceBehindTheWait() {
    run(
        (stream, host, array) -> {
          for (int i = 0; i < 3; i++) {
            Copy copy = stream.copy(host, array);
            copy.await();
            write(host);
          }
        });
  }

  @Test
  void anOperationMayWriteASourceInOrder() {
    run(
        (stream, host, array) -> {
          stream.copy(host, array);
          stream.fill(array, 3);
          stream.copy(array, host);
          stream.await();
          assertThat(host.get(ValueLayout.JAVA_FLOAT, 0)).isEqualTo(3);
        });
  }

  @Test
  void aSmallArrayIsToldToo() {
    float[] source = new float[16];
    run(
        (stream, host, array) -> {
          Copy copy = stream.copy(source, array.slice(0, 16));
          source[3] = 1;
          assertThatThrownBy(copy::await).isInstanceOf(RaceException.class);
        });
  }

  @Test
  void aSourceThatTheRouteSaysWasReadDuringTheCallMayBeWritten() {
    float[] source = new float[16];
    run(
        (stream, host, array) -> {
          int inline = 0;
          for (int i = 0; i < 100; i++) {
            Copy copy = stream.copy(source, array.slice(0, 16));
            if (copy.route().kind() == Route.Kind.INLINE) {
              inline++;
              source[3] = i + 1;
            }
            copy.await();
          }
          if (!machine.isSeeded()) { // while a stream starves, no copy is read during its call
            assertThat(inline).isPositive();
          }
        });
  }
}
