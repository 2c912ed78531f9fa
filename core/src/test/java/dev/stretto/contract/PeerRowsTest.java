package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Extent;
import dev.stretto.Graph;
import dev.stretto.PeerAccess;
import dev.stretto.Pitches;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.GraphException;
import dev.stretto.fault.RouteException;
import dev.stretto.memory.GlobalBytes;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows and planes between two devices: they move their bytes and nothing else, by every way. */
class PeerRowsTest extends ContractTest {
  /** Planes that lie apart at both ends. */
  private record Shape(Pitches from, Pitches to, Extent extent) {
    static Shape of(
        long fromRow,
        long fromPlane,
        long toRow,
        long toPlane,
        long width,
        long rows,
        long planes) {
      return new Shape(
          new Pitches(fromRow, fromPlane),
          new Pitches(toRow, toPlane),
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
    Shape.of(9, 9, 70, 70, 7, 1, 1), // one row
    Shape.of(10, 100, 10, 100, 10, 10, 10), // dense
    Shape.of(10, 120, 10, 130, 10, 10, 10), // dense planes: rows of 100
    Shape.of(16, 160, 32, 320, 10, 10, 10), // planes that touch
    Shape.of(16, 192, 32, 320, 10, 10, 10), // planes apart, in whole rows
    Shape.of(16, 195, 32, 325, 10, 10, 10), // planes apart, not in whole rows
    Shape.of(33, 33, 40, 40, 7, 1, 500), // a row a plane
    Shape.of(5, 50, 7, 84, 3, 9, 3000), // many small planes
    Shape.of(3100, 310_000, 3200, 330_000, 3000, 100, 9), // pieces that end within planes
    Shape.of(700_001, 2_200_100, 800_000, 2_400_007, 700_000, 3, 3), // rows larger than a piece
    Shape.of(50_000, 50_000L * 900, 40_000, 40_000L * 900, 40_000, 900, 1) // larger than a slot
  };

  private Device other;
  private boolean own;

  @Override
  Machine machine() {
    return machine.isVirtual()
        ? new Machine(
            machine.isSeeded() ? machine.name().replace("h200", "h200x2") : "virtual:h200x2")
        : machine;
  }

  /** On a computer with one GPU the other device is a virtual one, of another driver. */
  @BeforeEach
  void openTheOther() {
    if (opened.devices().size() > 1) {
      other = opened.devices().get(1);
    } else {
      own = true;
      other = anotherGpu();
    }
  }

  @AfterEach
  void closeTheOther() {
    if (own && other.isOpen()) {
      other.close();
    }
  }

  private boolean isKin() {
    return other.isVirtual() == device.isVirtual();
  }

  private Route.Kind withoutAccess() {
    return isKin() ? Route.Kind.PEER_STAGED : Route.Kind.STRANGER_STAGED;
  }

  private byte[] readOf(Device owner, GlobalBytes array) {
    try (Stream stream = owner.stream()) {
      return read(stream, array);
    }
  }

  private GlobalBytes arrayOf(Device owner, byte[] bytes) {
    GlobalBytes array = owner.allocateBytes(bytes.length);
    try (Stream stream = owner.stream()) {
      stream.copy(bytes.clone(), array).await();
    }
    return array;
  }

  private static byte[] expected(Shape shape, byte[] source, byte[] destination) {
    byte[] expected = destination.clone();
    Extent extent = shape.extent;
    for (int plane = 0; plane < extent.planes(); plane++) {
      for (int row = 0; row < extent.rows(); row++) {
        System.arraycopy(
            source,
            (int) (plane * shape.from.plane() + row * shape.from.row()),
            expected,
            (int) (plane * shape.to.plane() + row * shape.to.row()),
            (int) extent.width());
      }
    }
    return expected;
  }

  /** Copies on a stream of either device, in both directions. */
  private void check(Shape shape, Route.Kind kind) {
    for (Device from : new Device[] {device, other}) {
      Device to = from == device ? other : device;
      byte[] data = bytes(shape.span(shape.from), shape.span(shape.to));
      byte[] before = bytes(shape.span(shape.to), 3);
      try (GlobalBytes source = arrayOf(from, data);
          GlobalBytes target = arrayOf(to, before);
          GlobalBytes second = arrayOf(to, before);
          Stream sends = from.stream();
          Stream fetches = to.stream()) {
        Copy sent = sends.copy3D(source, shape.from, target, shape.to, shape.extent);
        Copy fetched = fetches.copy3D(source, shape.from, second, shape.to, shape.extent);
        assertThat(sent.route().kind()).as(shape.toString()).isEqualTo(kind);
        assertThat(fetched.route().kind()).as(shape.toString()).isEqualTo(kind);
        sent.await();
        fetched.await();
        byte[] expected = expected(shape, data, before);
        assertSame(readOf(to, target), expected);
        assertSame(readOf(to, second), expected);
        if (shape.extent.planes() == 1) {
          fetches.copy(before.clone(), second);
          fetches
              .copy2D(
                  source,
                  shape.from.row(),
                  second,
                  shape.to.row(),
                  shape.extent.width(),
                  shape.extent.rows())
              .await();
          assertSame(readOf(to, second), expected);
        }
      }
    }
  }

  @Test
  void planesGoThroughTheHostWithoutAccess() {
    for (Shape shape : SHAPES) {
      check(shape, withoutAccess());
    }
  }

  @Test
  void planesGoOverTheLinkWithAccess() {
    assumeTrue(isKin() && device.canAccess(other), "needs two devices that reach each other");
    try (PeerAccess _ = device.enablePeerAccess(other)) {
      for (Shape shape : SHAPES) {
        check(shape, Route.Kind.PEER);
      }
    }
  }

  @Test
  void randomPlanes() {
    SplittableRandom random = new SplittableRandom(machine.name().hashCode());
    for (int i = 0; i < 12; i++) {
      Extent extent =
          new Extent(1 + random.nextInt(9000), 1 + random.nextInt(20), 1 + random.nextInt(20));
      Shape shape = new Shape(pitches(random, extent), pitches(random, extent), extent);
      if (isKin() && device.canAccess(other) && random.nextBoolean()) {
        try (PeerAccess _ = other.enablePeerAccess(device)) {
          check(shape, Route.Kind.PEER);
        }
      } else {
        check(shape, withoutAccess());
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

  @Test
  void rowsFollowTheOrderOfTheirStream() {
    int rows = 64;
    try (GlobalBytes source = device.allocateBytes(rows * 100L);
        GlobalBytes there = arrayOf(other, new byte[rows * 80]);
        GlobalBytes back = device.allocateBytes(rows * 50L);
        Stream stream = device.stream()) {
      for (byte round = 1; round < 20; round++) {
        stream.fill(source, round);
        stream.copy2D(source, 100, there, 80, 50, rows);
        stream.copy2D(there, 80, back, 50, 50, rows);
        stream.fill(source, (byte) 0);
        byte[] expected = new byte[rows * 50];
        Arrays.fill(expected, round);
        assertThat(read(stream, back)).isEqualTo(expected);
      }
    }
  }

  @Test
  void bothEndsOfACopyThatIsUnderWayMayBeClosed() {
    int rows = 3000;
    byte[] data = bytes(rows * 4000, 6);
    GlobalBytes source = arrayOf(device, data);
    GlobalBytes there = other.allocateBytes(rows * 3000L);
    try (Stream stream = device.stream();
        GlobalBytes back = device.allocateBytes(rows * 2500L)) {
      stream.copy2D(source, 4000, there, 3000, 2500, rows);
      source.close();
      stream.copy2D(there, 3000, back, 2500, 2500, rows);
      there.close();
      stream.await();
      byte[] expected = new byte[rows * 2500];
      for (int row = 0; row < rows; row++) {
        System.arraycopy(data, row * 4000, expected, row * 2500, 2500);
      }
      assertSame(readOf(device, back), expected);
    }
  }

  @Test
  void whatDoesNotFitIsRefusedBeforeAnythingIsEnqueued() {
    byte[] untouched = bytes(1000, 8);
    try (GlobalBytes mine = device.allocateBytes(1000);
        GlobalBytes theirs = arrayOf(other, untouched);
        GlobalBytes closed = other.allocateBytes(1000);
        Stream stream = device.stream()) {
      assertThatThrownBy(() -> stream.copy2D(mine, 100, theirs, 100, 50, 11))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("11 rows of 50 bytes")
          .hasMessageContaining("the 1000 bytes of the source");
      assertThatThrownBy(() -> stream.copy2D(mine, 50, theirs, 100, 50, 11))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("the 1000 bytes of the destination");
      assertThatThrownBy(() -> stream.copy2D(mine, 40, theirs, 100, 50, 2))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("overlap in the source");
      Extent extent = new Extent(10, 5, 4);
      assertThatThrownBy(
              () -> stream.copy3D(mine, new Pitches(10, 50), theirs, new Pitches(10, 400), extent))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("4 planes of 5 rows of 10 bytes")
          .hasMessageContaining("of the destination");
      closed.close();
      assertThatThrownBy(() -> stream.copy2D(mine, 100, closed, 100, 50, 2))
          .isInstanceOf(ClosedException.class);
      assertThatThrownBy(
              () -> Graph.capture(stream, () -> stream.copy2D(mine, 100, theirs, 100, 50, 2)))
          .isInstanceOf(GraphException.class);
      assertThatThrownBy(() -> device.legacyStream().copy2D(mine, 100, theirs, 100, 50, 2))
          .isInstanceOf(RouteException.class)
          .hasMessageContaining("use device.stream()");
      stream.await();
      assertThat(readOf(other, theirs)).isEqualTo(untouched);
    }
  }

  @Test
  void aStreamOfNeitherDeviceIsRefused() {
    try (GlobalBytes one = other.allocateBytes(100);
        GlobalBytes two = other.allocateBytes(100);
        Stream stream = device.stream()) {
      assertThatThrownBy(() -> stream.copy2D(one, 10, two, 10, 5, 2))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("use a stream of");
      assertThatThrownBy(
              () ->
                  stream.copy3D(
                      one, new Pitches(10, 20), two, new Pitches(10, 20), new Extent(5, 2, 2)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("use a stream of");
    }
  }
}
