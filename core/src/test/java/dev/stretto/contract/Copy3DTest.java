package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.Extent;
import dev.stretto.PinnedArena;
import dev.stretto.Pitches;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.fault.RouteException;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** That three-dimensional copies move their rows and nothing else. */
class Copy3DTest extends ContractTest {
  /** Planes that lie apart on both sides. */
  private record Shape(Pitches host, Pitches onDevice, Extent extent) {
    static Shape of(
        long hostRow, long hostPlane, long row, long plane, long width, long rows, long planes) {
      return new Shape(
          new Pitches(hostRow, hostPlane),
          new Pitches(row, plane),
          new Extent(width, rows, planes));
    }

    int span(Pitches pitches) {
      return (int)
          ((extent.planes() - 1) * pitches.plane()
              + (extent.rows() - 1) * pitches.row()
              + extent.width());
    }
  }

  private static final Shape[] SHAPES = {
    Shape.of(1, 1, 1, 1, 1, 1, 1), // one byte
    Shape.of(10, 100, 10, 100, 10, 10, 10), // dense: one long row
    Shape.of(10, 120, 10, 130, 10, 10, 10), // dense planes: rows of 100
    Shape.of(16, 160, 16, 160, 10, 10, 10), // planes that touch: rows
    Shape.of(16, 192, 32, 320, 10, 10, 10), // planes apart, in whole rows
    Shape.of(
        16, 195, 32, 325, 10, 10, 10), // planes apart, not in whole rows: CUDA has no such copy
    Shape.of(33, 33, 40, 40, 7, 1, 500), // a row a plane
    Shape.of(5, 50, 7, 84, 3, 9, 3000), // many small planes
    Shape.of(3100, 310_000, 3200, 330_000, 3000, 100, 9), // pieces that end within planes
    Shape.of(300_001, 900_100, 400_000, 1_200_007, 300_000, 3, 3), // rows larger than a piece
  };

  @Test
  void pinnedPlanes() {
    try (PinnedArena pinned = device.pinnedArena()) {
      checkAll(pinned::allocate, Route.Kind.DIRECT);
    }
  }

  @Test
  void nativePlanes() {
    try (Arena arena = Arena.ofShared()) {
      checkAll(arena::allocate, Route.Kind.STAGED);
    }
  }

  @Test
  void planesOfHeapArrays() {
    checkAll(bytes -> MemorySegment.ofArray(new byte[(int) bytes]), Route.Kind.STAGED);
  }

  @Test
  void planesLargerThanAStagingBuffer() {
    Shape shape = Shape.of(3001, 6_010_000, 3100, 6_210_000, 3000, 2000, 2);
    try (Stream stream = device.stream()) {
      check(
          stream,
          shape,
          MemorySegment.ofArray(new byte[shape.span(shape.host())]),
          MemorySegment.ofArray(new byte[shape.span(shape.host())]),
          Route.Kind.STAGED);
    }
  }

  @Test
  void randomPlanes() {
    SplittableRandom random = new SplittableRandom(machine.name().hashCode());
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      for (int i = 0; i < 20; i++) {
        Extent extent =
            new Extent(1 + random.nextInt(2000), 1 + random.nextInt(20), 1 + random.nextInt(20));
        Shape shape = new Shape(pitches(random, extent), pitches(random, extent), extent);
        boolean direct = random.nextBoolean();
        int bytes = shape.span(shape.host());
        check(
            stream,
            shape,
            direct ? pinned.allocate(bytes) : MemorySegment.ofArray(new byte[bytes]),
            direct ? pinned.allocate(bytes) : MemorySegment.ofArray(new byte[bytes]),
            direct ? Route.Kind.DIRECT : Route.Kind.STAGED);
      }
    }
  }

  private static Pitches pitches(SplittableRandom random, Extent extent) {
    long row = extent.width() + (random.nextBoolean() ? 0 : random.nextInt(100));
    long plane =
        row * extent.rows()
            + switch (random.nextInt(3)) {
              case 0 -> 0;
              case 1 -> row * random.nextInt(3);
              default -> random.nextInt(100);
            };
    return new Pitches(row, plane);
  }

  private void checkAll(LongFunction<MemorySegment> allocator, Route.Kind route) {
    try (Stream stream = device.stream()) {
      for (Shape shape : SHAPES) {
        long bytes = shape.span(shape.host());
        check(stream, shape, allocator.apply(bytes), allocator.apply(bytes), route);
      }
    }
  }

  private void check(
      Stream stream, Shape shape, MemorySegment from, MemorySegment to, Route.Kind route) {
    byte[] source = bytes(shape.span(shape.host()), 12);
    MemorySegment.copy(source, 0, from, java.lang.foreign.ValueLayout.JAVA_BYTE, 0, source.length);
    to.fill((byte) 0x55);
    int onDevice = shape.span(shape.onDevice());
    try (GlobalBytes array = device.allocateBytes(onDevice);
        GlobalBytes second = device.allocateBytes(from.byteSize())) {
      stream.fill(array, (byte) 0x33);
      stream.fill(second, (byte) 0x44);
      Copy in = stream.copy3D(from, shape.host(), array, shape.onDevice(), shape.extent());
      byte[] between = read(stream, array);
      Copy local = stream.copy3D(array, shape.onDevice(), second, shape.host(), shape.extent());
      Copy out = stream.copy3D(array, shape.onDevice(), to, shape.host(), shape.extent());
      out.await();
      boolean staged = route == Route.Kind.STAGED; // then a small copy in may have gone at once
      assertThat(in.route().kind()).isIn(route, staged ? Route.Kind.INLINE : route);
      assertThat(local.route().kind()).isEqualTo(Route.Kind.LOCAL);
      assertThat(out.route().kind()).isEqualTo(route);
      assertPlanes(between, shape.onDevice(), (byte) 0x33, source, shape);
      assertPlanes(read(stream, second), shape.host(), (byte) 0x44, source, shape);
      assertPlanes(read(to), shape.host(), (byte) 0x55, source, shape);
    }
  }

  private static void assertPlanes(
      byte[] actual, Pitches pitches, byte between, byte[] source, Shape shape) {
    byte[] expected = new byte[actual.length];
    Arrays.fill(expected, between);
    for (long plane = 0; plane < shape.extent().planes(); plane++) {
      for (long row = 0; row < shape.extent().rows(); row++) {
        System.arraycopy(
            source,
            (int) (plane * shape.host().plane() + row * shape.host().row()),
            expected,
            (int) (plane * pitches.plane() + row * pitches.row()),
            (int) shape.extent().width());
      }
    }
    assertSame(actual, expected);
  }

  @Test
  void packedPlanesHaveNoGaps() {
    assertThat(new Extent(3, 4, 5).packed()).isEqualTo(new Pitches(3, 12));
    assertThat(new Extent(3, 4, 5).bytes()).isEqualTo(60);
  }

  @Test
  void whatDoesNotFitOrOverlapsIsRefused() {
    try (Stream stream = device.stream();
        Arena confined = Arena.ofConfined();
        GlobalBytes array = device.allocateBytes(1000)) {
      MemorySegment host = MemorySegment.ofArray(new byte[1000]);
      Extent extent = new Extent(10, 10, 10);
      Pitches packed = extent.packed();
      assertThatThrownBy(() -> stream.copy3D(host, packed, array, new Pitches(9, 100), extent))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("destination");
      assertThatThrownBy(() -> stream.copy3D(host, new Pitches(10, 99), array, packed, extent))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("100 bytes from first to last that lie 99 bytes apart")
          .hasMessageContaining("source");
      assertThatThrownBy(() -> stream.copy3D(host, packed, array, new Pitches(10, 101), extent))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("1000 bytes of the destination");
      assertThatThrownBy(
              () -> stream.copy3D(host, packed, array, packed, new Extent(10, 10, 1L << 61)))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(
              () -> stream.copy3D(host, packed, array, packed, new Extent(10, 1L << 61, 1)))
          .isInstanceOf(IndexOutOfBoundsException.class);
      for (Extent none :
          new Extent[] {new Extent(0, 1, 1), new Extent(1, 0, 1), new Extent(1, 1, -1)}) {
        assertThatThrownBy(() -> stream.copy3D(array, packed, host, packed, none))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("1 or more");
      }
      assertThatThrownBy(
              () ->
                  stream.copy3D(
                      array.slice(0, 600),
                      packed,
                      array.slice(400, 600),
                      packed,
                      new Extent(10, 10, 6)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("overlap");
      assertThatThrownBy(
              () -> stream.copy3D(confined.allocate(1000), packed, array, packed, extent))
          .isInstanceOf(RouteException.class);
      assertThatThrownBy(() -> stream.copy3D(array, packed, host.asReadOnly(), packed, extent))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("read-only");
      assertThat(stream.isIdle()).isTrue();
    }
  }
}
