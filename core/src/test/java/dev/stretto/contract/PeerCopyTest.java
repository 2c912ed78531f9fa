package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.PeerAccess;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.driver.PointerProperties;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.PeerAccessException;
import dev.stretto.fault.RouteException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies between two devices: every way, in every order, and whatever is closed meanwhile. */
class PeerCopyTest extends ContractTest {
  private static final int MANY = 40 << 20;

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

  private Route.Kind withoutAccess() {
    return isKin() ? Route.Kind.PEER_STAGED : Route.Kind.STRANGER_STAGED;
  }

  /** The driver chooses the way when it gets a copy, whatever was open when it was called. */
  @Test
  void accessComesAndGoesWhileCopiesAreUnderWay() {
    assumeTrue(isKin() && device.canAccess(other), "needs two devices that reach each other");
    Random random = new Random(5);
    int size = 400_000;
    List<byte[]> data = new ArrayList<>();
    List<byte[]> expected = new ArrayList<>();
    List<GlobalBytes> sources = new ArrayList<>();
    List<GlobalBytes> targets = new ArrayList<>();
    List<Stream> streams = new ArrayList<>();
    for (int way = 0; way < 4; way++) { // there or back, on a stream of the receiver or the sender
      data.add(bytes(size, way));
      expected.add(new byte[size]);
      sources.add(arrayOf(way % 2 == 0 ? device : other, data.get(way)));
      targets.add(arrayOf(way % 2 == 0 ? other : device, expected.get(way)));
      streams.add((way == 0 || way == 3 ? other : device).stream());
    }
    List<PeerAccess> open = new ArrayList<>();
    for (int i = 0; i < (machine.isVirtual() ? 40 : 400); i++) {
      for (int copies = 0; copies < 12; copies++) {
        int way = random.nextInt(4);
        int at = random.nextInt(size);
        int length = 1 + random.nextInt(size - at);
        streams
            .get(way)
            .copy(sources.get(way).slice(at, length), targets.get(way).slice(at, length));
        System.arraycopy(data.get(way), at, expected.get(way), at, length);
      }
      if (open.isEmpty() || (open.size() < 4 && random.nextBoolean())) {
        boolean here = random.nextBoolean();
        open.add((here ? device : other).enablePeerAccess(here ? other : device));
      } else {
        open.remove(random.nextInt(open.size())).close();
      }
    }
    for (int way = 0; way < 4; way++) {
      streams.get(way).await();
      assertThat(readOf(way % 2 == 0 ? other : device, targets.get(way)))
          .isEqualTo(expected.get(way));
    }
    open.forEach(PeerAccess::close);
    streams.forEach(Stream::close);
    targets.forEach(GlobalBytes::close);
    sources.forEach(GlobalBytes::close);
  }

  @Test
  void aCopyArrivesWhicheverStreamItIsOn() {
    for (int size : new int[] {1, 4_096, 700_001, 5 << 20, MANY}) {
      byte[] data = bytes(size, size);
      try (GlobalBytes source = arrayOf(device, data);
          GlobalBytes there = other.allocateBytes(size);
          GlobalBytes back = device.allocateBytes(size);
          Stream stream = device.stream()) {
        Copy out = stream.copy(source, there);
        assertThat(out.route().kind()).isEqualTo(withoutAccess());
        Copy in = stream.copy(there, back);
        in.await();
        out.await();
        assertSame(readOf(other, there), data);
        assertSame(readOf(device, back), data);
      }
    }
  }

  @Test
  void withAccessACopyGoesFromDeviceToDevice() {
    if (!device.canAccess(other)) {
      assertThatThrownBy(() -> device.enablePeerAccess(other))
          .isInstanceOf(PeerAccessException.class);
      return;
    }
    byte[] data = bytes(3_000_001, 3);
    try (GlobalBytes source = arrayOf(device, data);
        GlobalBytes there = other.allocateBytes(data.length);
        Stream stream = device.stream();
        Stream theirs = other.stream()) {
      try (PeerAccess access = device.enablePeerAccess(other)) {
        assertThat(access.isOpen()).isTrue();
        Copy copy = stream.copy(source, there);
        assertThat(copy.route().kind()).isEqualTo(Route.Kind.PEER);
        theirs.waitFor(stream.record());
        theirs.fill(there.slice(0, 100), (byte) 7);
        stream.waitFor(theirs.record());
        GlobalBytes back = device.allocateBytes(data.length);
        assertThat(theirs.copy(there, back).route().kind()).isEqualTo(Route.Kind.PEER);
        theirs.await();
        byte[] expected = data.clone();
        java.util.Arrays.fill(expected, 0, 100, (byte) 7);
        assertSame(readOf(device, back), expected);
        back.close();
      }
      assertThat(stream.copy(source, there).route().kind()).isEqualTo(Route.Kind.PEER_STAGED);
      stream.await();
      assertSame(readOf(other, there), data);
    }
  }

  @Test
  void accessIsCountedAndEndsWithTheLastHandle() {
    if (!device.canAccess(other)) {
      return;
    }
    try (GlobalBytes source = arrayOf(device, bytes(10_000, 4));
        GlobalBytes there = other.allocateBytes(10_000);
        Stream stream = device.stream()) {
      PeerAccess first = device.enablePeerAccess(other);
      PeerAccess second = device.enablePeerAccess(other);
      PeerAccess back = other.enablePeerAccess(device);
      first.close();
      assertThat(stream.copy(source, there).route().kind()).isEqualTo(Route.Kind.PEER);
      second.close();
      assertThat(stream.copy(source, there).route().kind())
          .as("one way is enough for copies")
          .isEqualTo(Route.Kind.PEER);
      back.close();
      assertThat(stream.copy(source, there).route().kind()).isEqualTo(Route.Kind.PEER_STAGED);
      back.close(); // again: that ends nobody else's access
      stream.await();
    }
  }

  @Test
  void accessThatIsClosedInMidCopyHoldsUntilTheCopyIsDone() {
    if (!device.canAccess(other)) {
      return;
    }
    byte[] data = bytes(MANY, 5);
    try (GlobalBytes source = arrayOf(device, data);
        GlobalBytes there = other.allocateBytes(MANY);
        Stream stream = device.stream()) {
      PeerAccess access = device.enablePeerAccess(other);
      Copy copy;
      try (Gate gate = gate(stream)) {
        copy = stream.copy(source, there);
        access.close();
        gate.open();
      }
      copy.await();
      assertThat(copy.route().kind()).isEqualTo(Route.Kind.PEER);
      assertSame(readOf(other, there), data);
    }
  }

  @Test
  void bothEndsOfACopyThatIsUnderWayMayBeClosed() {
    byte[] data = bytes(MANY, 6);
    GlobalBytes there = other.allocateBytes(MANY);
    GlobalBytes source = arrayOf(device, data);
    try (Stream stream = device.stream();
        GlobalBytes back = device.allocateBytes(MANY)) {
      stream.copy(source, there);
      source.close();
      stream.copy(there, back);
      there.close();
      stream.await();
      assertSame(readOf(device, back), data);
    }
  }

  @Test
  void theOtherDeviceMayBeClosedWhileACopyIsUnderWay() {
    byte[] data = bytes(MANY, 7);
    GlobalBytes source = arrayOf(other, data);
    try (Stream stream = device.stream();
        GlobalBytes here = device.allocateBytes(MANY)) {
      Copy copy = stream.copy(source, here);
      other.close();
      copy.await();
      assertSame(readOf(device, here), data);
      assertThatThrownBy(() -> stream.copy(source, here)).isInstanceOf(ClosedException.class);
      stream.fill(here, (byte) 1);
      stream.await();
    }
  }

  @Test
  void whatIsEnqueuedBehindACopyWaitsForIt() {
    int count = 2_000_000;
    try (Stream stream = device.stream();
        GlobalInts a = device.allocateInts(count);
        GlobalInts b = other.allocateInts(count);
        GlobalInts c = device.allocateInts(count)) {
      int[] result = new int[count];
      for (int round = 0; round < 4; round++) {
        stream.fill(a, round);
        stream.launch(Grid.covering(count, 256), Kernels.ADD, a, 1, count);
        stream.copy(a, b);
        stream.fill(a, -1);
        stream.copy(b, c);
        stream.launch(Grid.covering(count, 256), Kernels.ADD, c, 1, count);
        stream.copy(c, result).await();
        int expected = round + 2;
        assertThat(IntStream.of(result).allMatch(value -> value == expected)).isTrue();
      }
    }
  }

  @Test
  void manyPairsOfStreamsCopyBothWaysAtOnce() {
    int pairs = 8;
    int size = 9 << 20;
    List<AutoCloseable> opened = new ArrayList<>();
    List<Copy> copies = new ArrayList<>();
    List<GlobalBytes> arrived = new ArrayList<>();
    List<Device> owners = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      Device sender = i % 2 == 0 ? device : other;
      Device receiver = i % 2 == 0 ? other : device;
      GlobalBytes source = arrayOf(sender, bytes(size, i));
      GlobalBytes target = receiver.allocateBytes(size);
      Stream stream = (i % 4 < 2 ? sender : receiver).stream();
      copies.add(stream.copy(source, target));
      arrived.add(target);
      owners.add(receiver);
      opened.addAll(List.of(source, target, stream));
    }
    copies.forEach(Copy::await);
    for (int i = 0; i < pairs; i++) {
      assertSame(readOf(owners.get(i), arrived.get(i)), bytes(size, i));
    }
    opened.forEach(PeerCopyTest::close);
  }

  private static void close(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void withoutPinnedMemoryTheDriverStagesAndTheRouteSaysSo() {
    if (!isKin()) {
      return;
    }
    device.pinnedBudget(0);
    byte[] data = bytes(MANY, 8);
    try (GlobalBytes source = arrayOf(other, data);
        GlobalBytes here = device.allocateBytes(MANY);
        Stream stream = device.stream()) {
      Copy copy = stream.copy(source, here);
      copy.await();
      assertThat(copy.route().kind()).isEqualTo(Route.Kind.PEER_BY_DRIVER);
      assertThat(copy.route().reason()).contains("no host memory could be pinned");
      try (GlobalBytes back = other.allocateBytes(MANY);
          Stream theirs = other.stream()) {
        theirs.copy(here, back).await();
        assertSame(readOf(other, back), data);
      }
    }
  }

  @Test
  void whatCannotBeIsRefused() {
    try (GlobalBytes source = arrayOf(device, bytes(1_000, 9));
        GlobalBytes more = other.allocateBytes(1_001);
        Stream stream = device.stream();
        Stream legacy = device.legacyStream()) {
      GlobalBytes there = other.allocateBytes(1_000);
      assertThatThrownBy(() -> stream.copy(source, more))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1000")
          .hasMessageContaining("1001");
      assertThatThrownBy(() -> legacy.copy(source, there))
          .isInstanceOf(RouteException.class)
          .hasMessageContaining("all work of both devices");
      assertThatThrownBy(() -> stream.copy(there, more.slice(0, 1_000)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("use a stream of");
      assertThatThrownBy(() -> stream.copy(source, there, Route.Kind.LOCAL))
          .isInstanceOf(RouteException.class);
      assertThatThrownBy(() -> stream.copy(source, there, Route.Kind.PEER))
          .isInstanceOfAny(PeerAccessException.class, RouteException.class);
      assertThatThrownBy(() -> device.enablePeerAccess(device))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(device.canAccess(device)).isFalse();
      there.close();
      assertThatThrownBy(() -> stream.copy(source, there)).isInstanceOf(ClosedException.class);
      stream.await();
    }
  }

  @Test
  void everyWayCanBeDemandedAndBringsTheSameBytes() {
    if (!isKin()) {
      return;
    }
    byte[] data = bytes(6_000_000, 10);
    try (GlobalBytes source = arrayOf(device, data);
        GlobalBytes there = other.allocateBytes(data.length);
        Stream stream = device.stream();
        Stream theirs = other.stream()) {
      for (Stream on : List.of(stream, theirs)) {
        for (Route.Kind way : List.of(Route.Kind.PEER_STAGED, Route.Kind.PEER_BY_DRIVER)) {
          theirs.fill(there, (byte) 0);
          theirs.await();
          Copy copy = on.copy(source, there, way);
          copy.await();
          assertThat(copy.route().kind()).isEqualTo(way);
          assertSame(readOf(other, there), data);
        }
      }
      if (device.canAccess(other)) {
        try (PeerAccess _ = other.enablePeerAccess(device)) {
          assertThatThrownBy(() -> stream.copy(source, there, Route.Kind.PEER_BY_DRIVER))
              .isInstanceOf(RouteException.class)
              .hasMessageContaining("would go PEER");
          stream.copy(source, there, Route.Kind.PEER_STAGED).await();
          stream.copy(source, there, Route.Kind.PEER).await();
        }
      }
    }
  }

  @Test
  void aKernelUsesThePeersMemoryOnceItHasAccess() {
    int count = 100_000;
    try (Stream stream = device.stream();
        Stream theirs = other.stream();
        GlobalInts b = other.allocateInts(count)) {
      theirs.fill(b, 5);
      stream.waitFor(theirs.record());
      assertThatThrownBy(() -> stream.launch(Grid.covering(count, 256), Kernels.ADD, b, 1, count))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has no access");
      if (device.canAccess(other)) {
        PeerAccess access = device.enablePeerAccess(other);
        var launch = device.prepare(Grid.covering(count, 256), Kernels.ADD, b, 1, count);
        stream.launch(launch);
        stream.launch(launch);
        access.close();
        assertThatThrownBy(() -> stream.launch(launch)).isInstanceOf(ClosedException.class);
        theirs.waitFor(stream.record());
        int[] result = new int[count];
        theirs.copy(b, result).await();
        assertThat(result).containsOnly(7);
      }
    }
  }

  @Test
  void anAddressSaysWhatItIsOf() {
    try (GlobalBytes here = device.allocateBytes(1_000);
        var arena = device.pinnedArena()) {
      assertThat(Device.of(here)).isSameAs(device);
      PointerProperties found = device.pointer(here.address() + 10);
      assertThat(found.kind()).isEqualTo(PointerProperties.Kind.DEVICE);
      assertThat(found.ordinal()).isEqualTo(device.properties().ordinal());
      MemorySegment pinned = arena.allocate(ValueLayout.JAVA_INT, 100);
      assertThat(device.pointer(pinned.address()).kind()).isEqualTo(PointerProperties.Kind.PINNED);
      if (isKin()) {
        try (GlobalBytes there = other.allocateBytes(1_000)) {
          assertThat(Device.of(there)).isSameAs(other);
          found = device.pointer(there.address());
          assertThat(found.kind()).isEqualTo(PointerProperties.Kind.DEVICE);
          assertThat(found.ordinal()).isEqualTo(other.properties().ordinal());
        }
      }
      try (var ordinary = java.lang.foreign.Arena.ofConfined()) {
        assertThat(device.pointer(ordinary.allocate(100).address()).kind())
            .isEqualTo(PointerProperties.Kind.ORDINARY);
      }
    }
  }

  @Test
  void whenTheOtherDeviceIsLostTheCopyFailsAndThisDeviceGoesOn() {
    if (!other.isVirtual() || !isKin()) {
      return;
    }
    byte[] data = bytes(MANY, 11);
    try (GlobalBytes source = arrayOf(device, data);
        GlobalBytes there = other.allocateBytes(MANY);
        GlobalInts mine = other.allocateInts(100);
        Stream stream = device.stream();
        Stream theirs = other.stream()) {
      Copy copy;
      try (Gate gate = gate(stream)) {
        copy = stream.copy(source, there);
        theirs.launch(Grid.of(1, 32), Kernels.FAULT, mine);
        assertThatThrownBy(theirs::await).isInstanceOf(DeviceLostException.class);
        gate.open();
      }
      assertThatThrownBy(copy::await).isInstanceOf(DeviceLostException.class);
      assertThat(other.isLost()).isTrue();
      assertThat(device.isLost()).isFalse();
      assertThatThrownBy(() -> stream.copy(source, there)).isInstanceOf(DeviceLostException.class);
      assertSame(readOf(device, source), data);
    }
  }
}
