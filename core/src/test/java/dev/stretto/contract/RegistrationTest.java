package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.CopyRequest;
import dev.stretto.Device;
import dev.stretto.DeviceMetricsMXBean;
import dev.stretto.Graph;
import dev.stretto.PinnedArena;
import dev.stretto.Registration;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.flow.Flow;
import dev.stretto.flow.FlowReport;
import dev.stretto.flow.Source;
import dev.stretto.memory.GlobalBytes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory that is registered, and registered again. */
class RegistrationTest extends ContractTest {
  private static final int SIZE = 100_000;

  @TempDir private Path folder;

  @Test
  void memoryMayBeRegisteredAgainAsSoonAsItsRegistrationIsClosed() {
    byte[] data = bytes(SIZE, 1);
    long before = device.pinned().usedBytes();
    try (Arena arena = Arena.ofShared();
        Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      MemorySegment host = arena.allocate(SIZE, 4096).copyFrom(MemorySegment.ofArray(data));
      for (int round = 0; round < 1_000; round++) {
        try (Registration registration = device.register(host, arena)) {
          assertThat(registration.isOpen()).isTrue();
          if (round % 50 == 0) {
            assertThat(stream.copy(host, array).route().kind()).isEqualTo(Route.Kind.DIRECT);
          }
        }
      }
      stream.await();
      eventually("it is unpinned", () -> device.pinned().usedBytes() == before);
      assertSame(read(stream, array), data);
    }
  }

  @Test
  void aFileThatIsMappedToBeReadIsCopiedDirectly() throws IOException {
    byte[] data = bytes(SIZE, 5);
    long before = device.pinned().usedBytes();
    Path file = Files.write(folder.resolve("mapped"), data);
    try (Arena arena = Arena.ofShared();
        FileChannel channel = FileChannel.open(file);
        Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE);
        GlobalBytes part = device.allocateBytes(1000)) {
      MemorySegment host = channel.map(MapMode.READ_ONLY, 0, SIZE, arena);
      for (int round = 0; round < 3; round++) {
        stream.fill(array, (byte) 0);
        try (Registration registration = device.register(host, arena)) {
          assertThat(registration.isOpen()).isTrue();
          assertThat(stream.copy(host, array).route().kind()).isEqualTo(Route.Kind.DIRECT);
          assertThat(stream.copy(host.asSlice(4001, 1000), part).route().kind())
              .isEqualTo(Route.Kind.DIRECT);
        }
      }
      stream.await();
      eventually("it is unpinned", () -> device.pinned().usedBytes() == before);
      assertSame(read(stream, array), data);
      assertSame(read(stream, part), Arrays.copyOfRange(data, 4001, 5001));
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(data);
  }

  @Test
  void aFlowTakesAFileThatIsRegisteredFromThePageCacheDirectly() throws IOException {
    Path file = Files.write(folder.resolve("mapped"), bytes(SIZE, 7));
    DeviceMetricsMXBean metrics = device.metrics();
    try (Arena arena = Arena.ofShared();
        FileChannel channel = FileChannel.open(file)) {
      MemorySegment host = channel.map(MapMode.READ_ONLY, 0, SIZE, arena);
      try (Registration _ = device.register(host, arena)) {
        Map<String, Long> before = metrics.getBytesByRoute();
        FlowReport report =
            Flow.on(device)
                .from(Source.of(host.asSlice(1234)))
                .through((_, _) -> {})
                .drain()
                .chunkBytes(16_384)
                .start()
                .await();
        assertThat(report.pinnedBytes()).isZero();
        Map<String, Long> copied = new TreeMap<>(metrics.getBytesByRoute());
        before.forEach((route, bytes) -> copied.merge(route, -bytes, Long::sum));
        copied.values().removeIf(bytes -> bytes == 0);
        assertThat(copied).isEqualTo(Map.of("DIRECT", SIZE - 1234L));
      }
    }
  }

  @Test
  void nothingIsCopiedToMemoryThatIsRegisteredToBeRead() {
    byte[] data = bytes(8192, 6);
    try (Arena arena = Arena.ofShared();
        Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(4096)) {
      MemorySegment host = arena.allocate(8192, 4096).copyFrom(MemorySegment.ofArray(data));
      MemorySegment begin = host.asSlice(0, 4096);
      stream.copy(begin, array).await();
      try (Registration _ = device.register(begin.asReadOnly(), arena)) {
        List<ThrowingCallable> writes =
            List.of(
                () -> stream.copy(array, begin),
                () -> stream.copy(array.slice(0, 9), begin.asSlice(9, 9)),
                () -> stream.copy2D(array, 16, begin, 16, 8, 10),
                () -> stream.copyAll(List.of(CopyRequest.of(array, begin))),
                () -> Graph.builder(device).copy(array, begin));
        for (ThrowingCallable write : writes) {
          assertThatThrownBy(write)
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("registered read-only memory of 4096 bytes")
              .hasMessageContaining("close that registration");
        }
        assertThatThrownBy(() -> stream.copy(array, begin.asReadOnly()))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("read-only");
        stream.fill(array, (byte) 7);
        stream.copy(array, host.asSlice(4096)).await();
      }
      assertSame(read(begin), Arrays.copyOf(data, 4096));
      assertThat(read(host.asSlice(4096))).containsOnly(7);
    }
  }

  @Test
  void memoryIsRegisteredAgainForOtherAccesses() {
    try (Arena arena = Arena.ofShared();
        Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      MemorySegment host = arena.allocate(SIZE, 4096);
      for (int round = 1; round <= 50; round++) {
        stream.fill(array, (byte) round);
        try (Registration _ = device.register(host, arena)) {
          assertThat(stream.copy(array, host).route().kind()).isEqualTo(Route.Kind.DIRECT);
        }
        try (Registration _ = device.register(host.asReadOnly(), arena)) {
          assertThatThrownBy(() -> stream.copy(array, host))
              .isInstanceOf(IllegalArgumentException.class);
          stream.fill(array, (byte) 0);
          assertThat(stream.copy(host, array).route().kind()).isEqualTo(Route.Kind.DIRECT);
        }
        assertThat(read(stream, array)).containsOnly(round);
      }
    }
  }

  @Test
  void memoryThatCopiesStillUseIsRegisteredAgainWithoutWaitingForThem() {
    byte[] data = bytes(SIZE, 2);
    long before = device.pinned().usedBytes();
    try (Arena arena = Arena.ofShared();
        Stream stream = device.stream();
        Stream other = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE);
        GlobalBytes second = device.allocateBytes(SIZE)) {
      MemorySegment host = arena.allocate(SIZE, 4096).copyFrom(MemorySegment.ofArray(data));
      Gate gate = gate(stream);
      try (Registration _ = device.register(host, arena)) {
        stream.copy(host, array);
      }
      Registration again = device.register(host, arena);
      if (gate.isShut()) {
        assertThat(stream.isIdle()).isFalse();
      }
      assertThat(device.pinned().usedBytes()).isLessThanOrEqualTo(before + SIZE + 2 * 4096);
      assertThat(other.copy(host, second).route().kind()).isEqualTo(Route.Kind.DIRECT);
      again.close();
      gate.open();
      stream.await();
      other.await();
      eventually("it is unpinned", () -> device.pinned().usedBytes() == before);
      assertSame(read(stream, array), data);
      assertSame(read(other, second), data);
    }
  }

  @Test
  void theArenaOfMemoryThatWasRegisteredAgainWaitsForAllCopiesOfIt() {
    byte[] data = bytes(SIZE, 3);
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      for (int round = 0; round < 20; round++) {
        Copy copy;
        try (Arena arena = Arena.ofShared()) {
          MemorySegment host = arena.allocate(SIZE, 4096).copyFrom(MemorySegment.ofArray(data));
          try (Registration _ = device.register(host, arena)) {
            copy = stream.copy(host, array);
          }
          Registration again = device.register(host, arena);
          assertThat(again.isOpen()).isTrue();
        }
        assertThat(copy.isDone()).isTrue();
        assertSame(read(stream, array), data);
      }
    }
  }

  @Test
  void rangesThatOverlapWhatIsStillPinnedAreRegisteredToo() {
    try (Arena arena = Arena.ofShared();
        Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(8192)) {
      MemorySegment back = pinned.allocate(8192);
      long before = device.pinned().usedBytes();
      MemorySegment host = arena.allocate(6 * 4096, 4096);
      for (int round = 0; round < 100; round++) {
        MemorySegment part = host.asSlice(4096L * (round % 5), 8192).fill((byte) round);
        try (Registration _ = device.register(part, arena)) {
          assertThat(stream.copy(part, array).route().kind()).isEqualTo(Route.Kind.DIRECT);
        }
        try (Registration whole = device.register(host, arena)) {
          assertThat(whole.isOpen()).isTrue();
        }
        stream.copy(array, back).await();
        assertThat(read(back)).containsOnly(round);
      }
      eventually("it is unpinned", () -> device.pinned().usedBytes() == before);
    }
  }

  @Test
  void anotherDeviceMayRegisterWhatOneHasLetGoOf() {
    try (Machine.Opened pair = machine.openPair(UnaryOperator.identity());
        Arena arena = Arena.ofShared()) {
      List<Device> devices = pair.devices();
      if (devices.size() < 2) {
        return; // one GPU
      }
      MemorySegment host = arena.allocate(SIZE, 4096);
      for (int round = 0; round < 50; round++) {
        try (Registration registration = devices.get(round % 2).register(host, arena)) {
          assertThat(registration.isOpen()).isTrue();
        }
      }
      Registration last = devices.getFirst().register(host, arena);
      devices.getFirst().close();
      try (Registration next = devices.get(1).register(host, arena)) {
        assertThat(next.isOpen()).isTrue();
      }
      last.close();
    }
  }

  @Test
  void twoThreadsThatRegisterTheSameAreKeptApart() throws InterruptedException {
    long before = device.pinned().usedBytes();
    AtomicInteger registered = new AtomicInteger();
    List<Throwable> trouble = new ArrayList<>();
    try (Arena arena = Arena.ofShared()) {
      MemorySegment host = arena.allocate(SIZE, 4096);
      Runnable again =
          () -> {
            for (int i = 0; i < 200; i++) {
              try (Registration _ = device.register(host, arena)) {
                registered.incrementAndGet();
              } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("pinned already");
              } catch (Throwable e) {
                synchronized (trouble) {
                  trouble.add(e);
                }
              }
            }
          };
      Thread other = Thread.ofPlatform().start(again);
      again.run();
      other.join();
      eventually("it is unpinned", () -> device.pinned().usedBytes() == before);
    }
    assertThat(trouble).isEmpty();
    assertThat(registered).hasValueGreaterThan(0);
  }

  @Test
  void memoryThatIsPinnedIsRefusedWithWordsOfItsOwn() {
    try (Arena arena = Arena.ofShared();
        PinnedArena pinned = device.pinnedArena()) {
      MemorySegment host = arena.allocate(3 * 4096, 4096);
      try (Registration _ = device.register(host.asSlice(4096, 4096), arena)) {
        for (MemorySegment each : List.of(host, host.asSlice(4096, 4096), host.asSlice(5000, 9))) {
          assertThatThrownBy(() -> device.register(each, arena))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("registered memory of 4096 bytes")
              .hasMessageContaining("close that first")
              .hasMessageNotContaining("budget");
        }
      }
      MemorySegment own = pinned.allocate(4096, 4096);
      assertThatThrownBy(() -> device.register(own, pinned))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("pinned already");
    }
  }

  @Test
  void devicesOfTwoDriversMayPinTheSameMemory() {
    byte[] data = bytes(SIZE, 4);
    try (Arena arena = Arena.ofShared();
        Device stranger = Device.open("virtual");
        Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE);
        GlobalBytes part = device.allocateBytes(1000)) {
      MemorySegment host = arena.allocate(SIZE, 4096).copyFrom(MemorySegment.ofArray(data));
      for (int round = 0; round < 20; round++) {
        Registration theirs = stranger.register(host.asSlice(round % 2 * 4096L, 8192), arena);
        Registration ours = device.register(host, arena);
        assertThat(stream.copy(host, array).route().kind()).isEqualTo(Route.Kind.DIRECT);
        assertThat(stream.copy(host.asSlice(90_000, 1000), part).route().kind())
            .as("behind what the other driver has pinned")
            .isEqualTo(Route.Kind.DIRECT);
        (round % 3 == 0 ? ours : theirs).close();
        assertThat(stream.copy(host, array).route().kind())
            .isEqualTo(round % 3 == 0 ? Route.Kind.STAGED : Route.Kind.DIRECT);
        ours.close();
        theirs.close();
        assertSame(read(stream, array), data);
      }
      assertThat(PinnedArena.isPinned(host.asSlice(0, 1))).isFalse();
    }
  }
}
