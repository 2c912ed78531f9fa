package dev.stretto.twin;

import static dev.stretto.twin.MemoryTwins.LARGE;
import static dev.stretto.twin.MemoryTwins.SMALL;
import static dev.stretto.twin.Scene.all;
import static dev.stretto.twin.Scene.fill;
import static dev.stretto.twin.Scene.outcome;
import static dev.stretto.twin.Scene.query;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.stretto.CopyRequest;
import dev.stretto.Extent;
import dev.stretto.Grid;
import dev.stretto.Pitches;
import dev.stretto.SourceAccess;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

/** Which bytes copies, fills and batches move: {@code semantics/copies.cuh}. */
final class CopyTwins {
  private static final int WIDTH = 60;
  private static final int ROWS = 50;
  private static final int PLANES = 3;
  private static final int HOST_PITCH = 100;
  private static final int DEVICE_PITCH = 128;
  private static final int OTHER_PITCH = 61;

  private CopyTwins() {}

  static List<Twin> twins() {
    return List.of(
        Twin.of("copy-of-any-size", CopyTwins::sizes),
        Twin.of("copy-of-rows", CopyTwins::rows),
        Twin.of("copy-of-rows-wider-than-their-pitch", CopyTwins::narrow),
        Twin.of("copy-of-planes", CopyTwins::planes),
        Twin.of("copy-of-columns-within-a-matrix", CopyTwins::columns),
        Twin.of("copy-that-overlaps", CopyTwins::overlapping),
        Twin.of("copy-of-nothing", CopyTwins::nothing),
        Twin.of("copy-within-the-device", CopyTwins::within),
        Twin.of("copy-beside-the-other-direction", CopyTwins::directions),
        Twin.of("fill-of-each-width", CopyTwins::widths),
        Twin.of("fill-of-rows", CopyTwins::rowsFilled),
        Twin.of("fill-behind-what-is-held-up", CopyTwins::filled),
        Twin.of("batch-in-the-order-of-its-stream", CopyTwins::batch),
        Twin.of("batch-that-reads-during-the-call", CopyTwins::during),
        Twin.of("batch-on-legacy", CopyTwins::batchOnLegacy),
        Twin.of("batch-of-nothing", CopyTwins::batchOfNothing));
  }

  private static byte pattern(long i) {
    return (byte) (i * 31 + i / 256 + 1);
  }

  private static MemorySegment pinnedBytes(Scene scene, long bytes) {
    return scene.own(scene.device().pinnedArena()).allocate(bytes, 64).fill((byte) 0);
  }

  private static MemorySegment patternBytes(Scene scene, long bytes) {
    MemorySegment segment = pinnedBytes(scene, bytes);
    for (long i = 0; i < bytes; i++) {
      segment.set(JAVA_BYTE, i, pattern(i));
    }
    return segment;
  }

  private static byte at(MemorySegment segment, long i) {
    return segment.get(JAVA_BYTE, i);
  }

  private static void sizes(Scene scene) {
    int most = (1 << 20) + 1;
    Stream stream = scene.stream();
    GlobalBytes array = scene.bytes(most + 8);
    MemorySegment in = patternBytes(scene, most + 8);
    MemorySegment out = pinnedBytes(scene, most + 8);
    long wrong = 0;
    for (int size : new int[] {1, 3, 4095, 4097, 65536, 65537, most}) {
      for (int offset : new int[] {0, 1, 5}) {
        out.fill((byte) 0);
        stream.copy(in.asSlice(2, size), array.slice(offset, size));
        stream.copy(array.slice(offset, size), out.asSlice(1, size));
        stream.await();
        wrong += out.asSlice(1, size).mismatch(in.asSlice(2, size)) < 0 ? 0 : 1;
        wrong += at(out, 0) == 0 ? 0 : 1;
        wrong += at(out, size + 1) == 0 ? 0 : 1;
      }
    }
    scene.say("wrong-bytes", wrong);
  }

  private static void rows(Scene scene) {
    Stream stream = scene.stream();
    GlobalBytes a = scene.bytes(DEVICE_PITCH * ROWS);
    GlobalBytes b = scene.bytes(OTHER_PITCH * ROWS);
    MemorySegment in = patternBytes(scene, HOST_PITCH * ROWS);
    MemorySegment out = pinnedBytes(scene, HOST_PITCH * ROWS);
    stream.copy2D(in, HOST_PITCH, a, DEVICE_PITCH, WIDTH, ROWS);
    stream.copy2D(a, DEVICE_PITCH, b, OTHER_PITCH, WIDTH, ROWS);
    stream.copy2D(b, OTHER_PITCH, out, HOST_PITCH, WIDTH, ROWS);
    stream.await();
    byte[] gaps = Scene.bytesOf(a);
    scene.say(
        "wrong-bytes",
        IntStream.range(0, HOST_PITCH * ROWS)
            .filter(i -> i % HOST_PITCH < WIDTH && at(out, i) != pattern(i))
            .count());
    scene.say(
        "touched-between-rows",
        IntStream.range(0, HOST_PITCH * ROWS)
                .filter(i -> i % HOST_PITCH >= WIDTH && at(out, i) != 0)
                .count()
            + IntStream.range(0, gaps.length)
                .filter(i -> i % DEVICE_PITCH >= WIDTH && gaps[i] != 0)
                .count());
  }

  private static void narrow(Scene scene) {
    Stream stream = scene.stream();
    GlobalBytes array = scene.bytes(1000);
    MemorySegment host = patternBytes(scene, 1000);
    scene.say(
        "copy",
        outcome(() -> stream.copy2D(host, 20, array, 10, 20, 5), IllegalArgumentException.class));
    stream.copy(host, array).await();
    scene.say("then", Scene.bytesOf(array)[999] == pattern(999) ? "works" : "fails");
  }

  private static void planes(Scene scene) {
    Stream stream = scene.stream();
    int hostPlane = HOST_PITCH * (ROWS + 2);
    GlobalBytes array = scene.bytes(DEVICE_PITCH * ROWS * PLANES);
    MemorySegment in = patternBytes(scene, hostPlane * PLANES);
    MemorySegment out = pinnedBytes(scene, hostPlane * PLANES);
    Pitches host = new Pitches(HOST_PITCH, hostPlane);
    Pitches device = new Pitches(DEVICE_PITCH, DEVICE_PITCH * ROWS);
    Extent extent = new Extent(WIDTH, ROWS, PLANES);
    stream.copy3D(in, host, array, device, extent);
    stream.copy3D(array, device, out, host, extent);
    stream.await();
    long wrong = 0;
    long touched = 0;
    for (int i = 0; i < hostPlane * PLANES; i++) {
      if (i % HOST_PITCH < WIDTH && i % hostPlane / HOST_PITCH < ROWS) {
        wrong += at(out, i) == pattern(i) ? 0 : 1;
      } else {
        touched += at(out, i) == 0 ? 0 : 1;
      }
    }
    scene.say("wrong-bytes", wrong);
    scene.say("touched-between-rows", touched);
  }

  private static void columns(Scene scene) {
    int pitch = 64;
    int columns = 32;
    Stream stream = scene.stream();
    GlobalBytes matrix = scene.bytes(pitch * ROWS);
    MemorySegment host = patternBytes(scene, pitch * ROWS);
    stream.copy(host, matrix);
    stream.copy2D(
        matrix.slice(0, pitch * (ROWS - 1) + columns),
        pitch,
        matrix.slice(columns, pitch * (ROWS - 1) + columns),
        pitch,
        columns,
        ROWS);
    stream.await();
    byte[] found = Scene.bytesOf(matrix);
    scene.say(
        "wrong-bytes",
        IntStream.range(0, found.length)
            .filter(i -> found[i] != pattern(i / pitch * pitch + i % columns))
            .count());
  }

  private static void overlapping(Scene scene) {
    GlobalInts array = scene.ints(100);
    scene.differs(
        "copy",
        outcome(
            () -> scene.stream().copy(array.slice(0, 60), array.slice(40, 60)),
            IllegalArgumentException.class),
        "CUDA leaves open what such a copy does; Stretto refuses it");
  }

  private static void nothing(Scene scene) {
    GlobalInts array = scene.ints(10);
    MemorySegment host = scene.pinned(10);
    scene.differs(
        "copy",
        outcome(
            () -> scene.stream().copy(host.asSlice(0, 0), array.slice(0, 0)),
            IllegalArgumentException.class),
        "Stretto takes a copy of nothing for a mistake");
  }

  private static void within(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts a = scene.ints(LARGE);
    GlobalInts b = scene.ints(LARGE);
    latch.hold(stream);
    stream.fill(a, 7);
    scene.sayReturnsFirst(latch, () -> stream.copy(a, b));
    latch.open();
    stream.await();
    scene.say("value", Scene.all(b));
  }

  private static void directions(Scene scene) {
    Stream up = scene.stream();
    Stream down = scene.stream();
    Latch latch = scene.latch();
    GlobalInts a = scene.ints(LARGE);
    GlobalInts b = scene.ints(LARGE);
    MemorySegment in = scene.pinned(LARGE);
    MemorySegment out = scene.pinned(LARGE);
    fill(in, 7);
    latch.hold(up);
    up.copy(in, a);
    down.copy(b, out);
    scene.say("down", scene.passes(down) ? "independent" : "waits");
    scene.say("up", query(up));
    latch.open();
    up.await();
    scene.say("value", Scene.all(a));
  }

  private static void widths(Scene scene) {
    Stream stream = scene.stream();
    GlobalBytes bytes = scene.bytes(16);
    GlobalShorts shorts = scene.device().allocateShorts(8);
    GlobalInts ints = scene.ints(4);
    GlobalLongs longs = scene.device().allocateLongs(2);
    stream.fill(bytes.slice(3, 3), (byte) 0x12);
    stream.fill(shorts, (short) 0);
    stream.fill(shorts.slice(0, 2), (short) 0x1234);
    stream.fill(ints.slice(0, 2), 0x12345678);
    stream.fill(longs, 0x123456789abcdef0L);
    stream.await();
    HexFormat hex = HexFormat.of();
    byte[] rest = Scene.bytesOf(bytes);
    byte[] mixed = Scene.bytesOf(shorts);
    scene.say("bytes", hex.formatHex(rest, 0, 8) + hex.formatHex(mixed, 0, 8));
    scene.say("more-bytes", hex.formatHex(Scene.bytesOf(ints)));
    scene.say("long-bytes", hex.formatHex(Scene.bytesOf(longs)));
    scene.say("behind", hex.formatHex(rest, 8, 16) + hex.formatHex(mixed, 8, 16));
  }

  private static void rowsFilled(Scene scene) {
    Stream stream = scene.stream();
    GlobalBytes bytes = scene.bytes(1024);
    GlobalShorts shorts = scene.own(scene.device().allocateShorts(1024));
    GlobalInts ints = scene.ints(1024);
    stream.fill(bytes, (byte) 0);
    stream.fill(shorts, (short) 0);
    stream.fill2D(bytes.slice(3, 1021), 32, 5, 20, (byte) 7);
    stream.fill2D(shorts.slice(3, 1021), 64, 10, 20, (short) 0x1234);
    stream.fill2D(ints.slice(3, 1021), 128, 20, 20, 0x12345678);
    byte[] asBytes = new byte[1024];
    short[] asShorts = new short[1024];
    stream.copy(bytes, asBytes);
    stream.copy(shorts, asShorts);
    stream.await();
    scene.say("bytes", Arrays.hashCode(asBytes));
    scene.say("shorts", Arrays.hashCode(asShorts));
    scene.say("ints", Arrays.hashCode(Scene.read(ints)));
  }

  private static void filled(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts array = scene.ints(LARGE);
    latch.hold(stream);
    scene.sayReturnsFirst(latch, () -> stream.fill(array, 0x07070707));
    latch.open();
    stream.await();
    scene.say("value", Scene.all(array));
  }

  private static void batch(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts a = scene.ints(SMALL);
    GlobalInts b = scene.ints(SMALL);
    GlobalInts c = scene.ints(SMALL);
    MemorySegment in = scene.pinned(SMALL);
    MemorySegment out = scene.pinned(SMALL);
    fill(in, 5);
    latch.hold(stream);
    stream.fill(a, 7);
    scene.sayReturnsFirst(
        latch, () -> stream.copyAll(List.of(CopyRequest.of(a, b), CopyRequest.of(in, c))));
    stream.launch(Grid.covering(SMALL, 256), TwinKernels::addAll, b, 1);
    stream.copy(b, out);
    latch.open();
    stream.await();
    scene.say("first", all(out));
    scene.say("second", Scene.all(c));
  }

  private static void during(Scene scene) {
    Stream stream = scene.stream();
    Latch latch = scene.latch();
    GlobalInts array = scene.ints(SMALL);
    MemorySegment in = scene.pinned(SMALL);
    fill(in, 7);
    latch.hold(stream);
    stream.copyAll(List.of(new CopyRequest.ToDevice(in, array, SourceAccess.DURING_CALL)));
    fill(in, 8);
    latch.open();
    stream.await();
    scene.say("device-sees", Scene.all(array));
  }

  private static void batchOnLegacy(Scene scene) {
    GlobalInts array = scene.ints(SMALL);
    MemorySegment in = scene.pinned(SMALL);
    scene.differs(
        "batch",
        outcome(
            () -> scene.device().legacyStream().copyAll(List.of(CopyRequest.of(in, array))).await(),
            IllegalArgumentException.class),
        "CUDA takes no batch there; Stretto enqueues the copies one by one");
  }

  private static void batchOfNothing(Scene scene) {
    scene.say(
        "batch", outcome(() -> scene.stream().copyAll(List.of()), IllegalArgumentException.class));
  }
}
