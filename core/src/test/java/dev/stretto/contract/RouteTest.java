package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.PinnedArena;
import dev.stretto.Registration;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.fault.RouteException;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** That a copy tells its way, and that a way may be demanded. */
class RouteTest extends ContractTest {
  private static final int LARGE = 100_000;

  @Test
  void theWayFollowsFromTheHostMemory() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        Arena arena = Arena.ofShared();
        GlobalBytes array = device.allocateBytes(LARGE)) {
      MemorySegment pin = pinned.allocate(LARGE);
      MemorySegment plain = arena.allocate(LARGE, 4096);
      byte[] heap = new byte[LARGE];
      assertRoute(stream.copy(pin, array), Route.Kind.DIRECT, "pinned");
      assertRoute(stream.copy(array, pin), Route.Kind.DIRECT, "pinned");
      assertRoute(stream.copy(plain, array), Route.Kind.STAGED, "not pinned");
      assertRoute(stream.copy(array, plain), Route.Kind.STAGED, "not pinned");
      assertRoute(stream.copy(heap, array), Route.Kind.STAGED, "not pinned");
      assertRoute(stream.copy(array, heap), Route.Kind.STAGED, "not pinned");
      assertRoute(
          stream.copy(array.slice(0, 5), array.slice(5, 5)), Route.Kind.LOCAL, "same device");
      assertRoute(stream.copy(plain, MemorySegment.ofArray(heap)), Route.Kind.HOST, "host memory");
      try (Registration registration = device.register(plain, arena)) {
        assertRoute(stream.copy(plain, array), Route.Kind.DIRECT, "pinned");
        assertThat(registration.isOpen()).isTrue();
      }
      assertRoute(stream.copy(plain, array), Route.Kind.STAGED, "not pinned");
      stream.await();
    }
  }

  @Test
  void smallCopiesOfOrdinaryMemoryGoInlineOnceTheirBuffersArePinned() {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(LARGE)) {
      byte[] small = bytes(64 << 10, 1);
      eventually(
          "a small copy goes inline",
          () ->
              stream.copy(small, array.slice(0, small.length)).route().kind() == Route.Kind.INLINE);
      stream.await();
      Copy copy = stream.copy(small, array.slice(0, small.length));
      assertRoute(copy, Route.Kind.INLINE, "small");
      java.util.Arrays.fill(small, (byte) 0); // it was read already
      assertSame(read(stream, array.slice(0, small.length)), bytes(64 << 10, 1));
      assertRoute(
          stream.copy(new byte[(64 << 10) + 1], array.slice(0, (64 << 10) + 1)),
          Route.Kind.STAGED,
          "not pinned");
      stream.await();
    }
  }

  @Test
  void demandedWaysAreTaken() {
    byte[] data = bytes(LARGE, 2);
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        Arena arena = Arena.ofShared();
        GlobalBytes array = device.allocateBytes(LARGE)) {
      MemorySegment pin = pinned(pinned, data);
      MemorySegment plain = arena.allocate(LARGE).copyFrom(pin);
      for (Route.Kind way : new Route.Kind[] {Route.Kind.DIRECT, Route.Kind.STAGED}) {
        assertThat(stream.copy(pin, array, way).route().kind()).isEqualTo(way);
        assertThat(stream.copy(array, pin, way).route().kind()).isEqualTo(way);
      }
      stream.await();
      Copy in = stream.copy(plain, array, Route.Kind.AWAITED_PAGEABLE);
      assertRoute(in, Route.Kind.AWAITED_PAGEABLE, "demanded");
      plain.fill((byte) 0); // the source has been read when the call returns
      Copy out = stream.copy(array, plain, Route.Kind.AWAITED_PAGEABLE);
      out.await();
      assertSame(read(plain), data);
    }
  }

  @Test
  void directIsRefusedForMemoryThatIsNotPinned() {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(LARGE)) {
      MemorySegment heap = MemorySegment.ofArray(new byte[LARGE]);
      assertThatThrownBy(() -> stream.copy(heap, array, Route.Kind.DIRECT))
          .isInstanceOf(RouteException.class)
          .hasMessageContaining("100000 bytes")
          .hasMessageContaining("pinnedArena");
      assertThatThrownBy(() -> stream.copy(array, heap, Route.Kind.DIRECT))
          .isInstanceOf(RouteException.class);
      assertThat(stream.isIdle()).isTrue();
    }
  }

  @Test
  void thePageablePathIsRefusedForArraysAndForPinnedMemory() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(LARGE)) {
      MemorySegment heap = MemorySegment.ofArray(new byte[LARGE]);
      assertThatThrownBy(() -> stream.copy(heap, array, Route.Kind.AWAITED_PAGEABLE))
          .isInstanceOf(RouteException.class)
          .hasMessageContaining("garbage collector");
      MemorySegment pin = pinned.allocate(LARGE);
      assertThatThrownBy(() -> stream.copy(array, pin, Route.Kind.AWAITED_PAGEABLE))
          .isInstanceOf(RouteException.class)
          .hasMessageContaining("pinned");
    }
  }

  @Test
  void thePageablePathIsRefusedWhileTheStreamIsHeldBack() {
    try (Stream stream = device.stream();
        Arena arena = Arena.ofShared();
        GlobalBytes array = device.allocateBytes(LARGE)) {
      MemorySegment plain = arena.allocate(LARGE);
      try (Gate gate = gate(stream)) {
        assertThatThrownBy(() -> stream.copy(plain, array, Route.Kind.AWAITED_PAGEABLE))
            .isInstanceOf(RouteException.class)
            .hasMessageContaining("await the stream first");
        assertThat(gate).isNotNull();
      }
      stream.await();
      stream.copy(plain, array, Route.Kind.AWAITED_PAGEABLE).await();
    }
  }

  @Test
  void thePageablePathWaitsForTheEndOfARegistrationThatWasClosed() {
    byte[] data = bytes(LARGE, 4);
    try (Stream busy = device.stream();
        Stream stream = device.stream();
        Arena arena = Arena.ofShared();
        GlobalBytes first = device.allocateBytes(LARGE);
        GlobalBytes second = device.allocateBytes(LARGE)) {
      MemorySegment plain = arena.allocate(LARGE, 4096);
      for (int i = 0; i < 5; i++) {
        plain.copyFrom(MemorySegment.ofArray(data));
        Registration registration = device.register(plain, arena);
        assertRoute(busy.copy(plain, first), Route.Kind.DIRECT, "pinned");
        registration.close();
        // It would be a direct copy still, which the call would not wait for.
        Copy copy = stream.copy(plain, second, Route.Kind.AWAITED_PAGEABLE);
        busy.await(); // it was done before the call returned
        plain.fill((byte) 0);
        copy.await();
        assertSame(read(stream, second), data);
        assertSame(read(busy, first), data);
      }
    }
  }

  @Test
  void inlineIsRefusedForLargeCopies() {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(LARGE)) {
      assertThatThrownBy(
              () -> stream.copy(MemorySegment.ofArray(new byte[LARGE]), array, Route.Kind.INLINE))
          .isInstanceOf(RouteException.class)
          .hasMessageContaining("100000 bytes")
          .hasMessageContaining("at most 65536");
    }
  }

  @Test
  void waysThatADirectionDoesNotHaveAreRefused() {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(LARGE)) {
      MemorySegment heap = MemorySegment.ofArray(new byte[LARGE]);
      assertThatThrownBy(() -> stream.copy(heap, array, Route.Kind.LOCAL))
          .isInstanceOf(RouteException.class)
          .hasMessageContaining("LOCAL");
      assertThatThrownBy(() -> stream.copy(array, heap, Route.Kind.HOST))
          .isInstanceOf(RouteException.class);
      assertThatThrownBy(() -> stream.copy(array, heap, Route.Kind.INLINE))
          .isInstanceOf(RouteException.class)
          .hasMessageContaining("INLINE");
      assertThatThrownBy(() -> stream.copy(heap, array, (Route.Kind) null))
          .isInstanceOf(NullPointerException.class);
    }
  }

  @Test
  void memoryOfAConfinedArenaIsCopiedWhereItsThreadAloneCanDoSo() {
    byte[] data = bytes(1000, 3);
    try (Stream stream = device.stream();
        Arena arena = Arena.ofConfined();
        GlobalBytes array = device.allocateBytes(LARGE)) {
      MemorySegment large = arena.allocate(LARGE);
      MemorySegment small = arena.allocate(1000).copyFrom(MemorySegment.ofArray(data));
      assertThatThrownBy(() -> stream.copy(large, array))
          .isInstanceOf(RouteException.class)
          .hasMessageContaining("confined")
          .hasMessageContaining("100000 bytes");
      assertThatThrownBy(() -> stream.copy(array, large)).isInstanceOf(RouteException.class);
      assertThatThrownBy(() -> stream.copy(array.slice(0, 1000), small))
          .isInstanceOf(RouteException.class);
      stream.then(() -> {}); // held back or not, a small source is taken
      stream.copy(small, array.slice(0, 1000));
      small.fill((byte) 0);
      assertSame(read(stream, array.slice(0, 1000)), data);
      try (Registration registration = device.register(large, arena)) {
        large.fill((byte) 9);
        Copy copy = stream.copy(large, array);
        assertThat(copy.route().kind()).isEqualTo(Route.Kind.DIRECT);
        assertThat(read(stream, array)).containsOnly(9);
        assertThat(registration.isOpen()).isTrue();
      }
    }
  }

  @Test
  void memoryOfAnotherThreadsConfinedArenaIsRefused() throws InterruptedException {
    try (Stream stream = device.stream();
        Arena arena = Arena.ofConfined();
        GlobalBytes array = device.allocateBytes(100)) {
      MemorySegment small = arena.allocate(100);
      Throwable[] thrown = new Throwable[1];
      Thread.startVirtualThread(
              () -> {
                try {
                  stream.copy(small, array);
                } catch (Throwable e) {
                  thrown[0] = e;
                }
              })
          .join();
      assertThat(thrown[0]).isInstanceOf(WrongThreadException.class);
    }
  }

  private static void assertRoute(Copy copy, Route.Kind kind, String reason) {
    assertThat(copy.route().kind()).isEqualTo(kind);
    assertThat(copy.route().reason()).contains(reason);
    assertThat(copy).asString().contains(kind.name());
  }
}
