package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Copy;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Ordinary memory is read before a copy's turn in its stream has come, where nothing before it can
 * change that memory. Nobody sees a difference but in speed.
 */
class ReadAheadTest extends ContractTest {
  private static final int CHUNK = 3 << 20;

  /** More bytes than there are slots. */
  private static final int MUCH = 144 << 20;

  @Test
  void copiesReadAheadLeaveRoomForTheCopyThatTheyWaitFor() {
    byte[] much = new byte[MUCH];
    byte[] awaited = bytes(CHUNK, 1);
    try (Stream behind = device.stream();
        Stream before = device.stream();
        GlobalBytes target = device.allocateBytes(MUCH);
        GlobalBytes first = device.allocateBytes(CHUNK)) {
      Gate gate = gate(before);
      List<Copy> ahead = new ArrayList<>();
      for (int at = 0; at < MUCH; at += 8 << 20) {
        ahead.add(
            behind.copy(
                MemorySegment.ofArray(much).asSlice(at, 8 << 20), target.slice(at, 8 << 20)));
      }
      Copy held = before.copy(awaited, first);
      gate.open();
      held.await();
      ahead.forEach(Copy::await);
      assertSame(read(before, first), awaited);
    }
  }

  @Test
  void chunksOnManyStreamsInAndOutKeepTheirBytes() {
    int streams = 5;
    int chunks = 24;
    byte[] in = bytes(chunks * CHUNK / 4, 7);
    byte[] out = new byte[in.length];
    List<Stream> all = new ArrayList<>();
    try (GlobalBytes array = device.allocateBytes(in.length)) {
      for (int i = 0; i < streams; i++) {
        all.add(device.stream());
      }
      for (int i = 0; i < chunks; i++) {
        int at = i * (CHUNK / 4);
        Stream stream = all.get(i % streams);
        stream.copy(MemorySegment.ofArray(in).asSlice(at, CHUNK / 4), array.slice(at, CHUNK / 4));
        stream.copy(array.slice(at, CHUNK / 4), MemorySegment.ofArray(out).asSlice(at, CHUNK / 4));
      }
      all.forEach(Stream::await);
      assertSame(out, in);
    } finally {
      all.forEach(Stream::close);
    }
  }

  @Test
  void whatACopyReadsAheadIsWhatTheProgramWroteBeforeTheCall() {
    byte[] source = new byte[CHUNK];
    int rounds = 12;
    try (Stream stream = device.stream();
        GlobalInts numbers = device.allocateInts(1 << 16);
        GlobalBytes array = device.allocateBytes((long) rounds * CHUNK)) {
      byte[] expected = new byte[rounds * CHUNK];
      List<byte[]> sources = new ArrayList<>();
      for (int i = 0; i < rounds; i++) {
        Arrays.fill(source, (byte) (i + 1));
        byte[] own = source.clone();
        sources.add(own);
        Arrays.fill(expected, i * CHUNK, (i + 1) * CHUNK, (byte) (i + 1));
        stream.fill(numbers, i);
        stream.copy(own, array.slice((long) i * CHUNK, CHUNK));
      }
      stream.await();
      assertSame(read(stream, array), expected);
      assertThat(sources).hasSize(rounds);
    }
  }
}
