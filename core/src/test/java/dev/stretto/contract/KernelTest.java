package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.KernelImageException;
import dev.stretto.fault.LaunchException;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.memory.Bfloat;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What launches promise, of kernels that are PTX with a Java method beside it. */
class KernelTest extends ContractTest {
  @Test
  void aKernelComputes() {
    int n = 100_001;
    float[] x = new float[n];
    float[] y = new float[n];
    for (int i = 0; i < n; i++) {
      x[i] = i;
      y[i] = 0.5f * i;
    }
    try (Stream stream = device.stream();
        GlobalFloats dx = device.allocateFloats(n);
        GlobalFloats dy = device.allocateFloats(n)) {
      stream.copy(x, dx);
      stream.copy(y, dy);
      stream.launch(Grid.covering(n, 256), Kernels.SAXPY, 3f, dx, dy, n);
      float[] result = new float[n];
      stream.copy(dy, result).await();
      for (int i = 0; i < n; i++) {
        assertThat(result[i]).isEqualTo(3f * x[i] + y[i]);
      }
    }
  }

  @Test
  void everyTypeOfParameterArrives() {
    try (Stream stream = device.stream();
        GlobalBytes bytes = device.allocateBytes(8);
        GlobalShorts shorts = device.allocateShorts(8);
        GlobalInts ints = device.allocateInts(8);
        GlobalLongs longs = device.allocateLongs(8);
        GlobalFloats floats = device.allocateFloats(8);
        GlobalDoubles doubles = device.allocateDoubles(8);
        GlobalHalfs halfs = device.allocateHalfs(8);
        GlobalBfloats bfloats = device.allocateBfloats(8)) {
      stream.launch(
          Grid.of(1, 32),
          Kernels.EVERYTHING,
          (byte) -7,
          0x1234567890abcdefL,
          (short) -30000,
          Math.E,
          2.71828f,
          -123456789,
          bytes.slice(3, 5),
          shorts.slice(3, 5),
          ints.slice(3, 5),
          longs.slice(3, 5),
          floats.slice(3, 5),
          doubles.slice(3, 5),
          halfs.slice(3, 5),
          bfloats.slice(3, 5));
      assertThat(read(stream, bytes)[3]).isEqualTo((byte) -7);
      short[] s = new short[8];
      stream.copy(shorts, s).await();
      assertThat(s[3]).isEqualTo((short) -30000);
      int[] i = new int[8];
      stream.copy(ints, i).await();
      assertThat(i[3]).isEqualTo(-123456789);
      long[] l = new long[8];
      stream.copy(longs, l).await();
      assertThat(l[3]).isEqualTo(0x1234567890abcdefL);
      float[] f = new float[8];
      stream.copy(floats, f).await();
      assertThat(f[3]).isEqualTo(2.71828f);
      double[] d = new double[8];
      stream.copy(doubles, d).await();
      assertThat(d[3]).isEqualTo(Math.E);
      MemorySegment h = MemorySegment.ofArray(read(stream, halfs));
      assertThat(h.get(ValueLayout.JAVA_SHORT_UNALIGNED, 6))
          .isEqualTo(Float.floatToFloat16(2.71828f));
      MemorySegment b = MemorySegment.ofArray(read(stream, bfloats));
      assertThat(b.get(ValueLayout.JAVA_SHORT_UNALIGNED, 6)).isEqualTo(Bfloat.of(2.71828f));
    }
  }

  @Test
  void everyThreadOfAThreeDimensionalLaunchRunsOnceAtItsPlace() {
    Grid grid = new Grid(3, 2, 4, 5, 3, 2, 0);
    int blocks = 24;
    int threads = 30;
    try (Stream stream = device.stream();
        GlobalInts places = device.allocateInts(blocks * (long) threads)) {
      stream.launch(grid, Kernels.PLACES, places);
      int[] result = new int[blocks * threads];
      stream.copy(places, result).await();
      for (int i = 0; i < result.length; i++) {
        assertThat(result[i]).isEqualTo(i / threads * 1000 + i % threads);
      }
    }
  }

  @Test
  void aPreparedLaunchIsRepeated() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(1000)) {
      stream.fill(array, 0);
      Launch launch = device.prepare(Grid.covering(1000, 128), Kernels.ADD, array, 3, 1000);
      for (int i = 0; i < 100; i++) {
        stream.launch(launch);
      }
      int[] result = new int[1000];
      stream.copy(array, result).await();
      assertThat(result).containsOnly(300);
    }
  }

  @Test
  void argumentsOfAPreparedLaunchAreExchanged() {
    try (Stream stream = device.stream();
        GlobalInts one = device.allocateInts(1000);
        GlobalInts two = device.allocateInts(1000)) {
      stream.fill(one, 0);
      stream.fill(two, 0);
      Launch launch = device.prepare(Grid.covering(1000, 128), Kernels.ADD, one, 3, 1000);
      stream.launch(launch);
      stream.launch(launch.set(1, 4));
      stream.launch(launch.set(0, two).set(1, (Object) 5));
      stream.launch(launch.set(2, 10));
      int[] a = new int[1000];
      int[] b = new int[1000];
      stream.copy(one, a);
      stream.copy(two, b).await();
      stream.await();
      assertThat(a).containsOnly(7);
      assertThat(b[9]).isEqualTo(10);
      assertThat(b[10]).isEqualTo(5);
    }
  }

  @Test
  void aLaunchThatIsHeldBackKeepsTheArgumentsOfItsCall() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(1000)) {
      stream.fill(array, 0);
      Launch launch = device.prepare(Grid.covering(1000, 128), Kernels.ADD, array, 1, 1000);
      try (Gate gate = gate(stream)) {
        for (int i = 0; i < 10; i++) {
          stream.launch(launch.set(1, 1 << i));
        }
        launch.set(1, 1_000_000).set(2, 1);
        assertThat(gate).isNotNull();
      }
      int[] result = new int[1000];
      stream.copy(array, result).await();
      assertThat(result).containsOnly(1023);
    }
  }

  @Test
  void aLaunchMayBeUsedOnSeveralStreams() {
    try (Stream one = device.stream();
        Stream two = device.stream();
        GlobalInts array = device.allocateInts(1000)) {
      one.fill(array, 0);
      Launch launch = device.prepare(Grid.covering(1000, 128), Kernels.ADD, array, 1, 1000);
      for (int i = 0; i < 5; i++) {
        one.launch(launch);
        two.waitFor(one.record());
        two.launch(launch);
        one.waitFor(two.record());
      }
      int[] result = new int[1000];
      one.copy(array, result).await();
      assertThat(result).containsOnly(10);
    }
  }

  @Test
  void copiesInAndOutKeepTheirOrderWithKernels() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts array = device.allocateInts(10_000)) {
      MemorySegment host = pinned.allocate(ValueLayout.JAVA_INT, 10_000);
      int[] heap = new int[10_000];
      stream.copy(host, array);
      for (int i = 0; i < 10; i++) {
        stream.launch(Grid.covering(10_000, 256), Kernels.ADD, array, 1, 10_000);
        stream.copy(array, i % 2 == 0 ? host : MemorySegment.ofArray(heap));
        stream.copy(i % 2 == 0 ? host : MemorySegment.ofArray(heap), array);
      }
      stream.await();
      assertThat(heap).containsOnly(10);
      assertThat(host.getAtIndex(ValueLayout.JAVA_INT, 9_999)).isEqualTo(9);
    }
  }

  @Test
  void arraysOfNoElementsMayBePassed() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(1000)) {
      stream.launch(Grid.of(1, 32), Kernels.ADD, array.slice(1000, 0), 1, 0);
      stream.launch(Grid.of(1, 32), Kernels.ADD, array.slice(10, 0), 1, 0);
      stream.await();
    }
  }

  @Test
  void aKernelMayOutliveTheProgramsInterestInItsMemory() {
    try (Stream stream = device.stream();
        GlobalInts sum = device.allocateInts(1000)) {
      stream.fill(sum, 0);
      for (int i = 0; i < 50; i++) {
        GlobalInts other = device.allocateInts(1000);
        stream.fill(other, i);
        stream.launch(Grid.covering(1000, 128), Kernels.ADD, other, 1, 1000);
        stream.copy(other, sum);
        other.close();
      }
      int[] result = new int[1000];
      stream.copy(sum, result).await();
      assertThat(result).containsOnly(50);
    }
  }

  @Test
  void textThatIsNoPtxIsRefusedWithTheAssemblersLog() {
    KernelImage image =
        KernelImage.ofPtx(
            ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry add() {\n  nonsense\n");
    DeviceKernel kernel = DeviceKernel.of(image, "add", Kernels.class, "add");
    try (GlobalInts array = device.allocateInts(10)) {
      assertThatThrownBy(() -> device.prepare(Grid.of(1, 1), kernel, array, 1, 1))
          .isInstanceOf(KernelImageException.class)
          .hasMessageContaining("ptx")
          .hasMessageContaining("line")
          .hasMessageContaining("error");
    }
  }

  @Test
  void bytesThatAreNoImageAreRefused() {
    KernelImage image = KernelImage.ofCubin("no cubin".getBytes(StandardCharsets.UTF_8));
    DeviceKernel kernel = DeviceKernel.of(image, "add", Kernels.class, "add");
    try (GlobalInts array = device.allocateInts(10)) {
      assertThatThrownBy(() -> device.prepare(Grid.of(1, 1), kernel, array, 1, 1))
          .isInstanceOf(KernelImageException.class);
    }
  }

  @Test
  void anEntryThatTheImageDoesNotHaveIsRefusedByItsName() {
    DeviceKernel kernel = DeviceKernel.of(Kernels.IMAGE, "subtract", Kernels.class, "add");
    try (GlobalInts array = device.allocateInts(10)) {
      assertThatThrownBy(() -> device.prepare(Grid.of(1, 1), kernel, array, 1, 1))
          .isInstanceOf(KernelImageException.class)
          .hasMessageContaining("subtract");
    }
  }

  @Test
  void moreThreadsThanABlockCanHaveAreRefusedWithTheNumbers() {
    try (GlobalInts array = device.allocateInts(10);
        Stream stream = device.stream()) {
      assertThatThrownBy(() -> stream.launch(Grid.of(1, 1025), Kernels.ADD, array, 1, 1))
          .isInstanceOf(LaunchException.class)
          .hasMessageContaining("1025 threads per block")
          .hasMessageContaining("1024");
      assertThatThrownBy(
              () -> stream.launch(new Grid(1, 1, 1, 1, 1, 65, 0), Kernels.ADD, array, 1, 1))
          .isInstanceOf(LaunchException.class)
          .hasMessageContaining("65 threads in z");
      assertThatThrownBy(
              () -> stream.launch(new Grid(1, 65_536, 1, 1, 1, 1, 0), Kernels.ADD, array, 1, 1))
          .isInstanceOf(LaunchException.class)
          .hasMessageContaining("65536 blocks in y");
      assertThat(stream.isIdle()).isTrue();
    }
  }

  @Test
  void moreSharedMemoryThanTheDeviceHasIsRefusedWithTheNumbers() {
    int most = device.properties().sharedBytesPerBlockOptIn();
    try (GlobalInts array = device.allocateInts(10);
        Stream stream = device.stream()) {
      assertThatThrownBy(
              () ->
                  stream.launch(Grid.of(1, 1).withSharedBytes(most + 1), Kernels.ADD, array, 1, 1))
          .isInstanceOf(LaunchException.class)
          .hasMessageContaining(String.valueOf(most + 1))
          .hasMessageContaining(String.valueOf(most));
      stream.fill(array, 1);
      stream.launch(Grid.of(1, 16).withSharedBytes(most), Kernels.ADD, array, 1, 10);
      int[] result = new int[10];
      stream.copy(array, result).await();
      assertThat(result).containsOnly(2);
    }
  }

  @Test
  void wrongArgumentsAreRefusedByTheirNumberAndType() {
    Grid grid = Grid.of(1, 1);
    try (GlobalInts array = device.allocateInts(10);
        GlobalFloats floats = device.allocateFloats(10);
        Stream stream = device.stream()) {
      assertThatThrownBy(() -> stream.launch(grid, Kernels.ADD, array, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("takes 3 arguments (GlobalInts");
      assertThatThrownBy(() -> stream.launch(grid, Kernels.ADD, array, 1L, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("argument 1")
          .hasMessageContaining("int")
          .hasMessageContaining("Long");
      assertThatThrownBy(() -> stream.launch(grid, Kernels.ADD, floats, 1, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("GlobalInts")
          .hasMessageContaining("GlobalFloats");
      assertThatThrownBy(() -> stream.launch(grid, Kernels.ADD, array, null, 1))
          .isInstanceOf(NullPointerException.class)
          .hasMessageContaining("argument 1");
      Launch launch = device.prepare(grid, Kernels.ADD, array, 1, 1);
      assertThatThrownBy(() -> launch.set(1, 1.0f)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> launch.set(0, 1)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> launch.set(3, 1)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> launch.set(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void aClosedArgumentIsRefusedAtTheLaunch() {
    try (Stream stream = device.stream()) {
      GlobalInts array = device.allocateInts(10);
      Launch launch = device.prepare(Grid.of(1, 1), Kernels.ADD, array, 1, 1);
      array.close();
      assertThatThrownBy(() -> stream.launch(launch)).isInstanceOf(ClosedException.class);
      assertThatThrownBy(() -> device.prepare(Grid.of(1, 1), Kernels.ADD, array, 1, 1))
          .isInstanceOf(ClosedException.class);
      GlobalInts other = device.allocateInts(10);
      stream.fill(other, 1);
      stream.launch(launch.set(0, other));
      assertThat(read(stream, other)).startsWith(2);
      other.close();
    }
  }

  @Test
  void gridsOfNothingAreRefused() {
    assertThatThrownBy(() -> Grid.of(0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Grid.of(1, -1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Grid.covering(0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Grid.covering(1, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Grid.covering(Long.MAX_VALUE, 2))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Grid.of(1, 1).withSharedBytes(-1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(Grid.covering(257, 256)).isEqualTo(Grid.of(2, 256));
    assertThat(Grid.covering(256, 256)).isEqualTo(Grid.of(1, 256));
  }
}
