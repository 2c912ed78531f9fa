package dev.stretto.driver.cuda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;
import dev.stretto.driver.FunctionProperties;
import dev.stretto.driver.KernelTwin;
import dev.stretto.driver.LaunchShape;
import dev.stretto.driver.TensorLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CudaKernelTest extends OnFakeCuda {
  private static final String PTX = ".version 8.0 .entry add .entry idle .entry staticTile";
  private static final KernelTwin NO_TWIN = NoTwin.INSTANCE;

  private long stream;
  private long module;

  @BeforeEach
  void load() {
    stream = device.createStream(0);
    module = device.loadModule(PTX.getBytes(UTF_8));
    List<String> _ = fake.calls();
  }

  @Test
  void textIsClosedByAZeroByteIfItIsNot() {
    long again = device.loadModule((PTX + "\0").getBytes(UTF_8));
    long bare = device.loadModule(PTX.getBytes(UTF_8));

    assertThat(fake.calls())
        .containsExactly(
            "0 cuModuleLoadDataEx " + PTX.length(), "0 cuModuleLoadDataEx " + PTX.length());
    device.unloadModule(again);
    device.unloadModule(bare);
    failure(Kind.INVALID, () -> device.unloadModule(bare));
  }

  @Test
  void aBadImageIsRefusedWithTheAssemblersLogs() {
    DriverException thrown =
        failure(Kind.BAD_IMAGE, () -> device.loadModule("bad".getBytes(UTF_8)));

    assertThat(thrown)
        .hasMessage(
            """
            cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX (218): a PTX JIT compilation failed; \
            an image of 3 bytes:
            ptxas fatal: line 1: what is bad?
            info: 16384 bytes
             (device 0)\
            """);
  }

  @Test
  void aLogThatFillsItsBufferIsCutOff() {
    assertThat(failure(Kind.BAD_IMAGE, () -> device.loadModule("long".getBytes(UTF_8))))
        .hasMessageContaining("x".repeat(16383))
        .hasMessageNotContaining("x".repeat(16384));
  }

  @Test
  void anEmptyImageIsRefused() {
    failure(Kind.INVALID, () -> device.loadModule(new byte[0]));
  }

  @Test
  void aMissingEntryIsNamed() {
    assertThat(failure(Kind.BAD_IMAGE, () -> device.function(module, "subtract", NO_TWIN)))
        .hasMessageStartingWith("cuModuleGetFunction: ")
        .hasMessageContaining("entry subtract");
  }

  @Test
  void aKernelIsOnTheDeviceBeforeItsFirstLaunch() {
    long _ = device.function(module, "add", NO_TWIN);

    assertThat(fake.calls())
        .startsWith("0 cuModuleGetFunction add", "0 cuFuncLoad")
        .noneMatch(call -> call.contains("cuFuncSetAttribute"));
  }

  @Test
  void theDriverIsAskedHowManyBlocksAMultiprocessorHolds() {
    long add = device.function(module, "add", NO_TWIN);

    assertThat(device.residentBlocks(add, 256, 65_536)).isEqualTo(8);
    assertThat(fake.calls())
        .containsSubsequence(
            "0 cuFuncSetAttribute 8 65536",
            "0 cuOccupancyMaxActiveBlocksPerMultiprocessor 256 65536");
    assertThat(failure(Kind.INVALID, () -> device.residentBlocks(add, 2000, 0)))
        .hasMessageContaining("2000 threads, 0 bytes");
  }

  @Test
  void aDriverThatCannotLoadEagerlyIsDoneWithout() {
    FakeCuda.reset().hide("cuFuncLoad");
    var older = ((dev.stretto.driver.Driver) fake.loadAfresh()).open(0);

    long loaded = older.loadModule(PTX.getBytes(UTF_8));

    assertThat(older.function(loaded, "add", NO_TWIN)).isNotZero();
    assertThat(fake.calls()).noneMatch(call -> call.contains("cuFuncLoad"));
  }

  @Test
  void propertiesComeFromTheirOwnAttributes() {
    long function = device.function(module, "staticTile", NO_TWIN);

    assertThat(device.functionProperties(function))
        .isEqualTo(new FunctionProperties(100, 104, 8192, 103));
  }

  @Test
  void aLaunchPassesItsShapeAndItsParameters() {
    long function = device.function(module, "add", NO_TWIN);
    long out = device.allocate(4);
    assertThat(fake.calls()).isNotEmpty();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment parameters = arena.allocate(24, 8);
      parameters.set(ValueLayout.JAVA_LONG, 0, out);
      parameters.set(ValueLayout.JAVA_INT, 8, 40);
      parameters.set(ValueLayout.JAVA_LONG, 16, 2L);
      MemorySegment pointers =
          arena.allocateFrom(
              ValueLayout.JAVA_LONG,
              parameters.address(),
              parameters.address() + 8,
              parameters.address() + 16);

      device.launch(function, LaunchShape.of(2, 3, 4, 5, 6, 7, 8), stream, parameters, pointers);

      MemorySegment back = arena.allocate(4);
      device.copy(back.address(), out, 4, CopyKind.DEVICE_TO_HOST, stream);
      assertThat(back.get(ValueLayout.JAVA_INT, 0)).isEqualTo(42);
      assertThat(fake.calls()).startsWith("0 cuLaunchKernel 2 3 4 5 6 7 8");
    }
  }

  @Test
  void aLaunchOfClustersSaysHowManyBlocksTheyHave() {
    long function = device.function(module, "idle", NO_TWIN);
    assertThat(fake.calls()).isNotEmpty();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment none = arena.allocate(16);

      device.launch(function, new LaunchShape(2, 6, 4, 5, 6, 7, 1, 3, 2, 9), stream, none, none);

      assertThat(fake.calls()).startsWith("0 cuLaunchKernelEx 2 6 4 5 6 7 9 in clusters of 1 3 2");
    }
  }

  @Test
  void aLaunchThatAwaitsGridsItselfSaysSoWithClustersAndWithout() {
    long function = device.function(module, "idle", NO_TWIN);
    assertThat(fake.calls()).isNotEmpty();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment none = arena.allocate(16);
      LaunchShape plain = new LaunchShape(2, 1, 1, 32, 1, 1, 1, 1, 1, 0, false, true);
      LaunchShape pairs = new LaunchShape(2, 1, 1, 32, 1, 1, 2, 1, 1, 0, false, true);

      device.launch(function, plain, stream, none, none);
      device.launch(function, pairs, stream, none, none);
      device.launch(function, plain, DriverDevice.LEGACY_STREAM, none, none);

      assertThat(fake.calls())
          .containsExactly(
              "0 cuLaunchKernelEx 2 1 1 32 1 1 0 in clusters of 1 1 1, awaiting grids itself",
              "0 cuLaunchKernelEx 2 1 1 32 1 1 0 in clusters of 2 1 1, awaiting grids itself",
              "0 cuLaunchKernel 2 1 1 32 1 1 0");
    }
  }

  @Test
  void aTensorMapIsEncodedAsItsLayoutSays() {
    TensorLayout layout =
        TensorLayout.tiled(
            7,
            4_096,
            new long[] {100, 50, 20},
            new long[] {400, 20_000},
            new int[] {32, 8, 2},
            new int[] {1, 2, 3},
            1,
            3,
            2,
            1);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment map = arena.allocate(128, 8);

      device.encode(layout, map);

      long[] words = map.toArray(ValueLayout.JAVA_LONG);
      assertThat(words[0]).isEqualTo(7L | 3L << 8 | 3L << 16 | 2L << 24 | 1L << 32 | 1L << 40);
      assertThat(words).startsWith(words[0], 4_096L, 100L, 50L, 20L);
      assertThat(words[7]).isEqualTo(32L | 1L << 32);
      assertThat(words[8]).isEqualTo(8L | 2L << 32);
      assertThat(words[9]).isEqualTo(2L | 3L << 32);
      assertThat(words[12]).isEqualTo(400);
      assertThat(words[13]).isEqualTo(20_000);
    }
  }

  private static TensorLayout columns(long address) {
    return new TensorLayout(
        7,
        address,
        new long[] {100, 50, 20, 10},
        new long[] {400, 20_000, 400_000},
        new int[] {32, 1000},
        new int[] {1, 2, 3, 1},
        0,
        3,
        2,
        1,
        new int[] {-1, -128},
        new int[] {127, -2});
  }

  @Test
  void aTensorMapForIm2colIsEncodedAsItsLayoutSays() {
    TensorLayout layout = columns(4_096);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment map = arena.allocate(128, 8);

      device.encode(layout, map);

      long[] words = map.toArray(ValueLayout.JAVA_LONG);
      assertThat(words[0])
          .isEqualTo(7L | 4L << 8 | 3L << 16 | 2L << 24 | 1L << 32 | 32L << 42 | 1000L << 52);
      assertThat(words).startsWith(words[0], 4_096L, 100L, 50L, 20L, 10L);
      assertThat(words[7]).isEqualTo(1L << 32);
      assertThat(words[8]).isEqualTo(0xffffL | 127L << 16 | 2L << 32);
      assertThat(words[9]).isEqualTo(0xff80L | 0xfffeL << 16 | 3L << 32);
      assertThat(words[10]).isEqualTo(1L << 32);
      assertThat(words[12]).isEqualTo(400);
      assertThat(words[14]).isEqualTo(400_000);
    }
  }

  @Test
  void aTensorMapForIm2colThatCudaRefusesTellsItsLayout() {
    TensorLayout layout = columns(8);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment map = arena.allocate(128, 8);
      assertThat(failure(Kind.INVALID, () -> device.encode(layout, map)))
          .hasMessageContaining("cuTensorMapEncodeIm2col")
          .hasMessageContaining("[32, 1000] (channels, pixels) between corners [-1, -128]")
          .hasMessageContaining("at address 8");
    }
  }

  @Test
  void aVirtualDevicesMapForIm2colIsReadAsItWasWritten() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment map = arena.allocate(TensorLayout.BYTES, 8);
      columns(4_096).write(map);
      assertThat(TensorLayout.read(map)).hasToString(columns(4_096).toString());
    }
  }

  @Test
  void aTensorMapThatCudaRefusesTellsItsLayout() {
    TensorLayout layout =
        TensorLayout.tiled(
            7, 8, new long[] {4}, new long[0], new int[] {4}, new int[] {1}, 0, 0, 0, 0);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment map = arena.allocate(128, 8);
      assertThat(failure(Kind.INVALID, () -> device.encode(layout, map)))
          .hasMessageContaining("cuTensorMapEncodeTiled")
          .hasMessageContaining("at address 8");
    }
  }

  @Test
  void aFailedLaunchTellsItsShape() {
    long function = device.function(module, "idle", NO_TWIN);
    fake.failNext("cuLaunchKernel", 701);

    assertThat(failure(Kind.INVALID, () -> launch(function, 16)))
        .hasMessageContaining("grid 1x1x1, block 32x1x1, 16 bytes of dynamic shared memory");
  }

  @Test
  void moreThan48KibibytesOfSharedMemoryAreAllowedOnce() {
    long function = device.function(module, "idle", NO_TWIN);
    assertThat(fake.calls()).isNotEmpty();

    launch(function, 48 << 10);
    launch(function, 64 << 10);
    launch(function, 64 << 10);
    launch(function, 60 << 10);
    launch(function, 96 << 10);

    assertThat(fake.calls())
        .extracting(call -> call.substring(2).replaceAll(" 1 1 1 32 1 1", ""))
        .containsExactly(
            "cuLaunchKernel 49152",
            "cuFuncSetAttribute 8 65536",
            "cuLaunchKernel 65536",
            "cuLaunchKernel 65536",
            "cuLaunchKernel 61440",
            "cuFuncSetAttribute 8 98304",
            "cuLaunchKernel 98304");
  }

  @Test
  void moreSharedMemoryThanABlockHasIsRefusedWithTheNumbers() {
    long function = device.function(module, "idle", NO_TWIN);

    assertThat(failure(Kind.INVALID, () -> launch(function, 100 << 10)))
        .hasMessageContaining("102400 bytes of dynamic shared memory; a block has 99328");
  }

  @Test
  void staticSharedMemoryTakesNothingFromTheFirst48KibibytesOfDynamic() {
    long function = device.function(module, "staticTile", NO_TWIN);

    launch(function, 48 << 10);
  }

  @Test
  void limitsAreForgottenWithTheModule() {
    long function = device.function(module, "idle", NO_TWIN);
    launch(function, 64 << 10);
    device.unloadModule(module);
    long again = device.loadModule(PTX.getBytes(UTF_8));
    long next = device.function(again, "idle", NO_TWIN);

    launch(next, 64 << 10);

    assertThat(fake.calls()).filteredOn(call -> call.contains("cuFuncSetAttribute")).hasSize(2);
  }

  @Test
  void manyKernelsKeepTheirLimitsApart() {
    long[] functions = new long[20];
    for (int i = 0; i < functions.length; i++) {
      functions[i] = device.function(module, "idle", NO_TWIN);
    }
    for (int i = 0; i < functions.length; i++) {
      launch(functions[(i * 7) % functions.length], (49 + i) << 10);
    }
    assertThat(fake.calls()).filteredOn(call -> call.contains("cuFuncSetAttribute")).hasSize(20);
    for (int i = 0; i < functions.length; i++) {
      launch(functions[(i * 7) % functions.length], (49 + i) << 10);
    }
    assertThat(fake.calls()).hasSize(20);
  }

  @Test
  void closedParametersAreRefused() {
    long function = device.function(module, "add", NO_TWIN);
    Arena arena = Arena.ofConfined();
    MemorySegment parameters = arena.allocate(24, 8);
    arena.close();

    failure(
        Kind.INVALID,
        () ->
            device.launch(
                function,
                LaunchShape.of(1, 1, 1, 1, 1, 1, 0),
                stream,
                parameters,
                MemorySegment.NULL));
  }

  private void launch(long function, int sharedBytes) {
    device.launch(
        function,
        LaunchShape.of(1, 1, 1, 32, 1, 1, sharedBytes),
        stream,
        MemorySegment.NULL,
        MemorySegment.NULL);
  }
}
