package dev.stretto.driver.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.driver.DriverException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class LaunchQueueTest {
  @Test
  void aFullStreamBlocksTheCallAndLetsItGoOnWhenThereIsRoom() throws InterruptedException {
    try (Rig rig = new Rig("queue=8")) {
      long stream = rig.stream();
      long device = rig.device.allocate(64);
      AtomicInteger enqueued = new AtomicInteger();
      try (Gate gate = new Gate(rig, stream)) {
        Thread thread =
            Thread.ofVirtual()
                .start(
                    () -> {
                      for (int i = 0; i < 20; i++) {
                        rig.device.fill(device, i, 1, 64, stream);
                        enqueued.incrementAndGet();
                      }
                    });
        while (enqueued.get() < 7 || thread.getState() != Thread.State.WAITING) {
          Thread.onSpinWait();
        }
        assertThat(enqueued).hasValue(7);
        // Others are not held up, neither streams nor calls.
        rig.await(rig.stream());
        assertThat(enqueued).hasValue(7);
        gate.open();
        thread.join();
      }
      rig.await(stream);
      assertThat(rig.bytes(device, 64)).containsOnly(19);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"queue=1", "queue=1,seed=1", "queue=3,seed=2", "queue=2,seed=3"})
  void aShortQueueSufficesForALongProgram(String config) {
    try (Rig rig = new Rig(config)) {
      long one = rig.stream();
      long two = rig.stream();
      long device = rig.device.allocate(64);
      for (int i = 0; i < 50; i++) {
        rig.device.fill(device, i, 1, 64, one);
        rig.device.waitEvent(two, rig.record(one));
        rig.device.fill(device, i + 1, 1, 64, two);
        rig.device.waitEvent(one, rig.record(two));
      }
      rig.await(one);
      assertThat(rig.bytes(device, 64)).containsOnly(50);
    }
  }

  @Test
  void recordsAndWaitsTakeNoPlaceInIt() {
    try (Rig rig = new Rig("queue=2,seed=1")) {
      long stream = rig.stream();
      long device = rig.device.allocate(64);
      long first = rig.device.createEvent(false);
      rig.device.fill(device, 1, 1, 64, stream);
      rig.device.recordEvent(first, stream);
      for (int i = 0; i < 20; i++) {
        rig.device.recordEvent(rig.device.createEvent(false), stream);
        rig.device.waitEvent(stream, first);
      }
      assertThat(rig.device.isDone(first)).as("nothing had to make room").isFalse();
      rig.device.fill(device, 2, 1, 64, stream);
      assertThat(rig.device.isDone(first)).as("that one had room too").isFalse();
      rig.await(stream);
      assertThat(rig.bytes(device, 64)).containsOnly(2);
    }
  }

  @Test
  void aQueueThatCanNeverHaveRoomIsADeadlock() {
    try (Rig rig = new Rig("queue=1,seed=1")) {
      long stream = rig.stream();
      long device = rig.device.allocate(64);
      DriverException[] thrown = new DriverException[1];
      long kernel =
          rig.kernel(
              () -> {
                try {
                  rig.device.fill(device, 2, 1, 64, stream);
                } catch (DriverException e) {
                  thrown[0] = e;
                }
              });
      rig.launch(kernel, stream);
      rig.await(stream);
      assertThat(thrown[0].kind()).isEqualTo(DriverException.Kind.DEADLOCK);
      assertThat(thrown[0])
          .hasMessageContaining("cuMemsetAsync into a full stream")
          .hasMessageContaining("launch of body, 1 blocks, which is running");
    }
  }

  @Test
  void theModelledHostWaitsForRoomToo() {
    try (Rig rig = new Rig("queue=4")) {
      long stream = rig.stream();
      long kernel = rig.kernel((first, last, parameters, memory) -> {}, 1_000_000);
      for (int i = 0; i < 4; i++) {
        rig.launch(kernel, stream);
      }
      assertThat(rig.device.clock().now()).isLessThan(20_000);
      rig.launch(kernel, stream);
      assertThat(rig.device.clock().now()).isBetween(1_000_000L, 1_020_000L);
    }
  }

  @Test
  void aLostDeviceLetsGoOfWhoIsBlocked() throws InterruptedException {
    try (Rig rig = new Rig("queue=2")) {
      long stream = rig.stream();
      long device = rig.device.allocate(64);
      Gate gate = new Gate(rig, stream);
      rig.launch(
          rig.kernel(
              () -> {
                throw new IndexOutOfBoundsException("astray");
              }),
          stream);
      Thread blocked = Thread.currentThread();
      Thread opener =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (blocked.getState() != Thread.State.WAITING) {
                      Thread.onSpinWait();
                    }
                    gate.open();
                  });
      assertThatThrownBy(
              () -> {
                while (true) {
                  rig.device.fill(device, 1, 1, 64, stream);
                }
              })
          .hasMessageContaining("astray");
      opener.join();
    }
  }
}
