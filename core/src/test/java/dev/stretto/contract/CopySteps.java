package dev.stretto.contract;

import static dev.stretto.contract.EveryOperation.SIZE;
import static dev.stretto.contract.EveryOperation.bytes;

import dev.stretto.Batch;
import dev.stretto.CopyRequest;
import dev.stretto.Device;
import dev.stretto.Extent;
import dev.stretto.PinnedArena;
import dev.stretto.PinnedBuffer;
import dev.stretto.PinnedBuffers;
import dev.stretto.Pitches;
import dev.stretto.Registration;
import dev.stretto.Route;
import dev.stretto.SourceAccess;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import dev.stretto.rows.HostRows;
import dev.stretto.timeline.Timeline;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Every way to get bytes from one place to another, and every kind of memory. */
final class CopySteps {
  private static final int WIDTH = 300;
  private static final int PITCH = 400;
  private static final int ROWS = SIZE / PITCH;
  private static final Pitches PITCHES = new Pitches(PITCH, 10 * PITCH);
  private static final Extent EXTENT = new Extent(WIDTH, 7, ROWS / 10);

  private final EveryOperation all;
  private final Device device;
  private final byte[] data = bytes(SIZE, 1);

  CopySteps(EveryOperation all) {
    this.all = all;
    this.device = all.device;
  }

  void run() {
    all.step("pinned", this::pinned);
    all.step("staged", this::staged);
    all.step("inline", this::inline);
    all.step("mapped", this::mapped);
    all.step("rows", this::rows);
    all.step("file", this::file);
    all.step("pageable", this::pageable);
    all.step("pinned planes", this::pinnedPlanes);
    all.step("staged planes", this::stagedPlanes);
    all.step("when sources are read", this::sourceAccess);
    all.step("batch", this::batch);
    all.step("fills", this::fills);
    all.step("registered", this::registered);
    all.step("lent buffers", this::buffers);
    all.step("observed", this::observed);
  }

  private void rows() {
    byte[][] in = new byte[100][];
    byte[][] out = new byte[100][SIZE / 100];
    for (int i = 0; i < 100; i++) {
      in[i] = Arrays.copyOfRange(data, i * (SIZE / 100), (i + 1) * (SIZE / 100));
    }
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      stream.copyRows(HostRows.of(in), array);
      stream.copyRows(array, HostRows.of(out));
      all.await(stream);
      all.check(out[99], in[99]);
    }
  }

  private void file() throws IOException {
    Path path = Files.createTempFile("stretto", ".bytes");
    try (Stream stream = device.stream();
        FileChannel channel =
            FileChannel.open(
                path,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
        EveryOperation.Settled _ = all.settled(stream);
        GlobalBytes array = device.allocateBytes(SIZE)) {
      stream.copy(data, array);
      stream.copy(array, channel, 7);
      stream.fill(array, (byte) 0);
      stream.copy(channel, 7, array);
      byte[] out = new byte[SIZE];
      stream.copy(array, out);
      all.await(stream);
      all.check(out, data);
    } finally {
      boolean _ = Files.deleteIfExists(path);
    }
  }

  private void pinned() {
    try (Stream stream = device.stream(-1);
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(SIZE);
        GlobalBytes second = device.allocateBytes(SIZE)) {
      MemorySegment in = pinned.allocate(SIZE, 64).copyFrom(MemorySegment.ofArray(data));
      MemorySegment out = pinned.allocate(SIZE);
      stream.copy(in, array);
      stream.copy(array, second);
      stream.copy(second, out);
      all.await(stream);
      all.check(out, data);
      byte[] expected = data.clone();
      stream.copy(in.asSlice(5, 1000), array.slice(0, 1000));
      System.arraycopy(data, 5, expected, 0, 1000);
      stream.copy(array.slice(0, 100), array.slice(2000, 100));
      System.arraycopy(expected, 0, expected, 2000, 100);
      stream.copy(array, out);
      all.await(stream);
      all.check(out, expected);
    }
  }

  private void staged() {
    try (Stream stream = device.stream();
        Arena arena = Arena.ofShared();
        EveryOperation.Settled _ = all.settled(stream);
        GlobalBytes array = device.allocateBytes(SIZE)) {
      MemorySegment plain = arena.allocate(SIZE).copyFrom(MemorySegment.ofArray(data));
      MemorySegment out = arena.allocate(SIZE);
      byte[] heap = new byte[SIZE];
      stream.copy(plain, array);
      stream.copy(array, out);
      stream.copy(data, array);
      stream.copy(array, heap);
      stream.copy(out, MemorySegment.ofArray(heap));
      all.await(stream);
      all.check(out, data);
      all.check(heap, data);
    }
  }

  private void inline() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(100)) {
      int[] out = new int[100];
      for (int i = 0; i < 10; i++) {
        int[] in = new int[100];
        Arrays.fill(in, i);
        stream.copy(in, array);
      }
      stream.copy(array, out);
      all.await(stream);
      all.check(Arrays.stream(out).allMatch(value -> value == 9), "the last of small copies");
    }
  }

  private void mapped() throws IOException {
    Path file = Files.createTempFile("stretto-every", ".bin");
    try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Arena arena = Arena.ofShared();
        Stream stream = device.stream();
        EveryOperation.Settled _ = all.settled(stream);
        GlobalBytes array = device.allocateBytes(SIZE)) {
      Files.write(file, data);
      MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 2L * SIZE, arena);
      stream.copy(mapped.asSlice(0, SIZE), array);
      stream.copy(array, mapped.asSlice(SIZE, SIZE));
      all.await(stream);
      all.check(mapped.asSlice(SIZE, SIZE), data);
    } finally {
      Files.delete(file);
    }
  }

  private void pageable() {
    try (Stream stream = device.stream();
        Arena arena = Arena.ofShared();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      MemorySegment plain = arena.allocate(SIZE).copyFrom(MemorySegment.ofArray(data));
      MemorySegment out = arena.allocate(SIZE);
      stream.copy(plain, array, Route.Kind.AWAITED_PAGEABLE);
      stream.copy(array, out, Route.Kind.AWAITED_PAGEABLE);
      all.await(stream);
      all.check(out, data);
    }
  }

  private void pinnedPlanes() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(SIZE);
        GlobalBytes second = device.allocateBytes(SIZE)) {
      MemorySegment in = pinned.allocate(SIZE).copyFrom(MemorySegment.ofArray(data));
      MemorySegment out = pinned.allocate(SIZE);
      planes(stream, in, out, array, second);
    }
  }

  private void stagedPlanes() {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE);
        GlobalBytes second = device.allocateBytes(SIZE)) {
      MemorySegment out = MemorySegment.ofArray(new byte[SIZE]);
      planes(stream, MemorySegment.ofArray(data), out, array, second);
    }
  }

  private void planes(
      Stream stream, MemorySegment in, MemorySegment out, GlobalBytes array, GlobalBytes second) {
    stream.copy2D(in, PITCH, array, PITCH, WIDTH, ROWS);
    stream.copy2D(array, PITCH, second, PITCH, WIDTH, ROWS);
    stream.copy2D(second, PITCH, out, PITCH, WIDTH, ROWS);
    all.await(stream);
    byte[] expected = new byte[SIZE];
    for (int row = 0; row < ROWS; row++) {
      System.arraycopy(data, row * PITCH, expected, row * PITCH, WIDTH);
    }
    all.check(out, expected);
    out.fill((byte) 0);
    Arrays.fill(expected, (byte) 0);
    stream.copy3D(in, PITCHES, array, PITCHES, EXTENT);
    stream.copy3D(array, PITCHES, second, PITCHES, EXTENT);
    stream.copy3D(second, PITCHES, out, PITCHES, EXTENT);
    all.await(stream);
    for (int plane = 0; plane < EXTENT.planes(); plane++) {
      for (int row = 0; row < EXTENT.rows(); row++) {
        int at = (int) (plane * PITCHES.plane() + row * PITCHES.row());
        System.arraycopy(data, at, expected, at, WIDTH);
      }
    }
    all.check(out, expected);
  }

  private void sourceAccess() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(SIZE);
        GlobalBytes second = device.allocateBytes(SIZE)) {
      MemorySegment host = pinned.allocate(SIZE).copyFrom(MemorySegment.ofArray(data));
      byte[] heap = data.clone();
      MemorySegment out = pinned.allocate(SIZE);
      stream.copy(MemorySegment.ofArray(heap), array, SourceAccess.DURING_CALL);
      Arrays.fill(heap, (byte) 0); // has been read
      stream.copy(array, second, SourceAccess.STREAM_ORDER);
      stream.copy(second, out, SourceAccess.STREAM_ORDER);
      all.await(stream);
      all.check(out, data);
      stream.fill(array, (byte) 0);
      stream.copy(host, array, SourceAccess.ANY);
      stream.copy(array, out, SourceAccess.STREAM_ORDER);
      all.await(stream);
      all.check(out, data);
    }
  }

  private void batch() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(4L * SIZE)) {
      MemorySegment host = pinned.allocate(SIZE).copyFrom(MemorySegment.ofArray(data));
      MemorySegment out = pinned.allocate(SIZE);
      byte[] heap = new byte[SIZE];
      stream.copy(host, array.slice(0, SIZE));
      Batch first =
          stream.copyAll(
              List.of(
                  CopyRequest.of(host.asSlice(0, 1000), array.slice(SIZE, 1000)),
                  CopyRequest.of(host.asSlice(1000, SIZE - 1000), array.slice(SIZE + 1000, 39_000)),
                  CopyRequest.of(array.slice(0, SIZE), array.slice(2L * SIZE, SIZE)),
                  CopyRequest.of(MemorySegment.ofArray(data), array.slice(3L * SIZE, SIZE))));
      Batch second =
          stream.copyAll(
              List.of(
                  CopyRequest.of(array.slice(SIZE, SIZE), out),
                  CopyRequest.of(array.slice(2L * SIZE, SIZE), MemorySegment.ofArray(heap))));
      all.await(first);
      all.await(second);
      all.check(out, data);
      all.check(heap, data);
      stream.copy(array.slice(3L * SIZE, SIZE), out);
      all.await(stream);
      all.check(out, data);
    }
  }

  private void fills() {
    try (Stream stream = device.stream();
        GlobalBytes bytes = device.allocateBytes(100);
        GlobalShorts shorts = device.allocateShorts(100);
        GlobalInts ints = device.allocateInts(100);
        GlobalLongs longs = device.allocateLongs(100);
        GlobalFloats floats = device.allocateFloats(100);
        GlobalDoubles doubles = device.allocateDoubles(100);
        GlobalHalfs halfs = device.allocateHalfs(100);
        GlobalBfloats bfloats = device.allocateBfloats(100)) {
      stream.fill(bytes, (byte) 1);
      stream.fill(shorts, (short) 2);
      stream.fill(ints, 3);
      stream.fill(longs, 4L << 40);
      stream.fill(floats, 5f);
      stream.fill(doubles, 6d);
      stream.fill(halfs, 7f);
      stream.fill(bfloats, 8f);
      long[] out = new long[100];
      int[] outInts = new int[100];
      double[] outDoubles = new double[100];
      stream.copy(longs, out);
      stream.copy(ints, outInts);
      stream.copy(doubles, outDoubles);
      all.await(stream);
      all.check(Arrays.stream(out).allMatch(value -> value == 4L << 40), "a fill of longs");
      all.check(Arrays.stream(outInts).allMatch(value -> value == 3), "a fill of ints");
      all.check(Arrays.stream(outDoubles).allMatch(value -> value == 6d), "a fill of doubles");
    }
  }

  private void registered() {
    try (Arena arena = Arena.ofShared();
        Stream stream = device.stream();
        EveryOperation.Settled _ = all.settled(stream);
        GlobalBytes array = device.allocateBytes(SIZE)) {
      MemorySegment host = arena.allocate(2L * SIZE, 4096);
      MemorySegment.copy(MemorySegment.ofArray(data), 0, host, 0, SIZE);
      Registration registration = device.register(host, arena);
      stream.copy(host.asSlice(0, SIZE), array);
      registration.close(); // in flight
      stream.copy(array, host.asSlice(SIZE, SIZE));
      all.await(stream);
      all.check(host.asSlice(SIZE, SIZE), data);
    }
  }

  private void buffers() throws Exception {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE);
        PinnedBuffers buffers = device.pinnedBuffers(SIZE, 2)) {
      byte[] out = new byte[SIZE];
      for (int i = 0; i < 4; i++) {
        PinnedBuffer buffer = buffers.awaitLease(Duration.ofSeconds(20)).orElseThrow();
        buffer.memory().copyFrom(MemorySegment.ofArray(data));
        stream.copy(buffer.memory(), array);
        buffer.close();
      }
      CompletableFuture<PinnedBuffer> lease = buffers.lease();
      all.await(stream);
      lease.get(20, TimeUnit.SECONDS).close();
      buffers.tryLease().ifPresent(PinnedBuffer::close);
      stream.copy(array, out);
      all.await(stream);
      all.check(out, data);
    }
  }

  private void observed() {
    try (Timeline timeline = Timeline.record(device);
        Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(SIZE)) {
      MemorySegment host = pinned.allocate(SIZE).copyFrom(MemorySegment.ofArray(data));
      byte[] out = new byte[SIZE];
      stream.copy(host, array);
      stream.fill(array.slice(0, 10), (byte) 0);
      stream.copy(array, out);
      all.await(stream);
      byte[] expected = data.clone();
      Arrays.fill(expected, 0, 10, (byte) 0);
      all.check(out, expected);
      all.check(
          timeline.spans().size() + timeline.leftOut() + timeline.running() == 3,
          "three operations are three spans, or are said to be left out");
    }
  }
}
