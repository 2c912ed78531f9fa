package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.fault.RaceException;
import dev.stretto.memory.GlobalFloats;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * With {@code -Ddev.stretto.order=checked}, operations that nothing orders are refused, and those
 * that something orders are not: on every device, on the first run.
 */
@WithOrder("checked")
abstract class CheckedPrograms extends ContractTest {
  static final int LENGTH = 64;

  /** What a program has. */
  static final class Hands {
    final Device device;

    /** Another device if there is one. */
    final Device peer;

    final Stream first;
    final Stream second;
    final Stream third;
    final GlobalFloats a;
    final GlobalFloats b;
    final float[] host = new float[LENGTH];
    final float[] other = new float[LENGTH];

    Hands(Device device, Device peer, List<Stream> streams, GlobalFloats a, GlobalFloats b) {
      this.device = device;
      this.peer = peer;
      this.first = streams.get(0);
      this.second = streams.get(1);
      this.third = streams.get(2);
      this.a = a;
      this.b = b;
    }

    /** {@return an array that no other operation uses; the device frees it when it is closed} */
    GlobalFloats c() {
      return device.allocateFloats(LENGTH);
    }
  }

  /** A program. */
  interface Program {
    void run(Hands with) throws Exception;
  }

  /** Programs by what they do. */
  static final class Programs {
    final Map<String, Program> bad = new LinkedHashMap<>();
    final Map<String, Program> good = new LinkedHashMap<>();

    void bad(String name, Program program) {
      assertThat(bad.put(name, program)).isNull();
    }

    void good(String name, Program program) {
      assertThat(good.put(name, program)).isNull();
    }
  }

  private final Programs programs;

  CheckedPrograms(Programs programs) {
    this.programs = programs;
  }

  /** {@return the class whose lines the programs are} */
  String written() {
    return getClass().getName();
  }

  /** {@return whether the second of two operations is always written below the first one} */
  boolean areWrittenInOrder() {
    return true;
  }

  private void run(Program program) throws Exception {
    try (Stream first = device.stream("first");
        Stream second = device.stream("second");
        Stream third = device.stream("third");
        GlobalFloats a = device.allocateFloats(LENGTH);
        GlobalFloats b = device.allocateFloats(LENGTH)) {
      first.fill(a, 0).await();
      first.fill(b, 0).await();
      try {
        program.run(
            new Hands(device, opened.devices().getLast(), List.of(first, second, third), a, b));
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
    RaceException e = catchThrowableOfType(RaceException.class, () -> run(programs.bad.get(name)));
    assertThat(e).as("a race").isNotNull().hasMessageContaining("nothing orders it after");
    StackTraceElement first = e.first().orElseThrow();
    StackTraceElement second = e.second().orElseThrow();
    assertThat(first.getClassName()).startsWith(written());
    assertThat(second.getClassName()).startsWith(written());
    if (areWrittenInOrder()) {
      assertThat(second.getLineNumber()).isGreaterThan(first.getLineNumber());
    } else {
      assertThat(second.getLineNumber()).isNotEqualTo(first.getLineNumber());
    }
  }

  @ParameterizedTest
  @MethodSource("good")
  void whatIsOrderedIsNotRefused(String name) throws Exception {
    run(programs.good.get(name));
  }
}
