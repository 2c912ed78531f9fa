package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Batch;
import dev.stretto.Copy;
import dev.stretto.CopyRequest;
import dev.stretto.PinnedArena;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.CopyFailedException;
import dev.stretto.fault.RouteException;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** That a batch is in the order of its stream as a whole, and that each of its copies arrives. */
class BatchCopyTest extends ContractTest {
  private static final int N = 5000;

  @Test
  void everyPairOfEndsArrives() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        Arena arena = Arena.ofShared();
        GlobalBytes a = device.allocateBytes(10 * N)) {
      MemorySegment pin = pinned(pinned, bytes(N, 1));
      MemorySegment pinOut = pinned.allocate(N);
      MemorySegment plain = arena.allocate(N).copyFrom(MemorySegment.ofArray(bytes(N, 2)));
      MemorySegment heap = MemorySegment.ofArray(bytes(N, 3));
      byte[] large = bytes(2 * N, 4);
      byte[] out = new byte[N];
      stream.copy(bytes(N, 5), a.slice(9L * N, N));
      Batch batch =
          stream.copyAll(
              List.of(
                  CopyRequest.of(pin, a.slice(0, N)),
                  CopyRequest.of(plain, a.slice(N, N)),
                  CopyRequest.of(heap, a.slice(2L * N, N)),
                  CopyRequest.of(MemorySegment.ofArray(large), a.slice(3L * N, 2L * N)),
                  CopyRequest.of(a.slice(9L * N, N), a.slice(5L * N, N)),
                  CopyRequest.of(a.slice(9L * N, N), pinOut),
                  CopyRequest.of(a.slice(9L * N, N), MemorySegment.ofArray(out)),
                  CopyRequest.of(plain, arena.allocate(N))));
      batch.await();
      assertThat(batch.isDone()).isTrue();
      assertThat(batch.copies()).hasSize(8).allMatch(Copy::isDone);
      byte[] all = read(stream, a);
      assertSame(Arrays.copyOfRange(all, 0, N), bytes(N, 1));
      assertSame(Arrays.copyOfRange(all, N, 2 * N), bytes(N, 2));
      assertSame(Arrays.copyOfRange(all, 2 * N, 3 * N), bytes(N, 3));
      assertSame(Arrays.copyOfRange(all, 3 * N, 5 * N), large);
      assertSame(Arrays.copyOfRange(all, 5 * N, 6 * N), bytes(N, 5));
      assertSame(read(pinOut), bytes(N, 5));
      assertSame(out, bytes(N, 5));
    }
  }

  @Test
  void batchesOfPinnedCopiesKeepTheirOwnCopiesThoughTheyAreHeldBack() {
    int count = 10;
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes a = device.allocateBytes(2L * count * N)) {
      byte[] data = bytes(2 * count * N, 7);
      MemorySegment pin = pinned(pinned, data);
      List<Batch> batches = new ArrayList<>();
      try (Gate gate = gate(stream)) {
        for (int i = 0; i < count; i++) {
          List<CopyRequest> requests = new ArrayList<>();
          for (int half = 0; half < 2; half++) {
            long at = (2L * i + half) * N;
            requests.add(CopyRequest.of(pin.asSlice(at, N), a.slice(at, N)));
          }
          batches.add(stream.copyAll(requests));
        }
        gate.open();
      }
      batches.forEach(Batch::await);
      assertSame(read(stream, a), data);
      List<Copy> copies = batches.getFirst().copies();
      assertThat(copies).hasSize(2).allMatch(Copy::isDone).doesNotHaveDuplicates();
      assertThat(copies.getLast()).isSameAs(batches.getFirst().copies().get(1));
      assertThatThrownBy(() -> copies.set(0, copies.get(1)))
          .isInstanceOf(UnsupportedOperationException.class);
    }
  }

  @Test
  void theRouteOfEachCopyIsTold() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes a = device.allocateBytes(400_000)) {
      Batch batch =
          stream.copyAll(
              List.of(
                  CopyRequest.of(pinned.allocate(N), a.slice(0, N)),
                  CopyRequest.of(MemorySegment.ofArray(new byte[100_000]), a.slice(N, 100_000)),
                  CopyRequest.of(a.slice(200_000, N), a.slice(300_000, N)),
                  CopyRequest.of(a.slice(200_000, N), MemorySegment.ofArray(new byte[N])),
                  CopyRequest.of(
                      MemorySegment.ofArray(new byte[N]), MemorySegment.ofArray(new byte[N]))));
      assertThat(batch.routes())
          .extracting(Route::kind)
          .containsExactly(
              Route.Kind.DIRECT,
              Route.Kind.STAGED,
              Route.Kind.LOCAL,
              Route.Kind.STAGED,
              Route.Kind.HOST);
      batch.await();
      if (machine.isVirtual()) {
        assertThat(batch.routes().getFirst().reason()).contains("one call");
        assertThat(batch.routes().get(2).reason()).contains("one call");
      }
      Batch single = stream.copyAll(List.of(CopyRequest.of(pinned.allocate(N), a.slice(0, N))));
      assertThat(single.routes().getFirst().reason()).doesNotContain("one call");
      single.await();
    }
  }

  @Test
  void whatComesBeforeIsDoneBeforeAndWhatComesBehindIsDoneBehind() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes a = device.allocateBytes(64L * N)) {
      MemorySegment in = pinned(pinned, bytes(64 * N, 7));
      MemorySegment out = pinned.allocate(64L * N);
      for (int round = 0; round < 3; round++) {
        stream.fill(a, (byte) round);
        List<CopyRequest> there = new ArrayList<>();
        List<CopyRequest> back = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
          there.add(CopyRequest.of(in.asSlice((long) i * N, N), a.slice((long) i * N, N)));
          back.add(CopyRequest.of(a.slice((long) i * N, N), out.asSlice((long) i * N, N)));
        }
        stream.copyAll(there);
        stream.copyAll(back);
        stream.fill(a, (byte) 99);
      }
      stream.await();
      assertSame(read(out), bytes(64 * N, 7));
      assertThat(read(stream, a)).containsOnly((byte) 99);
    }
  }

  @Test
  void aBatchBehindAGateIsHeldBackAsAWhole() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes a = device.allocateBytes(300L * 100)) {
      MemorySegment in = pinned(pinned, bytes(300 * 100, 8));
      stream.fill(a, (byte) 1);
      Batch batch;
      try (Gate gate = gate(stream)) {
        List<CopyRequest> copies = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
          copies.add(CopyRequest.of(in.asSlice(100L * i, 100), a.slice(100L * i, 100)));
        }
        batch = stream.copyAll(copies);
        if (gate.isShut()) {
          assertThat(batch.isDone()).isFalse();
        }
      }
      batch.await();
      assertSame(read(stream, a), bytes(300 * 100, 8));
    }
  }

  @Test
  void moreCopiesThanAStreamHoldsNeitherBlockNorGetLost() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes a = device.allocateBytes(4000L * 16)) {
      MemorySegment in = pinned(pinned, bytes(4000 * 16, 9));
      Batch batch;
      try (Gate gate = gate(stream)) {
        assertThat(gate).isNotNull();
        batch = stream.copyAll(slices(in, a, 4000, 16));
      }
      batch.await();
      assertSame(read(stream, a), bytes(4000 * 16, 9));
      stream.fill(a, (byte) 0);
      stream.copyAll(slices(in, a, 4000, 16)).await();
      assertSame(read(stream, a), bytes(4000 * 16, 9));
    }
  }

  private static List<CopyRequest> slices(MemorySegment in, GlobalBytes a, int count, int size) {
    List<CopyRequest> copies = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long at = (long) i * size;
      copies.add(CopyRequest.of(in.asSlice(at, size), a.slice(at, size)));
    }
    return copies;
  }

  @Test
  void pinnedMemoryThatAnEarlierStagedCopyFillsIsReadBehindIt() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes from = onDevice(stream, bytes(600_000, 10));
        GlobalBytes to = device.allocateBytes(600_000)) {
      MemorySegment between = pinned.allocate(600_000);
      stream.copy(from, between, Route.Kind.STAGED);
      stream.copyAll(
          List.of(
              CopyRequest.of(between.asSlice(0, 300_000), to.slice(0, 300_000)),
              CopyRequest.of(between.asSlice(300_000), to.slice(300_000, 300_000))));
      assertSame(read(stream, to), bytes(600_000, 10));
    }
  }

  @Test
  void endsMayBeClosedAsSoonAsTheBatchIsEnqueued() {
    try (Stream stream = device.stream();
        GlobalBytes out = device.allocateBytes(2L * N)) {
      GlobalBytes a = device.allocateBytes(2L * N);
      PinnedArena pinned = device.pinnedArena();
      MemorySegment in = pinned(pinned, bytes(N, 11));
      MemorySegment back = MemorySegment.ofArray(new byte[2 * N]);
      try (Gate gate = gate(stream)) {
        assertThat(gate).isNotNull();
        stream.copyAll(
            List.of(
                CopyRequest.of(in, a.slice(0, N)),
                CopyRequest.of(MemorySegment.ofArray(bytes(N, 12)), a.slice(N, N))));
        stream.copyAll(List.of(CopyRequest.of(a, out), CopyRequest.of(a, back)));
        a.close();
        pinned.close();
      }
      stream.await();
      byte[] expected = Arrays.copyOf(bytes(N, 11), 2 * N);
      System.arraycopy(bytes(N, 12), 0, expected, N, N);
      assertSame(read(stream, out), expected);
      assertSame(read(back), expected);
    }
  }

  @Test
  void copiesThatDependOnEachOtherAreRefusedWithTheirNumbers() {
    try (Stream stream = device.stream();
        GlobalBytes a = device.allocateBytes(1000)) {
      stream.fill(a, (byte) 3).await();
      byte[] heap = new byte[1000];
      MemorySegment array = MemorySegment.ofArray(heap);
      assertThatThrownBy(
              () ->
                  stream.copyAll(
                      List.of(
                          CopyRequest.of(a.slice(0, 10), array.asSlice(500, 10)),
                          CopyRequest.of(array.asSlice(0, 100), a.slice(200, 100)),
                          CopyRequest.of(array.asSlice(100, 100), a.slice(270, 100)))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("copies 1 and 2")
          .hasMessageContaining("30 bytes");
      assertThatThrownBy(
              () ->
                  stream.copyAll(
                      List.of(
                          CopyRequest.of(array.asSlice(0, 100), a.slice(200, 100)),
                          CopyRequest.of(a.slice(290, 50), a.slice(400, 50)))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("copy 1 of a batch reads 10 bytes that copy 0 writes");
      assertThatThrownBy(
              () ->
                  stream.copyAll(
                      List.of(
                          CopyRequest.of(a.slice(0, 100), array.asSlice(0, 100)),
                          CopyRequest.of(array.asSlice(99, 10), a.slice(200, 10)))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("copy 1 of a batch reads 1 bytes that copy 0 writes");
      assertThatThrownBy(
              () ->
                  stream.copyAll(
                      List.of(
                          CopyRequest.of(a.slice(0, 100), array.asSlice(0, 100)),
                          CopyRequest.of(array.asReadOnly().asSlice(99, 10), a.slice(200, 10)))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("copy 1 of a batch reads 1 bytes that copy 0 writes");
      assertThatThrownBy(
              () -> stream.copyAll(List.of(CopyRequest.of(a.slice(0, 100), a.slice(50, 100)))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("two ends of copy 0 of a batch overlap by 50 bytes");
      // Several may read the same.
      stream
          .copyAll(
              List.of(
                  CopyRequest.of(a.slice(0, 100), array.asSlice(0, 100)),
                  CopyRequest.of(a.slice(50, 100), array.asSlice(100, 100)),
                  CopyRequest.of(a.slice(0, 100), a.slice(500, 100))))
          .await();
      assertThat(Arrays.copyOf(heap, 200)).containsOnly((byte) 3);
      assertThat(read(stream, a)).containsOnly((byte) 3);
    }
  }

  @Test
  void nothingIsEnqueuedIfOneCopyIsWrong() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes a = device.allocateBytes(1000)) {
      stream.fill(a, (byte) 1).await();
      MemorySegment pin = pinned.allocate(100);
      CopyRequest fine = CopyRequest.of(pin, a.slice(0, 100));
      GlobalBytes closed = device.allocateBytes(100);
      closed.close();
      refused(stream, IllegalArgumentException.class, List.of());
      refused(
          stream,
          IllegalArgumentException.class,
          List.of(fine, CopyRequest.of(pin, a.slice(100, 99))));
      refused(stream, ClosedException.class, List.of(fine, CopyRequest.of(pin, closed)));
      refused(
          stream,
          IllegalArgumentException.class,
          List.of(fine, CopyRequest.of(a.slice(500, 100), pinned.allocate(100).asReadOnly())));
      Arena gone = Arena.ofShared();
      MemorySegment dead = gone.allocate(100);
      gone.close();
      refused(
          stream, ClosedException.class, List.of(fine, CopyRequest.of(dead, a.slice(500, 100))));
      try (Arena confined = Arena.ofConfined()) {
        refused(
            stream,
            RouteException.class,
            List.of(fine, CopyRequest.of(a.slice(500, 100), confined.allocate(100))));
      }
      assertThatThrownBy(() -> CopyRequest.of((MemorySegment) null, a))
          .isInstanceOf(NullPointerException.class);
      assertThat(read(stream, a)).containsOnly((byte) 1);
    }
  }

  private static void refused(
      Stream stream, Class<? extends RuntimeException> type, List<CopyRequest> copies) {
    assertThatThrownBy(() -> stream.copyAll(copies)).isInstanceOf(type);
  }

  @Test
  void defaultStreamsTakeWhatNeedNotBeHeldBack() {
    try (Stream legacy = device.legacyStream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes a = device.allocateBytes(1000)) {
      MemorySegment in = pinned(pinned, bytes(500, 13));
      MemorySegment out = pinned.allocate(500);
      Batch batch =
          legacy.copyAll(
              List.of(
                  CopyRequest.of(in.asSlice(0, 250), a.slice(0, 250)),
                  CopyRequest.of(in.asSlice(250, 250), a.slice(250, 250))));
      assertThat(batch.routes().getFirst().reason()).doesNotContain("one call");
      legacy.copy(a.slice(0, 500), out).await();
      assertSame(read(out), bytes(500, 13));
      assertThatThrownBy(
              () ->
                  legacy.copyAll(
                      List.of(
                          CopyRequest.of(in.asSlice(0, 250), a.slice(0, 250)),
                          CopyRequest.of(MemorySegment.ofArray(new byte[250]), a.slice(250, 250)))))
          .isInstanceOf(RouteException.class)
          .hasMessageContaining("default stream");
    }
  }

  @Test
  void aCopyThatFailsFailsTheBatchAndTheOthersArrive() {
    try (Stream stream = device.stream();
        GlobalBytes a = device.allocateBytes(400_000)) {
      stream.fill(a, (byte) 5);
      Arena arena = Arena.ofShared();
      MemorySegment gone = arena.allocate(200_000);
      byte[] out = new byte[200_000];
      Batch batch;
      try (Gate gate = gate(stream)) {
        batch =
            stream.copyAll(
                List.of(
                    CopyRequest.of(a.slice(0, 200_000), gone),
                    CopyRequest.of(a.slice(200_000, 200_000), MemorySegment.ofArray(out))));
        assertThat(gate).isNotNull();
        arena.close();
      }
      assertThatThrownBy(batch::await).isInstanceOf(CopyFailedException.class);
      assertThatThrownBy(() -> batch.copies().getFirst().await())
          .isInstanceOf(CopyFailedException.class);
      batch.copies().get(1).await();
      assertThat(out).containsOnly((byte) 5);
      assertThatThrownBy(batch.toCompletableFuture()::join)
          .hasCauseInstanceOf(CopyFailedException.class);
    }
  }

  @Test
  void randomBatchesDoWhatTheirCopiesDoInAnyOrder() {
    SplittableRandom random = new SplittableRandom(machine.name().hashCode());
    int size = 300_000;
    try (Stream stream = device.stream();
        Stream second = device.stream();
        PinnedArena pinned = device.pinnedArena();
        Arena arena = Arena.ofShared();
        GlobalBytes x = device.allocateBytes(size);
        GlobalBytes y = device.allocateBytes(size)) {
      List<MemorySegment> host =
          List.of(
              pinned.allocate(size), arena.allocate(size), MemorySegment.ofArray(new byte[size]));
      GlobalBytes[] onDevice = {x, y};
      byte[][] expected = new byte[5][];
      for (int i = 0; i < 5; i++) {
        expected[i] = bytes(size, 100 + i);
        if (i < 3) {
          host.get(i).copyFrom(MemorySegment.ofArray(expected[i]));
        } else {
          stream.copy(expected[i].clone(), onDevice[i - 3]);
        }
      }
      stream.await();
      for (int round = 0; round < 12; round++) {
        // Even cells are read and odd ones written, so that a batch's copies never depend on each
        // other.
        int cells = 2 + random.nextInt(40);
        int cell = size / cells;
        List<CopyRequest> batch = new ArrayList<>();
        byte[][] before = Arrays.stream(expected).map(byte[]::clone).toArray(byte[][]::new);
        for (int to = 0; to < 5; to++) {
          for (int c = 1; c < cells; c += 2) {
            int from = random.nextInt(5);
            if (random.nextInt(3) == 0 || (from == to && to < 3)) {
              continue;
            }
            int source = random.nextInt((cells + 1) / 2) * 2 * cell;
            int bytes = 1 + random.nextInt(cell);
            int target = c * cell;
            batch.add(
                from < 3
                    ? to < 3
                        ? CopyRequest.of(
                            host.get(from).asSlice(source, bytes),
                            host.get(to).asSlice(target, bytes))
                        : CopyRequest.of(
                            host.get(from).asSlice(source, bytes),
                            onDevice[to - 3].slice(target, bytes))
                    : to < 3
                        ? CopyRequest.of(
                            onDevice[from - 3].slice(source, bytes),
                            host.get(to).asSlice(target, bytes))
                        : CopyRequest.of(
                            onDevice[from - 3].slice(source, bytes),
                            onDevice[to - 3].slice(target, bytes)));
            System.arraycopy(before[from], source, expected[to], target, bytes);
          }
        }
        if (batch.isEmpty()) {
          continue;
        }
        Stream chosen = random.nextBoolean() ? stream : second;
        Stream other = chosen == stream ? second : stream;
        chosen.copyAll(batch);
        other.waitFor(chosen.record());
      }
      stream.await();
      second.await();
      for (int i = 0; i < 5; i++) {
        assertSame(
            i < 3 ? host.get(i).toArray(JAVA_BYTE) : read(stream, onDevice[i - 3]), expected[i]);
      }
    }
  }

  @Test
  void aBatchBetweenDevicesGoesTheWaysOfItsCopies() {
    if (!machine.isVirtual()) {
      return;
    }
    String name = machine.name().replace("virtual:h200", "").replace("virtual", "");
    try (Machine.Opened two = new Machine("virtual:h200x2" + name).open();
        Stream stream = two.devices().getFirst().stream();
        GlobalBytes here = two.devices().getFirst().allocateBytes(200_000);
        GlobalBytes there = two.devices().get(1).allocateBytes(200_000)) {
      byte[] data = bytes(200_000, 21);
      stream.copy(data.clone(), here);
      Batch batch =
          stream.copyAll(
              List.of(
                  CopyRequest.of(here.slice(0, 1000), there.slice(0, 1000)),
                  CopyRequest.of(here.slice(1000, 199_000), there.slice(1000, 199_000))));
      assertThat(batch.routes()).extracting(Route::kind).containsOnly(Route.Kind.PEER_STAGED);
      batch.await();
      byte[] back = new byte[200_000];
      stream.copy(there, here);
      stream.copy(here, back).await();
      assertSame(back, data);
    }
  }
}
