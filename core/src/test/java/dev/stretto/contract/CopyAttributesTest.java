package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Batch;
import dev.stretto.Copy;
import dev.stretto.CopyRequest;
import dev.stretto.PinnedArena;
import dev.stretto.Route;
import dev.stretto.SourceAccess;
import dev.stretto.Stream;
import dev.stretto.fault.SourceAccessException;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When the source of a copy is read: as was demanded, or the copy is refused. */
class CopyAttributesTest extends ContractTest {
  private static final int MOST = SourceAccess.DURING_CALL_BYTES;

  @Test
  void whatIsReadDuringTheCallMayBeWrittenRightBehindIt() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes a = device.allocateBytes(MOST)) {
      for (int size : new int[] {1, 1000, 32 << 10, (32 << 10) + 1, MOST}) {
        byte[] data = bytes(size, size);
        MemorySegment heap = MemorySegment.ofArray(data.clone());
        MemorySegment pin = pinned(pinned, data);
        for (MemorySegment source : new MemorySegment[] {heap, pin}) {
          try (Gate gate = gate(stream)) {
            assertThat(gate).isNotNull();
            Copy copy = stream.copy(source, a.slice(0, size), SourceAccess.DURING_CALL);
            assertThat(copy.route().kind()).isIn(Route.Kind.INLINE, Route.Kind.STAGED);
            if (copy.route().kind() == Route.Kind.STAGED) {
              assertThat(copy.route().reason()).contains("during the call");
            }
            source.fill((byte) 0x77);
          }
          assertSame(read(stream, a.slice(0, size)), data);
        }
      }
    }
  }

  @Test
  void confinedMemoryIsReadDuringTheCallAndMayBeClosedRightBehindIt() {
    try (Stream stream = device.stream();
        GlobalBytes a = device.allocateBytes(200_000)) {
      byte[] data = bytes(200_000, 2);
      try (Gate gate = gate(stream)) {
        assertThat(gate).isNotNull();
        try (Arena confined = Arena.ofConfined()) {
          stream.copy(confined.allocateFrom(JAVA_BYTE, data), a, SourceAccess.DURING_CALL);
        }
      }
      assertSame(read(stream, a), data);
    }
  }

  @Test
  void moreThanTheStatedSizeIsRefusedWithTheNumbers() {
    try (Stream stream = device.stream();
        GlobalBytes a = device.allocateBytes(MOST + 1)) {
      assertThatThrownBy(
              () ->
                  stream.copy(
                      MemorySegment.ofArray(new byte[MOST + 1]), a, SourceAccess.DURING_CALL))
          .isInstanceOf(SourceAccessException.class)
          .hasMessageContaining("1048577 bytes")
          .hasMessageContaining("at most 1048576");
      assertThat(stream.isIdle()).isTrue();
    }
  }

  @Test
  void deviceMemoryCannotBeReadDuringTheCall() {
    try (Stream stream = device.stream();
        GlobalBytes a = device.allocateBytes(100)) {
      MemorySegment host = MemorySegment.ofArray(new byte[50]);
      assertThatThrownBy(() -> stream.copy(a.slice(0, 50), host, SourceAccess.DURING_CALL))
          .isInstanceOf(SourceAccessException.class)
          .hasMessageContaining("device memory");
      assertThatThrownBy(
              () -> stream.copy(a.slice(0, 50), a.slice(50, 50), SourceAccess.DURING_CALL))
          .isInstanceOf(SourceAccessException.class);
      assertThatThrownBy(
              () ->
                  stream.copyAll(
                      List.of(
                          CopyRequest.of(a.slice(0, 50), host).reading(SourceAccess.DURING_CALL))))
          .isInstanceOf(SourceAccessException.class);
      assertThat(stream.isIdle()).isTrue();
    }
  }

  @Test
  void streamsThatCannotHoldBackRefuseToReadDuringTheCall() {
    try (Stream legacy = device.legacyStream();
        GlobalBytes a = device.allocateBytes(100)) {
      assertThatThrownBy(
              () -> legacy.copy(MemorySegment.ofArray(new byte[100]), a, SourceAccess.DURING_CALL))
          .isInstanceOf(SourceAccessException.class)
          .hasMessageContaining(legacy.toString());
    }
  }

  @Test
  void memoryThatAnEarlierStagedCopyStillFillsIsNotReadDuringTheCall() {
    try (Stream stream = device.stream();
        GlobalBytes a = onDevice(stream, bytes(100_000, 3));
        GlobalBytes b = device.allocateBytes(100_000)) {
      byte[] between = new byte[100_000];
      MemorySegment host = MemorySegment.ofArray(between);
      try (Gate gate = gate(stream)) {
        stream.copy(a, host);
        assertThatThrownBy(() -> stream.copy(host, b, SourceAccess.DURING_CALL))
            .isInstanceOf(SourceAccessException.class)
            .hasMessageContaining("earlier staged copy");
        assertThat(gate).isNotNull();
        stream.copy(host, b, SourceAccess.STREAM_ORDER);
      }
      assertSame(read(stream, b), bytes(100_000, 3));
      stream.copy(host, b, SourceAccess.DURING_CALL).await(); // it has arrived
    }
  }

  @Test
  void inStreamOrderAndAtAnyTimeAreAsCopiesWithoutAWord() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes a = device.allocateBytes(100_000);
        GlobalBytes b = device.allocateBytes(100_000)) {
      for (SourceAccess access : List.of(SourceAccess.STREAM_ORDER, SourceAccess.ANY)) {
        byte[] data = bytes(100_000, access.ordinal());
        MemorySegment out = pinned.allocate(100_000);
        Copy in = stream.copy(pinned(pinned, data), a, access);
        stream.copy(a, b, access);
        stream.copy(b, out, access).await();
        assertThat(in.route().kind()).isEqualTo(Route.Kind.DIRECT);
        assertSame(read(out), data);
      }
    }
  }

  @Test
  void eachCopyOfABatchHasAWordOfItsOwn() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes a = device.allocateBytes(60_000)) {
      byte[] data = bytes(60_000, 5);
      MemorySegment inOrder = pinned(pinned, Arrays.copyOfRange(data, 0, 10_000));
      MemorySegment any = pinned(pinned, Arrays.copyOfRange(data, 10_000, 20_000));
      MemorySegment now = MemorySegment.ofArray(Arrays.copyOfRange(data, 20_000, 60_000));
      try (Gate gate = gate(stream)) {
        assertThat(gate).isNotNull();
        Batch batch =
            stream.copyAll(
                List.of(
                    CopyRequest.of(now, a.slice(20_000, 40_000)).reading(SourceAccess.DURING_CALL),
                    CopyRequest.of(any, a.slice(10_000, 10_000)).reading(SourceAccess.ANY),
                    CopyRequest.of(inOrder, a.slice(0, 10_000))));
        now.fill((byte) 0);
        assertThat(batch.routes())
            .extracting(Route::kind)
            .containsExactly(Route.Kind.STAGED, Route.Kind.DIRECT, Route.Kind.DIRECT);
      }
      assertSame(read(stream, a), data);
    }
  }
}
