package dev.stretto.driver.virtual;

import static dev.stretto.driver.DriverDevice.LEGACY_STREAM;
import static dev.stretto.driver.DriverDevice.PER_THREAD_STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class DefaultStreamTest {
  private final List<String> order = Collections.synchronizedList(new ArrayList<>());

  private void run(Rig rig, String name, long stream) {
    rig.launch(rig.kernel(() -> order.add(name)), stream);
  }

  private static void inAnotherThread(Runnable body) throws InterruptedException {
    Thread thread = Thread.ofPlatform().start(body);
    thread.join();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "seed=1", "seed=2", "seed=3", "seed=4", "seed=5"})
  void theLegacyStreamWaitsForEveryThreadsAndTheyWaitForIt(String config)
      throws InterruptedException {
    try (Rig rig = new Rig(config)) {
      Gate mine = new Gate(rig, PER_THREAD_STREAM);
      run(rig, "mine", PER_THREAD_STREAM);
      inAnotherThread(() -> run(rig, "other", PER_THREAD_STREAM));
      run(rig, "legacy", LEGACY_STREAM);
      run(rig, "mine later", PER_THREAD_STREAM);
      mine.open();
      rig.await(LEGACY_STREAM);
      assertThat(order.subList(0, 3)).containsExactlyInAnyOrder("mine", "other", "legacy");
      assertThat(order.get(2)).isEqualTo("legacy");
      rig.await(PER_THREAD_STREAM);
      assertThat(order.get(3)).isEqualTo("mine later");
    }
  }

  @Test
  void eachThreadHasAStreamOfItsOwn() throws InterruptedException {
    try (Rig rig = new Rig("")) {
      try (Gate gate = new Gate(rig, PER_THREAD_STREAM)) {
        inAnotherThread(() -> rig.await(PER_THREAD_STREAM));
        assertThat(rig.device.isDone(rig.record(PER_THREAD_STREAM))).isFalse();
        gate.open();
      }
    }
  }

  @Test
  void createdStreamsDoNotSynchronizeWithTheLegacyStream() {
    try (Rig rig = new Rig("")) {
      long stream = rig.stream();
      try (Gate gate = new Gate(rig, LEGACY_STREAM)) {
        rig.await(stream);
        gate.open();
      }
      try (Gate gate = new Gate(rig, stream)) {
        rig.await(LEGACY_STREAM);
        gate.open();
      }
    }
  }

  @Test
  void aSeedMakesUseOfThatFreedom() {
    Set<List<String>> orders = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      order.clear();
      try (Rig rig = new Rig("seed=" + seed)) {
        long stream = rig.stream();
        run(rig, "created", stream);
        run(rig, "legacy", LEGACY_STREAM);
        rig.await(stream);
        rig.await(LEGACY_STREAM);
        orders.add(List.copyOf(order));
      }
    }
    assertThat(orders).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "seed=1", "seed=2", "seed=3", "seed=4", "seed=5"})
  void theLegacyStreamWaitsForBlockingStreamsAndTheyWaitForIt(String config) {
    try (Rig rig = new Rig(config)) {
      long one = rig.device.createBlockingStream(0);
      long two = rig.device.createBlockingStream(0);
      for (int i = 0; i < 10; i++) {
        run(rig, "one", one);
        run(rig, "two", two);
        run(rig, "legacy", LEGACY_STREAM);
        run(rig, "legacy again", LEGACY_STREAM);
        run(rig, "later", i % 2 == 0 ? one : two);
        run(rig, "legacy at last", LEGACY_STREAM);
      }
      rig.await(LEGACY_STREAM);
      rig.await(one);
      rig.await(two);
      for (int i = 0; i < 10; i++) {
        List<String> round = order.subList(6 * i, 6 * i + 6);
        assertThat(round.subList(0, 2)).containsExactlyInAnyOrder("one", "two");
        assertThat(round.subList(2, 6))
            .containsExactly("legacy", "legacy again", "later", "legacy at last");
      }
      assertThat(rig.device.waitsForLegacyStream(one)).isTrue();
      assertThat(rig.device.waitsForLegacyStream(rig.stream())).isFalse();
    }
  }

  @Test
  void aBlockingStreamHoldsTheLegacyStreamUpAndIsHeldUpByIt() {
    try (Rig rig = new Rig("")) {
      long stream = rig.device.createBlockingStream(0);
      try (Gate gate = new Gate(rig, stream)) {
        long event = rig.record(LEGACY_STREAM);
        rig.await(rig.stream());
        assertThat(rig.device.isDone(event)).isFalse();
        gate.open();
      }
      rig.await(LEGACY_STREAM);
      try (Gate gate = new Gate(rig, LEGACY_STREAM)) {
        long event = rig.record(stream);
        rig.await(rig.stream());
        assertThat(rig.device.isDone(event)).isFalse();
        gate.open();
      }
      rig.await(stream);
    }
  }

  @Test
  void theLegacyStreamIsNotIdleWhileABlockingStreamHoldsWork() {
    try (Rig rig = new Rig("")) {
      for (long stream : new long[] {PER_THREAD_STREAM, rig.device.createBlockingStream(0)}) {
        try (Gate gate = new Gate(rig, stream)) {
          assertThat(rig.device.isIdle(LEGACY_STREAM)).isFalse();
          gate.open();
        }
        rig.await(stream);
        assertThat(rig.device.isIdle(LEGACY_STREAM)).isTrue();
      }
      try (Gate gate = new Gate(rig, rig.stream())) {
        assertThat(rig.device.isIdle(LEGACY_STREAM)).isTrue();
        gate.open();
      }
    }
  }

  @Test
  void blockingStreamsDoNotWaitForEachOther() {
    try (Rig rig = new Rig("")) {
      long stream = rig.device.createBlockingStream(0);
      try (Gate gate = new Gate(rig, rig.device.createBlockingStream(0))) {
        rig.await(stream);
        gate.open();
      }
    }
  }

  @Test
  void theModelledTimesKeepTheRuleToo() {
    try (Rig rig = new Rig("")) {
      long event = rig.device.createEvent(true);
      rig.launch(rig.kernel((first, last, parameters, memory) -> {}, 1_000_000), PER_THREAD_STREAM);
      rig.device.recordEvent(event, LEGACY_STREAM);
      rig.device.awaitEvent(event);
      assertThat(rig.device.eventNanos(event)).isGreaterThan(1_000_000);
    }
  }
}
