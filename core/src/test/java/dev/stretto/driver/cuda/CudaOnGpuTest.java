package dev.stretto.driver.cuda;

import static dev.stretto.driver.CopyKind.DEVICE_TO_DEVICE;
import static dev.stretto.driver.CopyKind.DEVICE_TO_HOST;
import static dev.stretto.driver.CopyKind.HOST_TO_DEVICE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException.Kind;
import dev.stretto.driver.LaunchShape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the driver takes for granted of CUDA, checked where there is a GPU. */
class CudaOnGpuTest {
  private static final String PTX =
      """
      .version 7.0
      .target sm_70
      .address_size 64
      .extern .shared .align 16 .b8 tile[];
      .visible .entry add(.param .u64 out, .param .u32 a, .param .u64 b)
      {
        .reg .b64 %rd<4>;
        .reg .b32 %r<4>;
        ld.param.u64 %rd1, [out];
        ld.param.u32 %r1, [a];
        ld.param.u64 %rd2, [b];
        cvt.u32.u64 %r2, %rd2;
        add.u32 %r3, %r1, %r2;
        cvta.to.global.u64 %rd3, %rd1;
        st.global.u32 [%rd3], %r3;
        ret;
      }
      .visible .entry far(.param .u64 out)
      {
        .reg .b64 %rd<3>;
        .reg .b32 %r<4>;
        ld.param.u64 %rd1, [out];
        cvta.to.global.u64 %rd2, %rd1;
        mov.u32 %r1, 4711;
        mov.u32 %r2, tile;
        st.shared.u32 [%r2+65532], %r1;
        ld.shared.u32 %r3, [%r2+65532];
        st.global.u32 [%rd2], %r3;
        ret;
      }
      """;

  private static CudaDriver driver;
  private static DriverDevice device;

  @BeforeAll
  static void open() {
    Loading loading = CudaDriver.load();
    if (loading instanceof Loading.Unavailable(String reason)) {
      Assumptions.abort(reason);
    } else if (loading instanceof Loading.Ready(CudaDriver ready)) {
      driver = ready;
      device = driver.open(0);
    }
  }

  @AfterAll
  static void close() {
    if (device != null) {
      device.close();
    }
  }

  @Test
  void propertiesAreThoseOfAGpu() {
    assertThat(device.properties().computeMajor()).isGreaterThanOrEqualTo(5);
    assertThat(device.properties().warpSize()).isEqualTo(32);
    assertThat(device.properties().pciBusId()).matches("[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.0");
    assertThat(device.properties().greatestPriority()).isNegative();
    assertThat(driver.properties(0).name()).isEqualTo(device.properties().name());
  }

  @Test
  void aThreadThatNeverSawAContextCanMakeEveryCall() throws Exception {
    everyCallOn(0, Thread.ofPlatform()::start);
  }

  @Test
  void aVirtualThreadCanMakeEveryCall() throws Exception {
    everyCallOn(0, Thread.ofVirtual()::start);
  }

  @Test
  void aSecondDeviceCanBeUsedUnderTheContextOfTheFirst() throws Exception {
    Assumptions.assumeTrue(driver.deviceCount() > 1, "one GPU");
    everyCallOn(1, Thread.ofPlatform()::start);
    roundTrip(device);
    try (DriverDevice second = driver.open(1)) {
      roundTrip(second);
      roundTrip(device);
    }
  }

  private static void everyCallOn(int ordinal, Consumer<Runnable> start)
      throws InterruptedException, ExecutionException {
    try (DriverDevice opened = driver.open(ordinal)) {
      FutureTask<Boolean> task =
          new FutureTask<>(
              () -> {
                // First those that are made without a context, on a thread that has none.
                long memory = opened.allocate(1 << 20);
                opened.free(memory);
                roundTrip(opened);
                return true;
              });
      start.accept(task);
      assertThat(task.get()).isTrue();
    }
  }

  private static void roundTrip(DriverDevice on) {
    final long stream = on.createStream(0);
    final long other = on.createStream(-100);
    final long start = on.createEvent(true);
    final long end = on.createEvent(true);
    final long bytes = 1 << 20;
    final long a = on.allocate(bytes);
    final long b = on.allocate(bytes);
    final long host = on.allocatePinned(2 * bytes);
    MemorySegment source = MemorySegment.ofAddress(host).reinterpret(bytes);
    MemorySegment back = MemorySegment.ofAddress(host + bytes).reinterpret(bytes);
    for (long i = 0; i < bytes / 8; i++) {
      source.setAtIndex(ValueLayout.JAVA_LONG, i, i * 0x9e37_79b9_7f4a_7c15L);
    }

    on.recordEvent(start, stream);
    on.copy(a, host, bytes, HOST_TO_DEVICE, stream);
    on.recordEvent(end, stream);
    on.waitEvent(other, end);
    on.copy(b, a, bytes, DEVICE_TO_DEVICE, other);
    on.copy(host + bytes, b, bytes, DEVICE_TO_HOST, other);
    on.recordEvent(end, other);
    while (!on.isDone(end)) {
      Thread.onSpinWait();
    }
    on.awaitEvent(end);

    assertThat(back.mismatch(source)).isEqualTo(-1);
    assertThat(on.elapsedNanos(start, end)).isPositive();
    on.recordEvent(end, DriverDevice.LEGACY_STREAM);
    on.waitEvent(DriverDevice.PER_THREAD_STREAM, end);
    on.awaitEvent(end);
    on.freePinned(host);
    on.free(b);
    on.free(a);
    on.destroyEvent(end);
    on.destroyEvent(start);
    on.destroyStream(other);
    on.destroyStream(stream);
  }

  @Test
  void rowsAndFillsWriteWhatTheySay() {
    long stream = device.createStream(0);
    long event = device.createEvent(false);
    long memory = device.allocate(4096);
    long target = device.allocate(4096);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment back = arena.allocate(4096);
      device.fill(memory, 0, 1, 4096, stream);
      device.fill(memory + 8, 0x0123_4567_89ab_cdefL, 8, 3, stream);
      device.fill(memory + 64, 0x1111_2222_3333_4444L, 4, 3, stream);
      device.fill(memory + 128, 0x7777, 2, 3, stream);
      device.fill(memory + 192, 0x55, 1, 3, stream);
      device.fill(target, 0, 4, 1024, stream);
      device.copy2D(target, 32, memory, 64, 24, 4, DEVICE_TO_DEVICE, stream);
      device.copyPageable(target, back, DEVICE_TO_HOST, stream);
      device.recordEvent(event, stream);
      device.awaitEvent(event);

      assertThat(back.get(ValueLayout.JAVA_LONG, 0)).isZero();
      assertThat(back.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(0x0123_4567_89ab_cdefL);
      assertThat(back.get(ValueLayout.JAVA_LONG, 16)).isEqualTo(0x0123_4567_89ab_cdefL);
      assertThat(back.get(ValueLayout.JAVA_LONG, 24)).isZero();
      assertThat(back.get(ValueLayout.JAVA_LONG, 32)).isEqualTo(0x3333_4444_3333_4444L);
      assertThat(back.get(ValueLayout.JAVA_LONG, 40)).isEqualTo(0x3333_4444L);
      assertThat(back.get(ValueLayout.JAVA_LONG, 64)).isEqualTo(0x7777_7777_7777L);
      assertThat(back.get(ValueLayout.JAVA_LONG, 96)).isEqualTo(0x55_5555L);
    }
    device.free(target);
    device.free(memory);
    device.destroyEvent(event);
    device.destroyStream(stream);
  }

  @Test
  void kernelsGetTheirParametersAndTheirSharedMemory() {
    long stream = device.createStream(0);
    long event = device.createEvent(false);
    long out = device.allocate(8);
    long module = device.loadModule(PTX.getBytes(UTF_8));
    long add = device.function(module, "add", NoTwin.INSTANCE);
    long far = device.function(module, "far", NoTwin.INSTANCE);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment parameters = arena.allocate(24, 8);
      parameters.set(ValueLayout.JAVA_LONG, 0, out);
      parameters.set(ValueLayout.JAVA_INT, 8, 40);
      parameters.set(ValueLayout.JAVA_LONG, 16, 2L);
      long at = parameters.address();
      MemorySegment pointers = arena.allocateFrom(ValueLayout.JAVA_LONG, at, at + 8, at + 16);
      MemorySegment farParameters = arena.allocateFrom(ValueLayout.JAVA_LONG, out + 4);
      MemorySegment farPointers =
          arena.allocateFrom(ValueLayout.JAVA_LONG, farParameters.address());
      MemorySegment back = arena.allocate(8);

      device.launch(add, LaunchShape.of(1, 1, 1, 1, 1, 1, 0), stream, parameters, pointers);
      device.launch(
          far, LaunchShape.of(1, 1, 1, 1, 1, 1, 64 << 10), stream, farParameters, farPointers);
      device.copyPageable(out, back, DEVICE_TO_HOST, stream);
      device.recordEvent(event, stream);
      device.awaitEvent(event);

      assertThat(back.get(ValueLayout.JAVA_INT, 0)).isEqualTo(42);
      assertThat(back.get(ValueLayout.JAVA_INT, 4)).isEqualTo(4711);
    }
    assertThat(device.functionProperties(add).registers()).isPositive();
    OnFakeCuda.failure(Kind.BAD_IMAGE, () -> device.function(module, "subtract", NoTwin.INSTANCE));
    device.unloadModule(module);
    device.free(out);
    device.destroyEvent(event);
    device.destroyStream(stream);
  }

  @Test
  void aBadImageComesWithTheAssemblersLog() {
    assertThat(
            OnFakeCuda.failure(
                Kind.BAD_IMAGE,
                () -> device.loadModule(PTX.replace("add.u32", "odd.u32").getBytes(UTF_8))))
        .hasMessageContaining("line 13");
  }

  @Test
  void tooLittleMemoryIsAnOrdinaryError() {
    OnFakeCuda.failure(
        Kind.OUT_OF_MEMORY, () -> device.allocate(2 * device.properties().totalBytes()));

    long kept = device.allocate(64 << 20);
    final long before = device.freeBytes();
    device.free(kept);
    assertThat(device.freeBytes()).isGreaterThanOrEqualTo(before + (64 << 20));
  }

  @Test
  void registeredMemoryIsToldFromOther() {
    try (Arena arena = Arena.ofConfined()) {
      long address = arena.allocate(1 << 20, 4096).address();
      device.registerHost(address, 1 << 20);
      OnFakeCuda.failure(Kind.INVALID, () -> device.registerHost(address, 1 << 20));
      device.unregisterHost(address);
      OnFakeCuda.failure(Kind.INVALID, () -> device.unregisterHost(address));
    }
  }

  @Test
  void manyThreadsAllocateAndCopyAtOnce() throws Exception {
    try (var threads = Executors.newFixedThreadPool(4)) {
      var all =
          IntStream.range(0, 16)
              .mapToObj(
                  _ ->
                      threads.submit(
                          () -> {
                            roundTrip(device);
                            return true;
                          }))
              .toList();
      for (var each : all) {
        assertThat(each.get()).isTrue();
      }
    }
  }
}
