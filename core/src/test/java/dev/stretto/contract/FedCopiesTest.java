package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Staged copies to a device that are so large that several host threads feed them at a time. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FedCopiesTest extends ContractTest {
  private static final int MIB = 1 << 20;

  private static byte[] random(int bytes, long seed) {
    byte[] all = new byte[bytes];
    new SplittableRandom(seed).nextBytes(all);
    return all;
  }

  /** {@return the first bytes of an array on the device} */
  private static byte[] back(Stream stream, GlobalBytes array, int bytes) {
    byte[] copied = new byte[bytes];
    stream.copy(array.slice(0, bytes), MemorySegment.ofArray(copied)).await();
    return copied;
  }

  @Test
  void aCopyBehindAKernelThatWaitsHoldsUpNoCopyOfAnotherStream() {
    int size = 24 * MIB;
    byte[] late = random(size, 1);
    byte[] early = random(size, 2);
    try (Stream waiting = device.stream();
        Stream other = device.stream();
        GlobalInts flag = device.allocateInts(1);
        GlobalInts looks = device.allocateInts(1);
        GlobalBytes lateArray = device.allocateBytes(size);
        GlobalBytes earlyArray = device.allocateBytes(size)) {
      waiting.fill(flag, 0);
      waiting.await();
      waiting.launch(Grid.of(1, 1), WaitingKernels::counts, flag, looks);
      Copy copy = waiting.copy(MemorySegment.ofArray(late), lateArray);
      other.copy(MemorySegment.ofArray(early), earlyArray).await();
      assertThat(copy.isDone()).isFalse();
      other.fill(flag, 1);
      copy.await();
      assertThat(back(waiting, lateArray, size)).isEqualTo(late);
      assertThat(back(other, earlyArray, size)).isEqualTo(early);
    }
  }

  /** Each array is overwritten once, by a copy that comes later in the same stream. */
  @Test
  void copiesOfManySizesOnManyStreamsArriveWholeAndInTheOrderOfTheirStreams() {
    int[] sizes = {2 * MIB, 2 * MIB + 1, 4 * MIB - 1, 5 * MIB + 4097, 16 * MIB + 255, 9 * MIB};
    List<Stream> streams = new ArrayList<>();
    List<GlobalBytes> arrays = new ArrayList<>();
    try {
      for (int i = 0; i < sizes.length; i++) {
        streams.add(device.stream());
        arrays.add(device.allocateBytes(sizes[i]));
      }
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < sizes.length; i++) {
          byte[] bytes = random(sizes[i], 10L * round + i);
          streams.get(i).copy(MemorySegment.ofArray(bytes), arrays.get(i));
        }
      }
      for (int i = 0; i < sizes.length; i++) {
        assertThat(back(streams.get(i), arrays.get(i), sizes[i]))
            .as("%d bytes", sizes[i])
            .isEqualTo(random(sizes[i], 10L + i));
      }
    } finally {
      streams.forEach(Stream::close);
      arrays.forEach(GlobalBytes::close);
    }
  }

  /** Whatever others there are, and however many come: none has to wait for ever. */
  @Test
  void aLongCopyIsDoneAlthoughShortOnesComeWithoutEnd() {
    int large = 96 * MIB;
    int small = 4 * MIB;
    byte[] data = random(large, 4);
    MemorySegment zeros = MemorySegment.ofArray(new byte[small]);
    List<Stream> streams = new ArrayList<>();
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(large);
        GlobalBytes others = device.allocateBytes(4L * small)) {
      for (int i = 0; i < 4; i++) {
        streams.add(device.stream());
      }
      List<Copy> last = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        last.add(streams.get(i).copy(zeros, others.slice((long) i * small, small)));
      }
      Copy copy = stream.copy(MemorySegment.ofArray(data), array);
      for (int i = 0; i < 2_000 && !copy.isDone(); i++) {
        last.get(i % 4).await();
        last.set(
            i % 4, streams.get(i % 4).copy(zeros, others.slice((long) (i % 4) * small, small)));
      }
      assertThat(copy.isDone()).as("it has had its turns").isTrue();
      last.forEach(Copy::await);
      assertThat(back(stream, array, large)).isEqualTo(data);
    } finally {
      streams.forEach(Stream::close);
    }
  }

  /** Of a device whose threads run freely, at the pace of its model. */
  @Test
  void aCopyFromTheDeviceHasItsTurnsWhileLargeCopiesToItHaveTheOnlySlot() {
    int large = 256 * MIB;
    int small = 16 * MIB;
    try (Machine.Opened opened = new Machine("virtual+real-time").open()) {
      Device narrow = opened.device();
      narrow.pinnedBudget(5 * MIB);
      try (Stream in = narrow.stream();
          Stream out = narrow.stream();
          GlobalBytes to = narrow.allocateBytes(large);
          GlobalBytes from = narrow.allocateBytes(small)) {
        byte[] data = random(small, 3);
        in.copy(MemorySegment.ofArray(data), from).await();
        MemorySegment zeros = MemorySegment.ofArray(new byte[large]);
        for (int i = 1; i < 8; i++) {
          in.copy(zeros, to);
        }
        Copy last = in.copy(zeros, to);
        assertThat(back(out, from, small)).isEqualTo(data);
        assertThat(last.isDone()).isFalse();
        last.await();
      }
    }
  }
}
