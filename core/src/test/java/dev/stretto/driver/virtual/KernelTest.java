package dev.stretto.driver.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.LaunchShape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class KernelTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "seed=1"})
  void everyBlockRunsOnce(String config) {
    try (Rig rig = new Rig(config)) {
      int blocks = 1003;
      long device = rig.device.allocate(4L * blocks);
      long stream = rig.stream();
      rig.device.fill(device, 0, 4, blocks, stream);
      AtomicInteger calls = new AtomicInteger();
      long kernel =
          rig.kernel(
              (first, last, parameters, memory) -> {
                calls.incrementAndGet();
                MemorySegment counts = memory.at(parameters.get(ValueLayout.JAVA_LONG, 0));
                for (long block = first; block < last; block++) {
                  counts.setAtIndex(
                      ValueLayout.JAVA_INT,
                      block,
                      counts.getAtIndex(ValueLayout.JAVA_INT, block) + 1);
                }
              },
              0);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment parameters = arena.allocateFrom(ValueLayout.JAVA_LONG, device);
        rig.launch(kernel, blocks, stream, parameters);
        // They were copied before the call returned.
        parameters.set(ValueLayout.JAVA_LONG, 0, 0);
      }
      rig.await(stream);
      byte[] bytes = rig.bytes(device, 4 * blocks);
      assertThat(MemorySegment.ofArray(bytes).toArray(ValueLayout.JAVA_INT_UNALIGNED))
          .containsOnly(1);
      if (config.isEmpty()) {
        assertThat(calls).hasValueGreaterThan(1);
      } else {
        assertThat(calls).hasValue(1);
      }
    }
  }

  @Test
  void anExtentThatTheDeviceDoesNotHaveIsRefused() {
    try (Rig rig = new Rig("")) {
      long stream = rig.stream();
      long kernel = rig.kernel(() -> {});
      int[][] wrong = {
        {0, 1, 1, 1, 1, 1, 0}, {1, 65_536, 1, 1, 1, 1, 0}, {1, 1, 1, 1025, 1, 1, 0},
        {1, 1, 1, 1, 1, 65, 0}, {1, 1, 1, 32, 33, 1, 0}, {1, 1, 1, 1, 1, 1, 232_449},
        {1, 1, 1, 1, 1, 1, -1}
      };
      for (int[] w : wrong) {
        DriverException e =
            catchThrowableOfType(
                DriverException.class,
                () ->
                    rig.device.launch(
                        kernel,
                        LaunchShape.of(w[0], w[1], w[2], w[3], w[4], w[5], w[6]),
                        stream,
                        MemorySegment.NULL,
                        MemorySegment.NULL));
        assertThat(e.kind()).isEqualTo(DriverException.Kind.INVALID);
      }
      rig.device.launch(
          kernel,
          LaunchShape.of(1, 1, 1, 32, 32, 1, 232_448),
          stream,
          MemorySegment.NULL,
          MemorySegment.NULL);
      rig.await(stream);
    }
  }

  @Test
  void aPointerOutsideTheParametersIsRefused() {
    try (Rig rig = new Rig("");
        Arena arena = Arena.ofConfined()) {
      long stream = rig.stream();
      long kernel = rig.kernel(() -> {});
      MemorySegment parameters = arena.allocate(16);
      MemorySegment pointers =
          arena.allocateFrom(
              ValueLayout.JAVA_LONG, parameters.address(), parameters.address() + 16);
      assertThatThrownBy(
              () ->
                  rig.device.launch(
                      kernel, LaunchShape.of(1, 1, 1, 1, 1, 1, 0), stream, parameters, pointers))
          .hasMessageContaining("parameter 1 is at")
          .hasMessageContaining("16 bytes at");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "seed=1"})
  void aKernelThatGoesAstrayLosesItsDeviceAndNoOther(String config) {
    VirtualDriver driver =
        new VirtualDriver(VirtualConfig.parse(config.isEmpty() ? "2" : "2," + config));
    try (DriverDevice healthy = driver.open(1)) {
      DriverDevice device = driver.open(0);
      long address = device.allocate(64);
      long stream = device.createStream(0);
      long event = device.createEvent(false);
      long waiting = healthy.createStream(0);
      long kernel =
          Rig.function(
              device,
              (first, last, parameters, memory) -> memory.at(address).get(ValueLayout.JAVA_INT, 64),
              0);
      device.launch(
          kernel,
          LaunchShape.of(1, 1, 1, 1, 1, 1, 0),
          stream,
          MemorySegment.NULL,
          MemorySegment.NULL);
      DriverException[] first = new DriverException[1];
      assertThatThrownBy(
              () -> {
                device.recordEvent(event, stream);
                healthy.waitEvent(waiting, event);
                device.awaitEvent(event);
              })
          .isInstanceOfSatisfying(DriverException.class, e -> first[0] = e);
      assertThat(first[0].kind()).isEqualTo(DriverException.Kind.LOST);
      assertThat(first[0].code()).isEqualTo(700);
      assertThat(first[0])
          .hasMessageContaining("in the launch of body")
          .hasMessageContaining("Out of bound access");
      assertThat(first[0].getSuppressed())
          .hasAtLeastOneElementOfType(IndexOutOfBoundsException.class);
      for (ThrowingCallable call :
          new ThrowingCallable[] {
            () -> device.allocate(1),
            () -> device.freeBytes(),
            () -> device.allocatePinned(1),
            () -> device.createStream(0),
            () -> device.createEvent(false),
            () -> device.isDone(event),
            () -> device.fill(address, 0, 1, 1, stream),
            () -> device.loadModule(new byte[0])
          }) {
        assertThat(catchThrowableOfType(DriverException.class, call).kind())
            .isEqualTo(DriverException.Kind.LOST);
      }
      device.free(address);
      device.destroyEvent(event);
      device.destroyStream(stream);
      long fine = healthy.createEvent(false);
      healthy.recordEvent(fine, waiting);
      healthy.awaitEvent(fine);
      device.close();
      assertThat(driver.live(0)).isEqualTo(LiveCounts.NONE);
      // Whoever opens it anew gets a new context.
      try (DriverDevice again = driver.open(0)) {
        again.free(again.allocate(64));
      }
    }
  }

  @Test
  void anAddressThatNoAllocationHoldsIsIllegalInAKernel() {
    try (Rig rig = new Rig("seed=1")) {
      long host = Arena.global().allocate(64).address();
      long stream = rig.stream();
      rig.launch(rig.kernel((first, last, parameters, memory) -> memory.at(host), 0), stream);
      assertThatThrownBy(() -> rig.await(stream))
          .hasMessageContaining("kernel body")
          .hasMessageContaining("is a host address; a device address is needed here");
    }
  }

  @Test
  void aKernelReachesPinnedMemoryByItsAddress() {
    try (Rig rig = new Rig("seed=1")) {
      long host = rig.pinned(64, 0);
      long stream = rig.stream();
      rig.launch(
          rig.kernel(
              (first, last, parameters, memory) ->
                  memory.at(host + 8).set(ValueLayout.JAVA_INT_UNALIGNED, 0, 4711),
              0),
          stream);
      rig.await(stream);
      MemorySegment seen = MemorySegment.ofAddress(host).reinterpret(64);
      assertThat(seen.get(ValueLayout.JAVA_INT_UNALIGNED, 8)).isEqualTo(4711);
    }
  }
}
