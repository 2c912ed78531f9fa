package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.PinnedArena;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.PinnedBudgetException;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Write-combined memory is pinned memory: only its speed on the host differs. */
class WriteCombinedTest extends ContractTest {
  @Test
  void whatTheHostWritesADeviceReadsDirectly() {
    for (int bytes : new int[] {100, 3 << 20}) {
      byte[] data = bytes(bytes, 1);
      try (PinnedArena arena = device.writeCombinedArena();
          Stream stream = device.stream();
          GlobalBytes array = device.allocateBytes(bytes)) {
        assertThat(arena.isWriteCombined()).isTrue();
        MemorySegment combined = arena.allocate(bytes);
        assertThat(PinnedArena.isPinned(combined)).isTrue();
        assertThat(combined.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(new byte[bytes]);
        combined.copyFrom(MemorySegment.ofArray(data));
        Copy copy = stream.copy(combined, array);
        assertThat(copy.route().kind()).isEqualTo(Route.Kind.DIRECT);
        assertSame(read(stream, array), data);
      }
    }
  }

  @Test
  void itIsReleasedAfterItsLastUse() {
    int bytes = 5 << 20;
    byte[] data = bytes(bytes, 2);
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(bytes)) {
      try (PinnedArena arena = device.writeCombinedArena();
          Gate gate = gate(stream)) {
        MemorySegment combined = arena.allocate(bytes);
        combined.copyFrom(MemorySegment.ofArray(data));
        stream.copy(combined, array);
        arena.close();
        assertThatThrownBy(() -> arena.allocate(1)).isInstanceOf(ClosedException.class);
        gate.open();
      }
      assertSame(read(stream, array), data);
      try (PinnedArena ordinary = device.pinnedArena()) {
        MemorySegment segment = ordinary.allocate(bytes);
        assertThat(segment.get(ValueLayout.JAVA_BYTE, bytes - 1L)).isZero();
        assertThat(ordinary.isWriteCombined()).isFalse();
      }
    }
  }

  @Test
  void itCountsForTheBudget() {
    device.pinnedBudget(1 << 20);
    try (PinnedArena arena = device.writeCombinedArena()) {
      assertThatThrownBy(() -> arena.allocate(2 << 20))
          .isInstanceOf(PinnedBudgetException.class)
          .hasMessageContaining(String.valueOf(2 << 20));
    }
  }
}
