package dev.stretto.bindings;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalLongs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Small operations of Stretto. */
final class StrettoSubmission implements Submission, AutoCloseable {
  private static final Grid ONE = Grid.of(1, 1);

  private final boolean prepared;
  private final Stream stream;
  private final Stream other;
  private final PinnedArena arena;
  private final MemorySegment pinned;
  private final GlobalLongs array;
  private final Launch launch;

  StrettoSubmission(Device device, boolean prepared) {
    this.prepared = prepared;
    this.stream = device.stream();
    this.other = device.stream();
    this.arena = device.pinnedArena();
    this.pinned = arena.allocate(BYTES, BYTES);
    this.array = device.allocateLongs(WORDS);
    this.launch = device.prepare(ONE, StrettoKernels.EMPTY, 1, array, 2f);
  }

  @Override
  public void fill(long[] words) {
    MemorySegment.copy(words, 0, pinned, ValueLayout.JAVA_LONG, 0, words.length);
  }

  @Override
  public void copy() {
    stream.copy(pinned, array);
  }

  @Override
  public void copyArray(long[] words) {
    stream.copy(words, array).await();
  }

  @Override
  public void copyBack(long[] words) {
    stream.copy(array, words).await();
  }

  @Override
  public void launch() {
    if (prepared) {
      stream.launch(launch);
    } else {
      stream.launch(ONE, StrettoKernels.EMPTY, 1, array, 2f);
    }
  }

  @Override
  public void recordAndWait() {
    other.waitFor(stream.record());
  }

  @Override
  public void await() {
    stream.await();
    other.await();
  }

  @Override
  public void close() {
    stream.close();
    other.close();
    array.close();
    arena.close();
  }
}
