package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Event;
import dev.stretto.ForeignWork;
import dev.stretto.Stream;
import dev.stretto.fault.DeadlockException;
import dev.stretto.memory.GlobalInts;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Another library's work that takes its time to be enqueued holds its stream until it is. */
class LateForeignWorkTest extends ContractTest {
  private record Late(Runnable rest) implements ForeignWork {
    @Override
    public boolean enqueue(long stream, Consumer<RuntimeException> failed) {
      return false;
    }

    @Override
    public void awaitEnqueued() {
      rest.run();
    }
  }

  /** Calls the work, behind a callback or not. */
  private static Event call(Stream stream, boolean isHeldBack, Runnable rest) {
    if (isHeldBack) {
      Event _ = stream.then(() -> {});
    }
    return stream.call(new Late(rest), List.of(), List.of());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWaitLastsUntilTheWorkIsEnqueued(boolean isHeldBack) {
    AtomicBoolean enqueued = new AtomicBoolean();
    int[] found = new int[100];
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(100)) {
      stream.fill(array, 1);
      Event event =
          call(
              stream,
              isHeldBack,
              () -> {
                sleep();
                enqueued.set(true);
              });
      stream.fill(array, 2);
      event.await();
      assertThat(enqueued).isTrue();
      stream.copy(array, found).await();
    }
    assertThat(found).containsOnly(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theWorkMayAwaitAnotherStream(boolean isHeldBack) {
    int[] found = new int[100];
    try (Stream stream = device.stream();
        Stream other = device.stream();
        GlobalInts array = device.allocateInts(100)) {
      other.fill(array, 5);
      other.copy(array, found);
      Event copied = other.record();
      Event event = call(stream, isHeldBack, copied::await);
      event.await();
      assertThat(found).containsOnly(5);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theWorkCannotAwaitWhatComesAfterIt(boolean isHeldBack) {
    try (Stream stream = device.stream();
        Stream other = device.stream()) {
      Event event = call(stream, isHeldBack, stream::await);
      other.waitFor(event);
      assertThatThrownBy(event::await)
          .isInstanceOf(DeadlockException.class)
          .hasMessageContaining("can never happen")
          .hasMessageContaining("let the call return");
      other.record().await(); // the streams go on
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(40);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
