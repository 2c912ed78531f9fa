package dev.stretto.driver.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.stretto.driver.Cooperation;
import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;
import dev.stretto.driver.LaunchShape;
import dev.stretto.driver.PeerProperties;
import dev.stretto.driver.PeerProperties.Link;
import dev.stretto.driver.PointerProperties;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class VirtualPeerTest {
  private static final long GIB = 1L << 30;

  private final List<DriverDevice> devices = new ArrayList<>();

  private void open(String config) {
    VirtualDriver driver = new VirtualDriver(VirtualConfig.parse(config));
    for (int i = 0; i < driver.deviceCount(); i++) {
      devices.add(driver.open(i));
    }
  }

  @AfterEach
  void close() {
    devices.forEach(DriverDevice::close);
  }

  private static DriverException failure(Kind kind, int code, ThrowingCallable call) {
    DriverException thrown = catchThrowableOfType(DriverException.class, call);
    assertThat(thrown).isNotNull();
    assertThat(thrown.kind()).as(thrown.getMessage()).isEqualTo(kind);
    assertThat(thrown.code()).isEqualTo(code);
    return thrown;
  }

  // --- who reaches whom

  private String reached(int from) {
    StringBuilder reached = new StringBuilder();
    for (DriverDevice to : devices) {
      reached.append(devices.get(from).peer(to).access() ? 'x' : '.');
    }
    return reached.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "h200x4, .xxx x.xx xx.x xxx.",
    "'h200x4,peers', .xxx x.xx xx.x xxx.",
    "'h200x5,ring', .x..x x.x.. .x.x. ..x.x x..x.",
    "'h200x3,ring', .xx x.x xx.",
    "'a100x2,ring', .x x.",
    "'h200x3,no-peer', ... ... ...",
    "'rtx4090x2,peers', .. ..",
    "'h200,ring', .",
  })
  void theTopologySaysWhoReachesWhom(String config, String expected) {
    open(config);
    String[] rows = expected.split(" ", -1);
    assertThat(rows).hasSize(devices.size());
    for (int from = 0; from < rows.length; from++) {
      assertThat(reached(from)).as("from %d", from).isEqualTo(rows[from]);
    }
  }

  @Test
  void whatIsReachedIsReachedByNvlinkAndTheRestThroughTheHost() {
    open("h200x4,ring");
    assertThat(devices.get(0).peer(devices.get(1)))
        .isEqualTo(new PeerProperties(true, Link.NVLINK, true, 396e9));
    assertThat(devices.get(0).peer(devices.get(2)))
        .isEqualTo(new PeerProperties(false, Link.HOST, false, 38.1e9));
  }

  @Test
  void devicesOfAnotherDriverAreRefused() {
    open("h200x2");
    try (DriverDevice stranger = new VirtualDriver(VirtualConfig.DEFAULT).open(0)) {
      assertThat(failure(Kind.INVALID, 101, () -> devices.get(0).peer(stranger)))
          .hasMessageContaining("is a device of another driver");
      failure(Kind.INVALID, 101, () -> devices.get(0).enablePeerAccess(stranger));
      failure(Kind.INVALID, 101, () -> devices.get(0).disablePeerAccess(stranger));
    }
  }

  // --- access

  @Test
  void accessIsCountedAndGoesOneWay() {
    open("h200x2");
    DriverDevice one = devices.get(0);
    DriverDevice two = devices.get(1);
    one.enablePeerAccess(two);
    one.enablePeerAccess(two);
    one.disablePeerAccess(two);
    failure(Kind.INVALID, 705, () -> two.disablePeerAccess(one));
    one.disablePeerAccess(two);
    assertThat(failure(Kind.INVALID, 705, () -> one.disablePeerAccess(two)))
        .hasMessage(
            "cuCtxDisablePeerAccess: CUDA_ERROR_PEER_ACCESS_NOT_ENABLED (705): access of virtual"
                + " device 0 to device 1 is not enabled");
  }

  @Test
  void openingsOfOneDeviceShareItsAccess() {
    VirtualDriver driver = new VirtualDriver(VirtualConfig.parse("h200x2"));
    try (DriverDevice one = driver.open(0);
        DriverDevice again = driver.open(0);
        DriverDevice two = driver.open(1)) {
      one.enablePeerAccess(two);
      again.disablePeerAccess(two);
      failure(Kind.INVALID, 705, () -> one.disablePeerAccess(two));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h200x2,no-peer", "rtx4090x2"})
  void accessThatCannotBeIsRefused(String config) {
    open(config);
    assertThat(failure(Kind.INVALID, 217, () -> devices.get(0).enablePeerAccess(devices.get(1))))
        .hasMessage(
            "cuCtxEnablePeerAccess: CUDA_ERROR_PEER_ACCESS_UNSUPPORTED (217): virtual device 0"
                + " cannot access the memory of device 1");
    failure(Kind.INVALID, 217, () -> devices.get(0).enablePeerAccess(devices.get(0)));
  }

  @Test
  void accessEndsWithEitherDevice() {
    VirtualDriver driver = new VirtualDriver(VirtualConfig.parse("h200x2"));
    try (DriverDevice one = driver.open(0)) {
      DriverDevice two = driver.open(1);
      one.enablePeerAccess(two);
      two.enablePeerAccess(one);
      two.close();
      try (DriverDevice again = driver.open(1)) {
        failure(Kind.INVALID, 705, () -> one.disablePeerAccess(again));
        failure(Kind.INVALID, 705, () -> again.disablePeerAccess(one));
      }
    }
  }

  // --- copies

  private static void fill(DriverDevice device, long address, int value, long bytes) {
    long stream = device.createStream(0);
    device.fill(address, value, 1, bytes, stream);
    await(device, stream);
    device.destroyStream(stream);
  }

  private static long record(DriverDevice device, long stream) {
    long event = device.createEvent(true);
    device.recordEvent(event, stream);
    return event;
  }

  private static void await(DriverDevice device, long stream) {
    long event = record(device, stream);
    device.awaitEvent(event);
    device.destroyEvent(event);
  }

  private static byte[] bytes(DriverDevice device, long address, int count) {
    long host = device.allocatePinned(count);
    long stream = device.createStream(0);
    device.copy(host, address, count, CopyKind.DEVICE_TO_HOST, stream);
    await(device, stream);
    byte[] bytes = Rig.view(host, count).toArray(ValueLayout.JAVA_BYTE);
    device.freePinned(host);
    device.destroyStream(stream);
    return bytes;
  }

  @ParameterizedTest
  @CsvSource({
    "h200x2, true",
    "'h200x2,seed=3', true",
    "h200x2, false",
    "'rtx4090x2,seed=4', false"
  })
  void aCopyArrivesWithAccessAndWithoutOnStreamsOfEitherEnd(String config, boolean access) {
    open(config);
    DriverDevice one = devices.get(0);
    DriverDevice two = devices.get(1);
    if (access) {
      one.enablePeerAccess(two);
    }
    long src = one.allocate(300);
    long dst = two.allocate(300);
    for (DriverDevice owner : devices) {
      fill(one, src, 1, 300);
      fill(one, src + 100, 2, 100);
      fill(two, dst, 3, 300);
      long stream = owner.createStream(0);

      owner.copyPeer(dst + 50, two, src + 100, one, 200, stream);
      await(owner, stream);

      byte[] found = bytes(two, dst, 300);
      for (int i = 0; i < 300; i++) {
        int expected = i < 50 || i >= 250 ? 3 : i < 150 ? 2 : 1;
        assertThat(found[i]).as("byte %d", i).isEqualTo((byte) expected);
      }
    }
  }

  @Test
  void aCopyHasToLieWithinBothAllocationsAndOnTheNamedDevices() {
    open("h200x2");
    DriverDevice one = devices.get(0);
    DriverDevice two = devices.get(1);
    long src = one.allocate(512);
    long dst = two.allocate(256);
    long stream = one.createStream(0);
    long theirs = two.createStream(0);
    failure(Kind.INVALID, 1, () -> one.copyPeer(dst, two, src, one, 0, stream));
    failure(Kind.INVALID, 1, () -> one.copyPeer(dst, two, src, one, 257, stream));
    failure(Kind.INVALID, 1, () -> one.copyPeer(dst + 1, two, src, one, 256, stream));
    failure(Kind.INVALID, 1, () -> one.copyPeer(dst, two, src + 511, one, 2, stream));
    failure(Kind.INVALID, 1, () -> one.copyPeer(dst, one, src, two, 8, stream));
    failure(Kind.INVALID, 400, () -> one.copyPeer(dst, two, src, one, 8, theirs + stream));
  }

  /** Steps the seed until an event is done, or the device is lost. */
  private static void stepTo(DriverDevice device, long event) {
    Cooperation cooperation = device.cooperation().orElseThrow();
    boolean stepped = true;
    while (stepped && !device.isDone(event)) {
      stepped = cooperation.step();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h200x2,seed=1", "h200x2,seed=2", "h200x2,seed=3"})
  void accessThatIsDisabledInMidCopyLosesTheDevice(String config) {
    open(config);
    DriverDevice one = devices.get(0);
    DriverDevice two = devices.get(1);
    one.enablePeerAccess(two);
    long src = one.allocate(4096);
    long dst = two.allocate(4096);
    long stream = one.createStream(0);
    one.copyPeer(dst, two, src, one, 4096, stream);
    long event = record(one, stream);

    one.disablePeerAccess(two);

    DriverException thrown = failure(Kind.LOST, 700, () -> stepTo(one, event));
    assertThat(thrown)
        .hasMessageContaining("in the copy of 4096 bytes")
        .hasMessageContaining(
            "access between virtual devices 0 and 1 was disabled while a copy of 4096 bytes was"
                + " enqueued");
    failure(Kind.LOST, 700, () -> one.allocate(1));
    failure(Kind.LOST, 700, () -> one.copyPeer(dst, two, src, one, 8, stream));
    failure(Kind.LOST, 700, () -> two.copyPeer(dst, two, src, one, 8, two.createStream(0)));
    fill(two, dst, 1, 4096); // the other device goes on
  }

  /** Seeds that cut the copy into several pieces. */
  @ParameterizedTest
  @ValueSource(longs = {1, 5, 7, 9, 11})
  void theFirstPieceOfACopySavesNotTheOthers(long seed) {
    open("h200x2,seed=" + seed);
    DriverDevice one = devices.get(0);
    DriverDevice two = devices.get(1);
    one.enablePeerAccess(two);
    long src = one.allocate(1 << 20);
    long dst = two.allocate(1 << 20);
    long stream = one.createStream(0);
    one.copyPeer(dst, two, src, one, 1 << 20, stream);
    long event = record(one, stream);
    assertThat(one.cooperation().orElseThrow().step()).isTrue();

    one.disablePeerAccess(two);

    failure(Kind.LOST, 700, () -> stepTo(one, event));
  }

  @Test
  void accessTheOtherWayKeepsACopyAlive() {
    open("h200x2,seed=5");
    DriverDevice one = devices.get(0);
    DriverDevice two = devices.get(1);
    one.enablePeerAccess(two);
    two.enablePeerAccess(one);
    long src = one.allocate(4096);
    long dst = two.allocate(4096);
    fill(one, src, 9, 4096);
    long stream = one.createStream(0);
    one.copyPeer(dst, two, src, one, 4096, stream);
    one.disablePeerAccess(two);
    await(one, stream);
    assertThat(bytes(two, dst, 4096)).containsOnly(9);
  }

  @Test
  void aStagedCopyNeedsNoAccessAndHasNoneToLose() {
    open("h200x2,seed=6");
    DriverDevice one = devices.get(0);
    DriverDevice two = devices.get(1);
    long src = one.allocate(4096);
    long dst = two.allocate(4096);
    fill(one, src, 8, 4096);
    long stream = one.createStream(0);
    one.copyPeer(dst, two, src, one, 4096, stream);
    one.enablePeerAccess(two);
    one.disablePeerAccess(two);
    await(one, stream);
    assertThat(bytes(two, dst, 4096)).containsOnly(8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"h200x2", "h200x2,seed=1", "h200x2,seed=2", "h200x2,seed=3"})
  void aCopyThatWaitedForALostDeviceMovesNothingAndNobodyWaitsForThatDeviceAnyMore(String config) {
    open(config);
    DriverDevice one = devices.get(0);
    DriverDevice two = devices.get(1);
    two.enablePeerAccess(one);
    long src = one.allocate(4096);
    long dst = two.allocate(4096);
    fill(one, src, 9, 4096);
    fill(two, dst, 5, 4096);
    long lost = one.createStream(0);
    long waits = two.createStream(0);
    long event = one.createEvent(false);
    long astray =
        Rig.function(
            one,
            (first, last, parameters, memory) -> {
              throw new IllegalStateException("astray");
            },
            0);
    try {
      one.launch(
          astray,
          LaunchShape.of(1, 1, 1, 1, 1, 1, 0),
          lost,
          MemorySegment.NULL,
          MemorySegment.NULL);
      one.recordEvent(event, lost);
      two.waitEvent(waits, event);
      two.copyPeer(dst, two, src, one, 4096, waits);
    } catch (DriverException e) {
      assertThat(e.kind()).isEqualTo(Kind.LOST); // where threads run the device, it may be by now
    }
    await(two, waits);
    assertThat(bytes(two, dst, 4096)).containsOnly(5);
    failure(Kind.LOST, 719, () -> one.isDone(event));
    failure(Kind.LOST, 719, () -> two.waitEvent(waits, event));
    fill(two, dst, 1, 4096);
  }

  // --- modelled times, under a seed that never runs what is only timed

  /** Gigabytes a second of copies that begin together: one way, or both. */
  private double rate(boolean bothWays, int pieces) {
    DriverDevice one = devices.get(0);
    DriverDevice two = devices.get(1);
    long here = one.allocate(2 * GIB);
    long there = two.allocate(2 * GIB);
    long out = one.createStream(0);
    long back = two.createStream(0);
    long start = record(one, out);
    two.waitEvent(back, start);
    for (int i = 0; i < pieces; i++) {
      one.copyPeer(there, two, here, one, GIB / pieces, out);
      if (bothWays) {
        two.copyPeer(here + GIB, one, there + GIB, two, GIB / pieces, back);
      }
    }
    long end = one.eventNanos(record(one, out));
    if (bothWays) {
      end = Math.max(end, two.eventNanos(record(two, back)));
    }
    return (bothWays ? 2 : 1) * GIB / (double) (end - one.eventNanos(start));
  }

  @ParameterizedTest
  @CsvSource({
    "h200x2, true, 396, 782",
    "h200x2, false, 38.1, 48.0",
    "a100x2, true, 270, 530",
    "rtx4090x2, false, 17.2, 22.0"
  })
  void copiesTakeWhatTheLinkTakes(String config, boolean access, double one, double both) {
    open(config + ",seed=1");
    if (access) {
      devices.get(0).enablePeerAccess(devices.get(1));
    }
    assertThat(rate(false, 1)).isCloseTo(one, withPercentage(1));
    settle();
    assertThat(rate(true, 1)).isCloseTo(both, withPercentage(1));
  }

  @Test
  void bothWaysInPiecesTakeNearlyTheSame() {
    open("h200x2,seed=1");
    devices.get(0).enablePeerAccess(devices.get(1));
    assertThat(rate(true, 16)).isCloseTo(782, withPercentage(2));
  }

  /** Lets modelled time pass, so that what was timed before is over. */
  private void settle() {
    devices.get(0).clock().set(devices.get(0).clock().now() + 1_000_000_000);
  }

  @Test
  void copiesOfOneSenderShareItsWayOut() {
    open("h200x3,seed=1");
    DriverDevice one = devices.get(0);
    one.enablePeerAccess(devices.get(1));
    one.enablePeerAccess(devices.get(2));
    long src = one.allocate(GIB);
    long start = record(one, one.createStream(0));
    long last = 0;
    for (DriverDevice to : devices.subList(1, 3)) {
      long stream = one.createStream(0);
      one.copyPeer(to.allocate(GIB), to, src, one, GIB, stream);
      last = Math.max(last, one.eventNanos(record(one, stream)));
    }
    assertThat(2 * GIB / (double) (last - one.eventNanos(start))).isCloseTo(396, withPercentage(1));
  }

  @Test
  void pairsThatShareNothingAreAsFastAsOne() {
    open("h200x4,seed=1");
    long end = 0;
    for (int from : new int[] {0, 2}) {
      DriverDevice sender = devices.get(from);
      DriverDevice receiver = devices.get(from + 1);
      sender.enablePeerAccess(receiver);
      long stream = sender.createStream(0);
      sender.copyPeer(receiver.allocate(GIB), receiver, sender.allocate(GIB), sender, GIB, stream);
      end = Math.max(end, sender.eventNanos(record(sender, stream)));
    }
    assertThat(2 * GIB / (double) end).isCloseTo(2 * 396, withPercentage(1));
  }

  // --- addresses

  @Test
  void anAddressSaysWhatItIsOfWhicheverDeviceIsAsked() {
    open("h200x2");
    DriverDevice two = devices.get(1);
    long memory = two.allocate(1000);
    long pinned = two.allocatePinned(5000);
    for (DriverDevice asked : devices) {
      assertThat(asked.pointer(memory + 999))
          .isEqualTo(new PointerProperties(PointerProperties.Kind.DEVICE, 1, memory, 1000));
      assertThat(asked.pointer(pinned + 8))
          .isEqualTo(new PointerProperties(PointerProperties.Kind.PINNED, 1, pinned, 5000));
      assertThat(asked.pointer(memory + 1000)).isEqualTo(PointerProperties.ORDINARY);
    }
    two.free(memory);
    assertThat(devices.get(0).pointer(memory)).isEqualTo(PointerProperties.ORDINARY);
  }

  @Test
  void registeredMemoryIsPinnedWhileItIsRegistered() {
    open("h200");
    DriverDevice device = devices.get(0);
    try (Arena arena = Arena.ofConfined()) {
      long address = arena.allocate(8192, 4096).address();
      assertThat(device.pointer(address)).isEqualTo(PointerProperties.ORDINARY);
      device.registerHost(address, 4096);
      assertThat(device.pointer(address + 4095))
          .isEqualTo(new PointerProperties(PointerProperties.Kind.PINNED, 0, address, 4096));
      device.unregisterHost(address);
      assertThat(device.pointer(address)).isEqualTo(PointerProperties.ORDINARY);
    }
    assertThat(device.pointer(0)).isEqualTo(PointerProperties.ORDINARY);
  }
}
