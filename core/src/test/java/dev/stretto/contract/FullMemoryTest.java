package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Stream;
import dev.stretto.fault.OutOfDeviceMemoryException;
import dev.stretto.memory.GlobalBytes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Programs whose live arrays all but fill the device, and that allocate in the order of the stream
 * that frees: on a virtual device of a mebibyte, and with as little on a GPU.
 */
class FullMemoryTest extends ContractTest {
  private static final int ALL = 1 << 20;
  private static final int UNIT = 512;

  @Override
  Machine machine() {
    return machine.with("memory=" + ALL);
  }

  @Test
  void aStreamAllocatesWhatItHasJustFreedHoweverMuchIsEnqueued() {
    SplittableRandom random = new SplittableRandom(7);
    try (Stream stream = device.stream()) {
      Deque<GlobalBytes> live = new ArrayDeque<>();
      long used = 0;
      for (int i = 0; i < 2000; i++) {
        int bytes = UNIT * (1 + random.nextInt(900));
        while (used + bytes > ALL) {
          GlobalBytes oldest = live.removeFirst();
          used -= oldest.byteSize();
          stream.fill(oldest, (byte) 1);
          oldest.close();
        }
        GlobalBytes array = stream.allocateBytes(bytes);
        used += bytes;
        live.add(array);
        stream.fill(array, (byte) i);
      }
      assertThat(read(stream, live.getLast())).containsOnly((byte) 1999);
      live.forEach(GlobalBytes::close);
    }
  }

  @Test
  void aStreamAllocatesWhatItFreesBehindStagedCopies() {
    byte[] in = bytes(ALL, 3);
    byte[] out = new byte[ALL];
    try (Stream stream = device.stream()) {
      for (int i = 0; i < 20; i++) {
        GlobalBytes array = stream.allocateBytes(ALL);
        stream.copy(in, array);
        stream.copy(array, out);
        array.close();
      }
      stream.await();
    }
    assertSame(out, in);
  }

  @Test
  void anAllocationThatFailsLeavesWhatIsFreedToTheNext() {
    try (Stream stream = device.stream()) {
      for (int i = 0; i < 20; i++) {
        GlobalBytes array = stream.allocateBytes(ALL);
        stream.fill(array, (byte) 1);
        array.close();
        assertThatThrownBy(() -> stream.allocateBytes(1L << 50))
            .isInstanceOf(OutOfDeviceMemoryException.class);
        GlobalBytes again = stream.allocateBytes(ALL);
        again.close();
      }
      stream.await();
    }
  }

  @Test
  void whatIsFreedBehindACallbackIsRefusedWithTheReasonWhereThereIsNoMoreMemory() {
    try (Stream stream = device.stream()) {
      GlobalBytes array = stream.allocateBytes(ALL);
      try (Gate gate = gate(stream)) {
        stream.fill(array, (byte) 1);
        array.close();
        if (machine.isVirtual()) { // a GPU has more memory
          assertThatThrownBy(() -> stream.allocateBytes(ALL))
              .isInstanceOf(OutOfDeviceMemoryException.class)
              .hasMessageContaining("held back by a callback");
        }
        assertThat(gate).isNotNull();
      }
      stream.await();
      stream.allocateBytes(ALL).close();
    }
  }
}
