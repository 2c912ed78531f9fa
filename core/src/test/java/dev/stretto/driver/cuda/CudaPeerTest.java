package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;
import dev.stretto.driver.PeerProperties;
import dev.stretto.driver.PeerProperties.Link;
import dev.stretto.driver.PointerProperties;
import dev.stretto.driver.Volume;
import dev.stretto.driver.virtual.VirtualConfig;
import dev.stretto.driver.virtual.VirtualDriver;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CudaPeerTest extends OnFakeCuda {
  private static final String ENABLE = "0 cuCtxEnablePeerAccess 1";
  private static final String ENABLE_BACK = "1 cuCtxEnablePeerAccess 0";
  private static final String ALLOW_BACK = "0 cuMemPoolSetAccess of 0: 1 1 3";
  private static final String ALLOW = "0 cuMemPoolSetAccess of 1: 1 0 3";
  private static final String DISALLOW = "0 cuMemPoolSetAccess of 1: 1 0 0";

  private DriverDevice first;
  private DriverDevice second;

  /** Of a driver that knows nothing of the other tests'. */
  @BeforeEach
  void openTwoDevices() {
    Driver afresh = (Driver) fake.loadAfresh();
    first = afresh.open(0);
    second = afresh.open(1);
    driver = afresh;
    fake.makeCurrent(0);
    List<String> _ = fake.calls();
  }

  /** The calls since the last time, without those that change the context. */
  private List<String> calls() {
    return fake.calls().stream()
        .filter(call -> !call.contains("PushCurrent") && !call.contains("PopCurrent"))
        .map(call -> call.contains("cuMemPoolSetAccess") ? "0" + call.substring(1) : call)
        .toList();
  }

  // --- properties

  @Test
  void devicesWithAtomicsAreJoinedByNvlink() {
    assertThat(first.peer(second)).isEqualTo(new PeerProperties(true, Link.NVLINK, true, 0));
    assertThat(calls())
        .containsExactly("0 cuDeviceCanAccessPeer 0 1", "0 cuDeviceGetP2PAttribute 3 0 1");
    assertThat(second.peer(first).access()).isTrue();
    assertThat(calls()).contains("0 cuDeviceCanAccessPeer 1 0");
  }

  @Test
  void devicesWithoutAtomicsByThePcieBus() {
    fake.set("atomics", 0);
    assertThat(first.peer(second)).isEqualTo(new PeerProperties(true, Link.PCIE, false, 0));
  }

  @Test
  void otherDevicesByTheHostAlone() {
    fake.set("peers", 0);
    assertThat(first.peer(second)).isEqualTo(new PeerProperties(false, Link.HOST, false, 0));
    assertThat(calls()).containsExactly("0 cuDeviceCanAccessPeer 0 1");
  }

  @Test
  void aDeviceIsNoPeerOfItself() {
    assertThat(first.peer(first).access()).isFalse();
  }

  @Test
  void whatTheDriverDoesNotTellIsAnError() {
    fake.failNext("cuDeviceGetP2PAttribute", 101);
    assertThat(failure(Kind.INVALID, () -> first.peer(second)))
        .hasMessage("cuDeviceGetP2PAttribute: CUDA error 101; of device 1 (device 0)");
  }

  @Test
  void aDeviceOfAnotherDriverIsRefused() {
    try (DriverDevice stranger = new VirtualDriver(VirtualConfig.DEFAULT).open(0)) {
      failure(Kind.INVALID, () -> first.peer(stranger));
      failure(Kind.INVALID, () -> first.enablePeerAccess(stranger));
      failure(Kind.INVALID, () -> first.disablePeerAccess(stranger));
      assertThat(failure(Kind.INVALID, () -> first.copyPeer(1, stranger, 1, first, 1, 1)))
          .hasMessageContaining("a device of another driver");
    }
    assertThat(fake.calls()).isEmpty();
  }

  // --- access

  /** Or the second one to be turned on would be so while copies go the other way. */
  @Test
  void accessIsToPlainMemoryAndToThePoolAndTurnedOnBothWays() {
    first.enablePeerAccess(second);
    assertThat(calls()).containsExactly(ENABLE, ALLOW, ENABLE_BACK, ALLOW_BACK);
    second.enablePeerAccess(first);
    assertThat(calls()).containsExactly(ENABLE_BACK, ENABLE);
  }

  /** Turned off while the driver lets a copy go that way, it loses both devices. */
  @Test
  void accessStaysOnUntilTheDeviceIsClosed() {
    first.enablePeerAccess(second);
    first.enablePeerAccess(second);
    List<String> _ = calls();
    first.disablePeerAccess(second);
    first.disablePeerAccess(second);
    assertThat(calls()).isEmpty();
    first.enablePeerAccess(second);
    assertThat(calls()).containsExactly(ENABLE, ENABLE_BACK);
    second.close();
    assertThat(calls())
        .containsSubsequence("0 cuStreamSynchronize", DISALLOW, "0 cuMemPoolDestroy")
        .noneMatch(call -> call.contains("cuCtxDisablePeerAccess"));
  }

  @Test
  void theAccessingContextIsCurrentMeanwhile() {
    second.enablePeerAccess(first);
    assertThat(fake.calls())
        .containsExactly(
            "0 cuCtxPushCurrent_v2 1",
            "1 cuCtxEnablePeerAccess 0",
            "1 cuCtxPopCurrent_v2",
            "0 cuMemPoolSetAccess of 0: 1 1 3",
            "0 cuCtxEnablePeerAccess 1",
            "0 cuMemPoolSetAccess of 1: 1 0 3");
    assertThat(fake.current()).isZero();
  }

  @Test
  void twoOpeningsShareAContextButEachHasItsPool() {
    try (DriverDevice again = driver.open(1)) {
      first.enablePeerAccess(second);
      assertThat(calls()).filteredOn(ALLOW::equals).hasSize(1);
      first.enablePeerAccess(again);
      assertThat(calls()).filteredOn(ALLOW::equals).hasSize(1);
    }
    assertThat(calls()).filteredOn(DISALLOW::equals).hasSize(1);
  }

  @Test
  void whatAnotherLibraryEnabledIsEnabled() {
    fake.fail("cuCtxEnablePeerAccess", 704, 2);
    first.enablePeerAccess(second);
    assertThat(calls()).containsExactly(ENABLE, ALLOW, ENABLE_BACK, ALLOW_BACK);
  }

  @Test
  void whereItGoesOneWayOnlyThatIsEnough() {
    fake.failLater("cuCtxEnablePeerAccess", 217, 1);
    first.enablePeerAccess(second);
    assertThat(calls()).containsExactly(ENABLE, ALLOW, ENABLE_BACK);
  }

  @Test
  void aRefusalTellsBothDevicesAndLeavesNothingEnabled() {
    fake.set("peers", 0);
    DriverException thrown = failure(Kind.INVALID, () -> first.enablePeerAccess(second));
    assertThat(thrown.code()).isEqualTo(217);
    assertThat(thrown)
        .hasMessage(
            "cuCtxEnablePeerAccess: CUDA_ERROR_PEER_ACCESS_UNSUPPORTED (217): peer access is not"
                + " supported between these two devices; of device 1 (device 0)");
    assertThat(calls()).containsExactly(ENABLE);
    fake.set("peers", 1);
    first.enablePeerAccess(second);
    assertThat(calls()).containsExactly(ENABLE, ALLOW, ENABLE_BACK, ALLOW_BACK);
  }

  @Test
  void whatThePoolHasRefusedIsAskedForAgain() {
    fake.failNext("cuMemPoolSetAccess", 1);
    assertThat(failure(Kind.INVALID, () -> first.enablePeerAccess(second)))
        .hasMessageStartingWith("cuMemPoolSetAccess: CUDA_ERROR_INVALID_VALUE (1)");
    assertThat(calls()).containsExactly(ENABLE, ALLOW);
    first.enablePeerAccess(second);
    assertThat(calls()).containsExactly(ENABLE, ALLOW, ENABLE_BACK, ALLOW_BACK);
  }

  /** As where the device that had access is lost, which is not this one's concern. */
  @Test
  void aPoolGoesThoughAccessToItCannotBeTakenBack() {
    first.enablePeerAccess(second);
    fake.failNext("cuMemPoolSetAccess", 700);
    second.close();
    assertThat(calls())
        .containsSubsequence(DISALLOW, "0 cuMemPoolDestroy", "0 cuDevicePrimaryCtxRelease_v2 1")
        .anyMatch(call -> call.contains("cuStreamDestroy"));
    second = driver.open(1);
    assertThat(first.peer(second).access()).isTrue();
  }

  @Test
  void theOtherDirectionIsNotTriedAgainOnceRefusedUnlessAskedFor() {
    fake.failLater("cuCtxEnablePeerAccess", 217, 1);
    first.enablePeerAccess(second);
    List<String> _ = calls();
    first.enablePeerAccess(second);
    assertThat(calls()).containsExactly(ENABLE);
    second.enablePeerAccess(first);
    assertThat(calls()).containsExactly(ENABLE_BACK, ALLOW_BACK, ENABLE);
  }

  @Test
  void aDeviceThatIsLostByTheOtherDirectionIsToldOf() {
    fake.failLater("cuCtxEnablePeerAccess", 700, 1);
    failure(Kind.LOST, () -> first.enablePeerAccess(second));
    failure(Kind.LOST, () -> second.enablePeerAccess(first));
  }

  @Test
  void aDeviceWithoutAPoolNeedsTheContextsAccessAlone() {
    fake.set("pools", 0);
    try (DriverDevice plain = driver.open(1)) {
      assertThat(fake.calls()).isNotEmpty();
      first.enablePeerAccess(plain);
    }
    assertThat(calls()).startsWith(ENABLE, ENABLE_BACK).doesNotContain(ALLOW);
  }

  @Test
  void aContextThatIsMadeAnewHasNoAccessYet() {
    first.enablePeerAccess(second);
    // As after a loss: nobody has ended it, and the context goes with its last opening.
    second.close();
    second = driver.open(1);
    List<String> _ = fake.calls();

    first.enablePeerAccess(second);

    assertThat(calls()).containsExactly(ENABLE, ALLOW, ENABLE_BACK, ALLOW_BACK);
  }

  /** The second to be given access is told that the context has it already. */
  @Test
  void eachOpeningsPoolIsOpenToAContextThatWasMadeAnew() {
    try (DriverDevice again = driver.open(1)) {
      first.enablePeerAccess(second);
      first.enablePeerAccess(again);
      first.close();
      first = driver.open(0);
      fake.makeCurrent(0);
      List<String> _ = fake.calls();

      first.enablePeerAccess(second);
      first.enablePeerAccess(again);

      assertThat(calls()).filteredOn(ALLOW::equals).hasSize(2);
    }
  }

  // --- copies

  @Test
  void aCopyGoesFromOneContextsMemoryToTheOthers() {
    long stream = first.createStream(0);
    long there = second.createStream(0);
    long src = first.allocate(256);
    long dst = second.allocate(256);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment host = arena.allocate(256).fill((byte) 7);
      MemorySegment back = arena.allocate(256);
      first.copy(src, host.address(), 256, CopyKind.HOST_TO_DEVICE, stream);
      assertThat(fake.calls()).isNotEmpty();

      first.copyPeer(dst + 16, second, src, first, 100, stream);

      assertThat(fake.calls()).containsExactly("0 cuMemcpyPeerAsync 100, 0 > 1");
      second.copy(back.address(), dst, 256, CopyKind.DEVICE_TO_HOST, there);
      assertThat(back.get(ValueLayout.JAVA_BYTE, 16)).isEqualTo((byte) 7);
      assertThat(back.get(ValueLayout.JAVA_BYTE, 115)).isEqualTo((byte) 7);
    }
  }

  @Test
  void theStreamsContextIsCurrentWhicheverEndItIsOf() {
    long stream = second.createStream(0);
    long src = first.allocate(256);
    long dst = second.allocate(256);
    assertThat(fake.calls()).isNotEmpty();

    second.copyPeer(dst, second, src, first, 8, stream);
    second.copyPeer(src, first, dst, second, 8, stream);

    assertThat(fake.calls())
        .containsExactly(
            "0 cuCtxPushCurrent_v2 1",
            "1 cuMemcpyPeerAsync 8, 0 > 1",
            "1 cuCtxPopCurrent_v2",
            "0 cuCtxPushCurrent_v2 1",
            "1 cuMemcpyPeerAsync 8, 1 > 0",
            "1 cuCtxPopCurrent_v2");
    assertThat(fake.current()).isZero();
  }

  @Test
  void rowsAndPlanesGoFromOneContextToTheOther() {
    long stream = first.createStream(0);
    long there = second.createStream(0);
    long src = first.allocate(4096);
    long dst = second.allocate(4096);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment host = arena.allocate(4096);
      for (int i = 0; i < 4096; i++) {
        host.set(ValueLayout.JAVA_BYTE, i, (byte) ((i * 31) >>> 2));
      }
      first.copy(src, host.address(), 4096, CopyKind.HOST_TO_DEVICE, stream);
      assertThat(fake.calls()).isNotEmpty();

      first.copyPeer3D(dst, second, src, first, Volume.rows(8, 20, 8, 3), stream);
      first.copyPeer3D(dst + 64, second, src, first, new Volume(8, 32, 20, 100, 5, 3, 2), stream);
      first.copyPeer3D(dst + 256, second, src, first, new Volume(8, 30, 20, 100, 5, 3, 2), stream);
      first.copyPeer3D(dst + 512, second, src, first, Volume.rows(40, 40, 40, 3), stream);

      assertThat(fake.calls())
          .containsExactly(
              "0 cuMemcpy3DPeerAsync 0 > 1, 8 x 3 x 1, pitch 20, 3 > 8, 3",
              "0 cuMemcpy3DPeerAsync 0 > 1, 5 x 3 x 2, pitch 20, 5 > 8, 4",
              "0 cuMemcpy3DPeerAsync 0 > 1, 5 x 3 x 1, pitch 20, 3 > 8, 3",
              "0 cuMemcpy3DPeerAsync 0 > 1, 5 x 3 x 1, pitch 20, 3 > 8, 3",
              "0 cuMemcpyPeerAsync 120, 0 > 1");
      MemorySegment back = arena.allocate(4096);
      second.copy(back.address(), dst, 4096, CopyKind.DEVICE_TO_HOST, there);
      for (int row = 0; row < 3; row++) {
        assertThat(back.asSlice(8L * row, 8).mismatch(host.asSlice(20L * row, 8))).isEqualTo(-1);
        for (int plane = 0; plane < 2; plane++) {
          MemorySegment read = host.asSlice(100L * plane + 20L * row, 5);
          assertThat(back.asSlice(64 + 32L * plane + 8L * row, 5).mismatch(read)).isEqualTo(-1);
          assertThat(back.asSlice(256 + 30L * plane + 8L * row, 5).mismatch(read)).isEqualTo(-1);
        }
      }
      assertThat(back.asSlice(512, 120).mismatch(host.asSlice(0, 120))).isEqualTo(-1);
    }
  }

  @Test
  void planesThatOverlapOrLieNowhereAreNotCopied() {
    long stream = first.createStream(0);
    long src = first.allocate(256);
    long dst = second.allocate(256);
    Volume rows = Volume.rows(20, 10, 5, 3);
    assertThat(fake.calls()).isNotEmpty();

    failure(Kind.INVALID, () -> first.copyPeer3D(0, second, src, first, rows, stream));
    failure(Kind.INVALID, () -> first.copyPeer3D(dst, second, 0, first, rows, stream));
    Volume overlapping = Volume.rows(4, 10, 5, 3);
    failure(Kind.INVALID, () -> first.copyPeer3D(dst, second, src, first, overlapping, stream));

    assertThat(fake.calls()).isEmpty();
    Volume tooMany = Volume.rows(20, 10, 5, 30);
    assertThat(
            failure(Kind.INVALID, () -> first.copyPeer3D(dst, second, src, first, tooMany, stream)))
        .hasMessageContaining("cuMemcpy3DPeerAsync")
        .hasMessageContaining("30 rows of 5 bytes")
        .hasMessageContaining("of device 1 from 0x%x of device 0".formatted(src));
  }

  @Test
  void aFailedCopyTellsItsEndsAndRestoresTheContext() {
    long stream = second.createStream(0);
    long src = first.allocate(256);
    long dst = second.allocate(256);

    DriverException thrown =
        failure(Kind.INVALID, () -> second.copyPeer(dst, second, src, first, 257, stream));

    assertThat(thrown)
        .hasMessage(
            "cuMemcpyPeerAsync: CUDA_ERROR_INVALID_VALUE (1): invalid argument; 257 bytes to 0x%x"
                    .formatted(dst)
                + " of device 1 from 0x%x of device 0 (device 1)".formatted(src));
    assertThat(fake.current()).isZero();
    assertThat(fake.depth()).isEqualTo(1);
    failure(Kind.INVALID, () -> second.copyPeer(src, second, dst, first, 8, stream));
  }

  @Test
  void nothingIsNotCopied() {
    long stream = first.createStream(0);
    long src = first.allocate(256);
    long dst = second.allocate(256);
    assertThat(fake.calls()).isNotEmpty();

    failure(Kind.INVALID, () -> first.copyPeer(0, second, src, first, 8, stream));
    failure(Kind.INVALID, () -> first.copyPeer(dst, second, 0, first, 8, stream));
    failure(Kind.INVALID, () -> first.copyPeer(dst, second, src, first, 0, stream));
    failure(Kind.INVALID, () -> first.copyPeer(dst, second, src, first, -1, stream));
    failure(Kind.INVALID, () -> first.copyPeer(dst, second, src, first, 8, 0));

    assertThat(fake.calls()).isEmpty();
  }

  @Test
  void aLostDeviceIsNeitherAskedNorGivenAccess() {
    long event = second.createEvent(false);
    long stream = second.createStream(0);
    fake.failNext("cuEventQuery", 700);
    failure(Kind.LOST, () -> second.isDone(event));
    assertThat(fake.calls()).isNotEmpty();

    failure(Kind.LOST, () -> second.peer(first));
    failure(Kind.LOST, () -> second.enablePeerAccess(first));
    failure(Kind.LOST, () -> first.enablePeerAccess(second));
    failure(Kind.LOST, () -> second.copyPeer(256, first, 256, second, 8, stream));
    failure(Kind.LOST, () -> second.pointer(256));

    assertThat(fake.calls()).isEmpty();
  }

  // --- addresses

  @Test
  void anAddressSaysWhatItIsOfWhicheverDeviceIsAsked() {
    long onSecond = second.allocate(1000);
    long pinned = second.allocatePinned(5000);
    for (DriverDevice asked : List.of(first, second)) {
      assertThat(asked.pointer(onSecond))
          .isEqualTo(new PointerProperties(PointerProperties.Kind.DEVICE, 1, onSecond, 1000));
      assertThat(asked.pointer(onSecond + 999).base()).isEqualTo(onSecond);
      assertThat(asked.pointer(pinned + 8))
          .isEqualTo(new PointerProperties(PointerProperties.Kind.PINNED, 1, pinned, 5000));
    }
    assertThat(fake.current()).isZero();
  }

  @Test
  void registeredMemoryIsPinnedAndManagedMemoryIsManaged() {
    try (Arena arena = Arena.ofConfined()) {
      long ordinary = arena.allocate(8192, 4096).address();
      assertThat(first.pointer(ordinary)).isEqualTo(PointerProperties.ORDINARY);
      first.registerHost(ordinary, 4096);
      assertThat(first.pointer(ordinary + 4095))
          .isEqualTo(new PointerProperties(PointerProperties.Kind.PINNED, 0, ordinary, 4096));
      assertThat(first.pointer(ordinary + 4096)).isEqualTo(PointerProperties.ORDINARY);
      first.unregisterHost(ordinary);
      assertThat(first.pointer(ordinary)).isEqualTo(PointerProperties.ORDINARY);
      fake.manage(ordinary, 8192);
      assertThat(second.pointer(ordinary + 1))
          .isEqualTo(new PointerProperties(PointerProperties.Kind.MANAGED, 0, ordinary, 8192));
    }
  }

  @Test
  void anErrorIsNotTakenForOrdinaryMemory() {
    long address = first.allocate(64);
    fake.failNext("cuPointerGetAttribute", 999);
    assertThat(failure(Kind.OTHER, () -> first.pointer(address)))
        .hasMessage("cuPointerGetAttribute: CUDA error 999; 0x%x (device 0)".formatted(address));
    fake.failNext("cuPointerGetAttribute", 700);
    failure(Kind.LOST, () -> first.pointer(address));
  }

  @Test
  void whatIsFreedAndWhatIsNothingIsOrdinary() {
    long freed = first.allocate(64);
    first.free(freed);
    assertThat(first.pointer(freed)).isEqualTo(PointerProperties.ORDINARY);
    assertThat(first.pointer(0)).isEqualTo(PointerProperties.ORDINARY);
  }
}
