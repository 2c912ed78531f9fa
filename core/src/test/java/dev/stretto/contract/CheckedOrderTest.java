package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.fault.RaceException;
import dev.stretto.memory.GlobalFloats;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * With {@code -Ddev.stretto.order=checked}, copies and fills that nothing orders are refused, and
 * those that something orders are not: on every device, on the first run.
 */
class CheckedOrderTest extends ContractTest {
  private static final String PROPERTY = "dev.stretto.order";
  private static final int LENGTH = 64;

  /** What a program has. */
  private static final class Hands {
    final Device device;
    final Stream first;
    final Stream second;
    final Stream third;
    final GlobalFloats a;
    final GlobalFloats b;
    final float[] host = new float[LENGTH];
    final float[] other = new float[LENGTH];

    Hands(Device device, List<Stream> streams, GlobalFloats a, GlobalFloats b) {
      this.device = device;
      this.first = streams.get(0);
      this.second = streams.get(1);
      this.third = streams.get(2);
      this.a = a;
      this.b = b;
    }
  }

  /** A program. */
  private interface Program {
    void run(Hands with);
  }

  private static final Map<String, Program> BAD = new LinkedHashMap<>();
  private static final Map<String, Program> GOOD = new LinkedHashMap<>();

  static {
    BAD.put(
        "out of what another stream copies in",
        with -> {
          with.first.copy(with.host, with.a);
          with.second.copy(with.a, with.other);
        });
    GOOD.put(
        "the same behind a wait of the stream",
        with -> {
          with.first.copy(with.host, with.a);
          with.second.waitFor(with.first.record());
          with.second.copy(with.a, with.other);
        });
    GOOD.put(
        "the same behind a wait of the host",
        with -> {
          with.first.copy(with.host, with.a).await();
          with.second.copy(with.a, with.other);
        });
    GOOD.put(
        "the same behind a question that was answered",
        with -> {
          Copy copy = with.first.copy(with.host, with.a);
          while (!copy.isDone()) {
            Thread.onSpinWait();
          }
          with.second.copy(with.a, with.other);
        });
    GOOD.put(
        "the same behind a future",
        with -> {
          CompletableFuture<Void> copied = with.first.copy(with.host, with.a).toCompletableFuture();
          copied.join();
          with.second.copy(with.a, with.other);
        });
    BAD.put(
        "the event is recorded too early",
        with -> {
          Event event = with.first.record();
          with.first.copy(with.host, with.a);
          with.second.waitFor(event);
          with.second.copy(with.a, with.other);
        });
    BAD.put(
        "the wait comes too late",
        with -> {
          with.first.fill(with.a, 1);
          with.second.copy(with.a, with.b);
          with.second.waitFor(with.first.record());
        });
    BAD.put(
        "the wrong stream waits",
        with -> {
          with.first.fill(with.a, 1);
          with.third.waitFor(with.first.record());
          with.second.copy(with.a, with.b);
        });
    GOOD.put(
        "a chain of waits",
        with -> {
          with.first.fill(with.a, 1);
          with.third.waitFor(with.first.record());
          with.second.waitFor(with.third.record());
          with.second.copy(with.a, with.b);
        });
    BAD.put(
        "a chain with a gap",
        with -> {
          with.first.fill(with.a, 1);
          Event event = with.third.record();
          with.third.waitFor(with.first.record());
          with.second.waitFor(event);
          with.second.copy(with.a, with.b);
        });
    BAD.put(
        "two streams fill the same",
        with -> {
          with.first.fill(with.a, 1);
          with.second.fill(with.a.slice(63, 1), 2);
        });
    GOOD.put(
        "two streams fill what lies side by side",
        with -> {
          with.first.fill(with.a.slice(0, 32), 1);
          with.second.fill(with.a.slice(32, 32), 2);
        });
    BAD.put(
        "a writer waits for one of two readers",
        with -> {
          with.first.copy(with.a, with.host);
          with.second.copy(with.a, with.other);
          with.third.waitFor(with.second.record());
          with.third.fill(with.a, 1);
        });
    GOOD.put(
        "a writer waits for two readers",
        with -> {
          with.first.copy(with.a, with.host);
          with.second.copy(with.a, with.other);
          with.third.waitFor(with.second.record());
          with.third.waitFor(with.first.record());
          with.third.fill(with.a, 1);
        });
    BAD.put(
        "in from a host array that a copy still fills",
        with -> {
          with.first.copy(with.a, with.host);
          with.second.copy(with.host, with.b);
        });
    GOOD.put(
        "the same on one stream",
        with -> {
          with.first.copy(with.a, with.host);
          with.first.copy(with.host, with.b);
        });
    GOOD.put(
        "two read one host array",
        with -> {
          with.first.copy(with.host, with.a);
          with.second.copy(with.host, with.b);
        });
    BAD.put(
        "columns that overlap by one element",
        with -> {
          with.first.copy2D(with.a, 32, with.b, 32, 16, 8);
          with.second.copy2D(with.a, 32, with.b.slice(3, 61), 32, 16, 7);
        });
    GOOD.put(
        "columns side by side",
        with -> {
          with.first.copy2D(with.a, 32, with.b, 32, 16, 8);
          with.second.copy2D(with.a, 32, with.b.slice(4, 60), 32, 16, 7);
        });
    GOOD.put(
        "a callback waits for the other stream",
        with -> {
          Event filled = with.first.fill(with.a, 1);
          with.second.then(filled::await);
          with.second.copy(with.a, with.b);
        });
    GOOD.put(
        "a callback waits for a stream that is closed",
        with -> {
          Event filled;
          try (Stream closed = with.device.stream("closed")) {
            filled = closed.fill(with.a, 1);
          }
          with.second.then(filled::await);
          with.second.copy(with.a, with.b);
        });
    GOOD.put(
        "a callback of the other stream enqueues",
        with -> {
          with.first.fill(with.a, 1);
          with.first.then(() -> with.second.copy(with.a, with.b)).await();
        });
    for (int k : new int[] {0, 1, 4, 64}) {
      BAD.put(
          k + " other operations are awaited in between",
          with -> {
            with.first.fill(with.a, 1);
            for (int i = 0; i < k; i++) {
              with.third.fill(with.b, i).await();
            }
            with.second.copy(with.a, with.other);
          });
    }
  }

  @BeforeEach
  @Override
  void open() {
    System.setProperty(PROPERTY, "checked"); // read when a device is opened
    try {
      super.open();
    } finally {
      System.clearProperty(PROPERTY);
    }
  }

  static Set<String> bad() {
    return BAD.keySet();
  }

  static Set<String> good() {
    return GOOD.keySet();
  }

  private void run(Program program) {
    try (Stream first = device.stream("first");
        Stream second = device.stream("second");
        Stream third = device.stream("third");
        GlobalFloats a = device.allocateFloats(LENGTH);
        GlobalFloats b = device.allocateFloats(LENGTH)) {
      first.fill(a, 0).await();
      first.fill(b, 0).await();
      try {
        program.run(new Hands(device, List.of(first, second, third), a, b));
      } finally {
        first.await();
        second.await();
        third.await();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("bad")
  void aRaceIsRefusedWithBothLines(String name) {
    RaceException e = catchThrowableOfType(RaceException.class, () -> run(BAD.get(name)));
    assertThat(e).as("a race").isNotNull().hasMessageContaining("nothing orders it after");
    StackTraceElement first = e.first().orElseThrow();
    StackTraceElement second = e.second().orElseThrow();
    assertThat(first.getClassName()).isEqualTo(CheckedOrderTest.class.getName());
    assertThat(second.getClassName()).isEqualTo(CheckedOrderTest.class.getName());
    assertThat(second.getLineNumber()).isGreaterThan(first.getLineNumber());
  }

  @ParameterizedTest
  @MethodSource("good")
  void whatIsOrderedIsNotRefused(String name) {
    run(GOOD.get(name));
  }
}
