package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the programs of {@link DiagnosedPrograms} work with, made before anybody looks, and the line
 * on which one of them does what is to be found.
 */
final class Workbench implements AutoCloseable {
  static final int N = 1 << 20;
  static final int ROUNDS = 8;
  private static final int LARGE = 4 << 20;

  final Device device;
  final Device peer;
  final Stream a;
  final Stream b;
  final PinnedArena pinned;
  final Arena ordinary = Arena.ofShared();
  final MemorySegment in;
  final MemorySegment out;
  final MemorySegment outOfY;
  final MemorySegment plain;
  final GlobalInts x;
  final GlobalInts y;
  final Launch add;
  final Launch addToY;
  final Launch small;
  private final MemorySegment large;
  private final GlobalInts largeArray;
  private final Set<Integer> lines = new TreeSet<>();

  Workbench(List<Device> devices) {
    device = devices.getFirst();
    peer = devices.getLast();
    a = device.stream();
    b = device.stream();
    pinned = device.pinnedArena();
    in = pinned.allocate(JAVA_INT, N);
    out = pinned.allocate(JAVA_INT, N);
    outOfY = pinned.allocate(JAVA_INT, N);
    plain = ordinary.allocate(JAVA_INT, N);
    large = pinned.allocate(JAVA_INT, LARGE);
    x = device.allocateInts(N);
    y = device.allocateInts(N);
    largeArray = device.allocateInts(LARGE);
    add = device.prepare(Grid.covering(N, 256), Kernels.ADD, x, 1, N);
    small = device.prepare(Grid.of(1, 32), Kernels.ADD, x, 1, 32);
    addToY = device.prepare(Grid.covering(N, 256), Kernels.ADD, y, 1, N);
  }

  /** Keeps a stream, and the copy engine of that direction, busy for some milliseconds. */
  void busy(Stream stream) {
    for (int i = 0; i < ROUNDS; i++) {
      stream.copy(large, largeArray);
    }
  }

  /** Says that it is on this line that the caller does what is to be found. */
  <T> T here(T thing) {
    lines.add(
        StackWalker.getInstance()
            .walk(frames -> frames.skip(1).findFirst().orElseThrow())
            .getLineNumber());
    return thing;
  }

  /** The lines on which the caller did it: one, unless several have a part in it. */
  Set<Integer> lines() {
    return lines;
  }

  void awaitAll() {
    a.await();
    b.await();
    peer.await();
  }

  @Override
  public void close() {
    device.await();
    ordinary.close();
  }
}
