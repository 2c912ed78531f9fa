package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Awaitable;
import dev.stretto.Copy;
import dev.stretto.CopyRequest;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.fault.CopyFailedException;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * That a program which awaits only the last of its work hears of what failed before: what comes
 * behind a copy that failed works with what that copy should have brought.
 */
class EarlierFailureTest extends ContractTest {
  private static final int SIZE = 3_000_001;

  private final byte[] result = new byte[SIZE];

  /** Awaits, in one way or another, what was made of the stream behind a copy that fails. */
  private interface Way {
    void await(Stream stream, GlobalBytes array) throws Exception;
  }

  private void hears(Way way) throws Exception {
    try (LoggedErrors logged = new LoggedErrors()) {
      try (Stream stream = device.stream();
          GlobalBytes array = device.allocateBytes(SIZE)) {
        Event before = stream.record();
        enqueueCopyThatFails(stream, array);
        before.await(); // has nothing to do with it
        assertThatThrownBy(() -> way.await(stream, array))
            .satisfiesAnyOf(
                thrown -> assertThat(thrown).isInstanceOf(CopyFailedException.class),
                thrown -> assertThat(thrown).hasCauseInstanceOf(CopyFailedException.class));
        stream.copy(array, result).await(); // it was told
        assertThatThrownBy(stream::await).isInstanceOf(CopyFailedException.class);
      }
      device.await();
      assertThat(logged.all()).isEmpty();
    }
  }

  private Copy enqueueCopyThatFails(Stream stream, GlobalBytes array) {
    Arena arena = Arena.ofShared();
    Gate gate = gate(stream);
    Copy copy = stream.copy(arena.allocate(SIZE), array);
    arena.close();
    gate.open();
    return copy;
  }

  @Test
  void aCopyBehindOneThatFailedHearsOfIt() throws Exception {
    hears((stream, array) -> stream.copy(array, result).await());
    hears((stream, array) -> stream.copy(array, result).await(Duration.ofMinutes(1)));
  }

  @Test
  void anEventBehindACopyThatFailedHearsOfIt() throws Exception {
    hears((stream, _) -> stream.record().await());
    hears((stream, array) -> stream.fill(array, (byte) 1).await());
    hears((stream, _) -> stream.then(() -> {}).await());
  }

  @Test
  void aBatchBehindACopyThatFailedHearsOfIt() throws Exception {
    hears(
        (stream, array) ->
            stream.copyAll(List.of(CopyRequest.of(array, MemorySegment.ofArray(result)))).await());
  }

  @Test
  void theFutureOfWhatComesBehindACopyThatFailedHearsOfIt() throws Exception {
    hears((stream, array) -> stream.copy(array, result).toCompletableFuture().get());
    hears((stream, _) -> stream.record().toCompletableFuture().get());
  }

  @Test
  void aQuestionThatIsAnsweredWithYesHearsOfItToo() throws Exception {
    hears(
        (stream, array) -> {
          Copy copy = stream.copy(array, result);
          while (!copy.isDone()) {
            Thread.onSpinWait();
          }
        });
  }

  @Test
  void whoHasHeardOfAFailureDoesNotHearOfItAgainFromWhatComesBehind() {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      List<Function<Stream, Awaitable>> ways =
          List.of(Stream::record, s -> s.copy(array, result), s -> s.fill(array, (byte) 2));
      for (Function<Stream, Awaitable> way : ways) {
        Copy failed = enqueueCopyThatFails(stream, array);
        Awaitable behind = way.apply(stream);
        assertThatThrownBy(failed::await).isInstanceOf(CopyFailedException.class);
        assertThatCode(behind::await).doesNotThrowAnyException();
        assertThatThrownBy(failed::await).isInstanceOf(CopyFailedException.class);
      }
      assertThatThrownBy(stream::await).isInstanceOf(CopyFailedException.class);
    }
  }

  @Test
  void severalFailuresAreHeardOfOneByOne() {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      enqueueCopyThatFails(stream, array);
      enqueueCopyThatFails(stream, array);
      Event behind = stream.record();
      assertThatThrownBy(behind::await).isInstanceOf(CopyFailedException.class);
      assertThatThrownBy(behind::await).isInstanceOf(CopyFailedException.class);
      assertThatCode(behind::await).doesNotThrowAnyException();
      assertThatThrownBy(stream::await).isInstanceOf(CopyFailedException.class);
    }
  }

  @Test
  void aStreamThatHasWaitedForTheOneOnWhichACopyFailedHearsOfIt() throws Exception {
    for (boolean late : new boolean[] {false, true}) {
      hears(
          (stream, array) -> {
            Event event = stream.record();
            if (late) {
              awaitWithoutHearing(stream);
            }
            try (Stream other = device.stream();
                Stream third = device.stream()) {
              other.waitFor(event);
              third.waitFor(other.record());
              third.fill(array, (byte) 1).await();
            }
          });
      hears(
          (stream, _) -> {
            Event event = stream.record();
            if (late) {
              awaitWithoutHearing(stream);
            }
            try (Stream other = device.stream()) {
              other.waitFor(event);
              other.await();
            }
          });
    }
  }

  /** Waits until all is done that a stream holds, and learns nothing of how it went. */
  private void awaitWithoutHearing(Stream stream) {
    eventually(
        "the stream is idle",
        () -> {
          opened.settle();
          return stream.isIdle();
        });
  }

  @Test
  void aStreamThatHasWaitedForACopyToTheHostThatFailedHearsOfIt() {
    try (Stream stream = device.stream();
        Stream other = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      Arena arena = Arena.ofShared();
      Gate gate = gate(stream);
      Copy copy = stream.copy(array, arena.allocate(SIZE));
      Event event = stream.record();
      arena.close();
      other.waitFor(event);
      Event behind = other.record();
      gate.open();
      assertThatThrownBy(behind::await).isInstanceOf(CopyFailedException.class);
      assertThatCode(behind::await).doesNotThrowAnyException();
      assertThatThrownBy(copy::await).isInstanceOf(CopyFailedException.class);
      assertThatThrownBy(stream::await).isInstanceOf(CopyFailedException.class);
      other.await();
    }
  }

  @Test
  void aStreamThatWaitedForWhatWasBeforeACopyThatFailedHearsNothing() throws Exception {
    try (Stream stream = device.stream();
        Stream other = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE);
        GlobalBytes another = device.allocateBytes(SIZE)) {
      Event before = stream.record();
      Copy failed = enqueueCopyThatFails(stream, array);
      other.waitFor(before);
      other.copy(another, result).toCompletableFuture().get();
      other.await();
      assertThatThrownBy(failed::await).isInstanceOf(CopyFailedException.class);
      assertThatThrownBy(stream::await).isInstanceOf(CopyFailedException.class);
    }
  }
}
