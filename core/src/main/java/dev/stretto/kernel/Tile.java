// Generated from tools/families/Tile.template by tools/Families.java. Do not edit.
package dev.stretto.kernel;

import dev.stretto.memory.GlobalArray;

/**
 * A part of a warp, 2 to 32 neighboring lanes, as seen by one of them: the equivalent of {@code
 * cooperative_groups::thread_block_tile} in CUDA C++. {@link Warp#tile} makes one. The tiles of a
 * warp do not wait for each other, and may take different branches.
 *
 * <p>A method that exchanges values waits until every thread of the tile has called it. It does not
 * wait for threads that have returned; they have no value to read. A block's size must be a
 * multiple of the tile's.
 *
 * <p>Objects of this class are values that live in registers. CUDA programming guide, "Cooperative
 * Groups: Thread Block Tile".
 */
public final class Tile {
  private final ThreadBlock block;
  private final Warp warp;
  private final int lanes;

  Tile(ThreadBlock block, Warp warp, int lanes) {
    this.block = block;
    this.warp = warp;
    this.lanes = lanes;
  }

  /** {@return the number of threads} */
  public int size() {
    return lanes;
  }

  /** {@return the thread's number in its tile, 0 to {@code size() - 1}} */
  public int threadRank() {
    return warp.lane() & (lanes - 1);
  }

  /** {@return the tile's number in its block} */
  public int index() {
    return block.threadRank() / lanes;
  }

  /** {@return the tile's lanes in its warp, as bits, lane 0 lowest} */
  public int members() {
    return lanes == 32 ? -1 : ((1 << lanes) - 1) << first();
  }

  private int first() {
    return warp.lane() & -lanes;
  }

  /** The segment of a lane and its last lane, as shuffles take them. */
  private int segment() {
    return ((32 - lanes) << 8) | 31;
  }

  /**
   * Waits until all threads of the tile have called it. Their earlier writes to memory are then
   * visible to each of them.
   */
  public void sync() {
    warp.sync(members());
  }

  /**
   * {@return the value of another thread of the tile}
   *
   * @param value this thread's value
   * @param rank of the thread whose value to read, modulo {@code size()}
   */
  public int shuffle(int value, int rank) {
    return warp.shuffleWithin(members(), value, rank, segment());
  }

  /**
   * {@return the value of another thread of the tile}
   *
   * @param value this thread's value
   * @param rank of the thread whose value to read, modulo {@code size()}
   */
  public float shuffle(float value, int rank) {
    return Float.intBitsToFloat(
        warp.shuffleWithin(members(), Float.floatToRawIntBits(value), rank, segment()));
  }

  /**
   * {@return the value of another thread of the tile}
   *
   * @param value this thread's value
   * @param rank of the thread whose value to read, modulo {@code size()}
   */
  public long shuffle(long value, int rank) {
    return warp.shuffleWithin(members(), value, rank, segment());
  }

  /**
   * {@return the value of another thread of the tile}
   *
   * @param value this thread's value
   * @param rank of the thread whose value to read, modulo {@code size()}
   */
  public double shuffle(double value, int rank) {
    return Double.longBitsToDouble(
        warp.shuffleWithin(members(), Double.doubleToRawLongBits(value), rank, segment()));
  }

  /**
   * {@return the value of the thread {@code delta} below; the own value if the tile has no such
   * thread}
   *
   * @param value this thread's value
   * @param delta how far below, modulo 32
   */
  public int shuffleUp(int value, int delta) {
    return warp.shuffleUpWithin(members(), value, delta, (32 - lanes) << 8);
  }

  /**
   * {@return the value of the thread {@code delta} below; the own value if the tile has no such
   * thread}
   *
   * @param value this thread's value
   * @param delta how far below, modulo 32
   */
  public float shuffleUp(float value, int delta) {
    return Float.intBitsToFloat(
        warp.shuffleUpWithin(members(), Float.floatToRawIntBits(value), delta, (32 - lanes) << 8));
  }

  /**
   * {@return the value of the thread {@code delta} below; the own value if the tile has no such
   * thread}
   *
   * @param value this thread's value
   * @param delta how far below, modulo 32
   */
  public long shuffleUp(long value, int delta) {
    return warp.shuffleUpWithin(members(), value, delta, (32 - lanes) << 8);
  }

  /**
   * {@return the value of the thread {@code delta} below; the own value if the tile has no such
   * thread}
   *
   * @param value this thread's value
   * @param delta how far below, modulo 32
   */
  public double shuffleUp(double value, int delta) {
    return Double.longBitsToDouble(
        warp.shuffleUpWithin(
            members(), Double.doubleToRawLongBits(value), delta, (32 - lanes) << 8));
  }

  /**
   * {@return the value of the thread {@code delta} above; the own value if the tile has no such
   * thread}
   *
   * @param value this thread's value
   * @param delta how far above, modulo 32
   */
  public int shuffleDown(int value, int delta) {
    return warp.shuffleDownWithin(members(), value, delta, segment());
  }

  /**
   * {@return the value of the thread {@code delta} above; the own value if the tile has no such
   * thread}
   *
   * @param value this thread's value
   * @param delta how far above, modulo 32
   */
  public float shuffleDown(float value, int delta) {
    return Float.intBitsToFloat(
        warp.shuffleDownWithin(members(), Float.floatToRawIntBits(value), delta, segment()));
  }

  /**
   * {@return the value of the thread {@code delta} above; the own value if the tile has no such
   * thread}
   *
   * @param value this thread's value
   * @param delta how far above, modulo 32
   */
  public long shuffleDown(long value, int delta) {
    return warp.shuffleDownWithin(members(), value, delta, segment());
  }

  /**
   * {@return the value of the thread {@code delta} above; the own value if the tile has no such
   * thread}
   *
   * @param value this thread's value
   * @param delta how far above, modulo 32
   */
  public double shuffleDown(double value, int delta) {
    return Double.longBitsToDouble(
        warp.shuffleDownWithin(members(), Double.doubleToRawLongBits(value), delta, segment()));
  }

  /**
   * {@return the value of the thread with the rank {@code threadRank() ^ mask}}
   *
   * @param value this thread's value
   * @param mask the bits of the own rank to flip, modulo {@code size()}
   */
  public int shuffleXor(int value, int mask) {
    return warp.shuffleXorWithin(members(), value, mask & (lanes - 1), segment());
  }

  /**
   * {@return the value of the thread with the rank {@code threadRank() ^ mask}}
   *
   * @param value this thread's value
   * @param mask the bits of the own rank to flip, modulo {@code size()}
   */
  public float shuffleXor(float value, int mask) {
    return Float.intBitsToFloat(
        warp.shuffleXorWithin(
            members(), Float.floatToRawIntBits(value), mask & (lanes - 1), segment()));
  }

  /**
   * {@return the value of the thread with the rank {@code threadRank() ^ mask}}
   *
   * @param value this thread's value
   * @param mask the bits of the own rank to flip, modulo {@code size()}
   */
  public long shuffleXor(long value, int mask) {
    return warp.shuffleXorWithin(members(), value, mask & (lanes - 1), segment());
  }

  /**
   * {@return the value of the thread with the rank {@code threadRank() ^ mask}}
   *
   * @param value this thread's value
   * @param mask the bits of the own rank to flip, modulo {@code size()}
   */
  public double shuffleXor(double value, int mask) {
    return Double.longBitsToDouble(
        warp.shuffleXorWithin(
            members(), Double.doubleToRawLongBits(value), mask & (lanes - 1), segment()));
  }

  /**
   * {@return a mask of the threads whose condition is true, rank 0 lowest}
   *
   * @param condition this thread's condition
   */
  public int ballot(boolean condition) {
    return warp.ballot(members(), condition) >>> first();
  }

  /**
   * {@return whether any thread's condition is true}
   *
   * @param condition this thread's condition
   */
  public boolean any(boolean condition) {
    return warp.any(members(), condition);
  }

  /**
   * {@return whether every thread's condition is true}
   *
   * @param condition this thread's condition
   */
  public boolean all(boolean condition) {
    return warp.all(members(), condition);
  }

  /**
   * {@return a mask of the threads that have the same value, rank 0 lowest}
   *
   * @param value this thread's value
   */
  public int matchAny(int value) {
    return warp.matchAny(members(), value) >>> first();
  }

  /**
   * {@return a mask of the threads that have the same value, rank 0 lowest}
   *
   * @param value this thread's value
   */
  public int matchAny(long value) {
    return warp.matchAny(members(), value) >>> first();
  }

  /**
   * {@return the sum of the threads' values, which wraps around}
   *
   * @param value this thread's value
   */
  public int reduceAdd(int value) {
    int result = value;
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
      int other = shuffleXor(result, distance);
      result = result + other;
    }
    return result;
  }

  /**
   * {@return the smallest of the threads' values}
   *
   * @param value this thread's value
   */
  public int reduceMin(int value) {
    int result = value;
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
      int other = shuffleXor(result, distance);
      result = Math.min(result, other);
    }
    return result;
  }

  /**
   * {@return the largest of the threads' values}
   *
   * @param value this thread's value
   */
  public int reduceMax(int value) {
    int result = value;
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
      int other = shuffleXor(result, distance);
      result = Math.max(result, other);
    }
    return result;
  }

  /**
   * {@return the bits that are set in all threads' values}
   *
   * @param value this thread's value
   */
  public int reduceAnd(int value) {
    int result = value;
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
      int other = shuffleXor(result, distance);
      result = result & other;
    }
    return result;
  }

  /**
   * {@return the bits that are set in any thread's value}
   *
   * @param value this thread's value
   */
  public int reduceOr(int value) {
    int result = value;
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
      int other = shuffleXor(result, distance);
      result = result | other;
    }
    return result;
  }

  /**
   * {@return the bits that are set in an odd number of threads' values}
   *
   * @param value this thread's value
   */
  public int reduceXor(int value) {
    int result = value;
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
      int other = shuffleXor(result, distance);
      result = result ^ other;
    }
    return result;
  }

  /**
   * {@return the sum of the threads' values, which wraps around}
   *
   * @param value this thread's value
   */
  public long reduceAdd(long value) {
    long result = value;
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
      long other = shuffleXor(result, distance);
      result = result + other;
    }
    return result;
  }

  /**
   * {@return the smallest of the threads' values}
   *
   * @param value this thread's value
   */
  public long reduceMin(long value) {
    long result = value;
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
      long other = shuffleXor(result, distance);
      result = Math.min(result, other);
    }
    return result;
  }

  /**
   * {@return the largest of the threads' values}
   *
   * @param value this thread's value
   */
  public long reduceMax(long value) {
    long result = value;
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
      long other = shuffleXor(result, distance);
      result = Math.max(result, other);
    }
    return result;
  }

  /**
   * {@return the sum of the threads' values, added up in pairs: the same in every thread}
   *
   * @param value this thread's value
   */
  public float reduceAdd(float value) {
    float result = value;
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
      float other = shuffleXor(result, distance);
      result = result + other;
    }
    return result;
  }

  /**
   * {@return the smallest of the threads' values}
   *
   * @param value this thread's value
   */
  public float reduceMin(float value) {
    float result = value;
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
      float other = shuffleXor(result, distance);
      result = Math.min(result, other);
    }
    return result;
  }

  /**
   * {@return the largest of the threads' values}
   *
   * @param value this thread's value
   */
  public float reduceMax(float value) {
    float result = value;
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
      float other = shuffleXor(result, distance);
      result = Math.max(result, other);
    }
    return result;
  }

  /**
   * {@return the sum of the threads' values, added up in pairs: the same in every thread}
   *
   * @param value this thread's value
   */
  public double reduceAdd(double value) {
    double result = value;
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
      double other = shuffleXor(result, distance);
      result = result + other;
    }
    return result;
  }

  /**
   * {@return the smallest of the threads' values}
   *
   * @param value this thread's value
   */
  public double reduceMin(double value) {
    double result = value;
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
      double other = shuffleXor(result, distance);
      result = Math.min(result, other);
    }
    return result;
  }

  /**
   * {@return the largest of the threads' values}
   *
   * @param value this thread's value
   */
  public double reduceMax(double value) {
    double result = value;
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
      double other = shuffleXor(result, distance);
      result = Math.max(result, other);
    }
    return result;
  }

  /**
   * {@return a pipeline of this tile, in which each of its threads produces and consumes} All
   * threads of the tile make it together, and wait for each other. They also wait for each other,
   * as at {@link #sync()}, in {@link Pipeline#producerCommit()} and {@link
   * Pipeline#consumerRelease()}, so that one arrives for all, and have to call {@link
   * Pipeline#quit()} together.
   *
   * @param stages how many, 1 or more
   * @param tiles how many tiles of the block have one at most: each takes {@link Pipeline#bytes} of
   *     shared memory
   */
  public Pipeline pipeline(@Const int stages, @Const int tiles) {
    CopyPromises.stages(stages);
    Pipeline made =
        Pipeline.ofAll(
            memory(stages, tiles),
            stages,
            threadRank(),
            lanes,
            PipelineLanes.of(warp, members(), lanes, threadRank()));
    sync();
    return made;
  }

  /**
   * {@return a pipeline of this tile, in which some threads produce and the others consume} All
   * threads of the tile make it together, and wait for each other.
   *
   * @param stages how many, 1 or more
   * @param tiles how many tiles of the block have one at most: each takes {@link Pipeline#bytes} of
   *     shared memory
   * @param producer whether this thread produces; at least one does, and at least one does not
   */
  public Pipeline pipeline(@Const int stages, @Const int tiles, boolean producer) {
    CopyPromises.stages(stages);
    int producers = Integer.bitCount(ballot(producer));
    Pipeline made =
        Pipeline.ofRoles(
            memory(stages, tiles), stages, threadRank(), lanes, warp, producers, producer);
    sync();
    return made;
  }

  private PipelineMemory memory(int stages, int tiles) {
    return PipelineMemory.of(
        block.sharedBytes(Pipeline.bytes(stages) * tiles), stages, index(), tiles);
  }

  /**
   * Begins to copy elements to shared memory; all threads of the tile call it and share the work.
   * The copies are a group of their own, which {@link #waitAll()} and {@link #waitPrior(int)} wait
   * for. Same as {@link #memcpyAsync(SharedArray, int, GlobalArray, long, int, int)} with an
   * alignment of 1.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      SharedArray to, int toIndex, GlobalArray from, long fromIndex, int count) {
    memcpyAsync(to, toIndex, from, fromIndex, count, 1);
  }

  /**
   * Begins to copy elements to shared memory; all threads of the tile call it and share the work.
   * The copies are a group of their own, which {@link #waitAll()} and {@link #waitPrior(int)} wait
   * for; until then the content of the destination is undefined, and the source must not change.
   * Depending on the alignment, they become {@code cp.async} of 16, 8 or 4 bytes per thread, or
   * plain loads and stores if it is below 4.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @param alignment that the caller promises for both ends, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size need not be promised, and any number of
   *     bytes is allowed
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      SharedArray to,
      int toIndex,
      GlobalArray from,
      long fromIndex,
      int count,
      @Const int alignment) {
    CopyNotes.beginsInTile(lanes, to, toIndex, from, fromIndex, count);
    CopyLowering.chunksToShared(
        threadRank(), size(), to, toIndex, from, fromIndex, count, alignment, CopyLowering.GROUP);
    PtxCopies.cpAsyncCommitGroup();
    StoreGroups.commit(CopyNotes.capability());
  }

  /**
   * Begins to copy elements to shared memory; all threads of the tile call it and share the work. A
   * thread that waits for the current phase of the barrier sees them. Same as {@link
   * #memcpyAsync(SharedArray, int, GlobalArray, long, int, int, Barrier)} with an alignment of 1.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @param barrier the barrier that the copies complete on
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      SharedArray to, int toIndex, GlobalArray from, long fromIndex, int count, Barrier barrier) {
    memcpyAsync(to, toIndex, from, fromIndex, count, 1, barrier);
  }

  /**
   * Begins to copy elements to shared memory; all threads of the tile call it and share the work. A
   * thread that waits for the current phase of the barrier sees them. With an alignment of 16 or
   * more, on compute capability 9.0, one thread begins a bulk copy; otherwise the copies become
   * {@code cp.async} of 16, 8 or 4 bytes per thread, or plain loads and stores if the alignment is
   * below 4.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @param alignment that the caller promises for both ends, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size need not be promised, and any number of
   *     bytes is allowed
   * @param barrier the barrier that the copies complete on
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      SharedArray to,
      int toIndex,
      GlobalArray from,
      long fromIndex,
      int count,
      @Const int alignment,
      Barrier barrier) {
    CopyNotes.beginsInTile(lanes, to, toIndex, from, fromIndex, count);
    barrier.copy(threadRank(), size(), to, toIndex, from, fromIndex, count, alignment);
    if (barrier.isArrivedAtForOthers()) {
      sync();
    }
  }

  /**
   * Begins to copy elements to shared memory; all threads of the tile call it and share the work. A
   * thread that waits for the stage being produced sees them. Same as {@link
   * #memcpyAsync(SharedArray, int, GlobalArray, long, int, int, Pipeline)} with an alignment of 1.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @param pipeline the pipeline that the copies complete on
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      SharedArray to, int toIndex, GlobalArray from, long fromIndex, int count, Pipeline pipeline) {
    memcpyAsync(to, toIndex, from, fromIndex, count, 1, pipeline);
  }

  /**
   * Begins to copy elements to shared memory; all threads of the tile call it and share the work. A
   * thread that waits for the stage being produced sees them. With an alignment of 16 or more, on
   * compute capability 9.0, one thread begins a bulk copy; otherwise the copies become {@code
   * cp.async} of 16, 8 or 4 bytes per thread, or plain loads and stores if the alignment is below
   * 4.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @param alignment that the caller promises for both ends, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size need not be promised, and any number of
   *     bytes is allowed
   * @param pipeline the pipeline that the copies complete on
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      SharedArray to,
      int toIndex,
      GlobalArray from,
      long fromIndex,
      int count,
      @Const int alignment,
      Pipeline pipeline) {
    CopyNotes.beginsInTile(lanes, to, toIndex, from, fromIndex, count);
    pipeline.copy(threadRank(), size(), lanes, to, toIndex, from, fromIndex, count, alignment);
  }

  /**
   * Begins to copy elements to global memory; all threads of the tile call it and share the work.
   * Same as {@link #memcpyAsync(GlobalArray, long, SharedArray, int, int, int)} with an alignment
   * of 1.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      GlobalArray to, long toIndex, SharedArray from, int fromIndex, int count) {
    memcpyAsync(to, toIndex, from, fromIndex, count, 1);
  }

  /**
   * Begins to copy elements to global memory; all threads of the tile call it and share the work.
   * The copies are a group of their own, which {@link #waitAll()} and {@link #waitPrior(int)} wait
   * for; until then the content of the destination is undefined, and the source must not change. A
   * kernel that ends without a wait completes them.
   *
   * <p>With an alignment of 16 or more, on compute capability 9.0, the threads meet as at {@link
   * #sync()} and one of them begins a bulk copy; otherwise they load and store their parts. What
   * other threads write to the source must come before a barrier before this call.
   *
   * <p>Its group is counted by the instructions of {@link PtxCopies} and {@link PtxBulkCopies} too.
   * PTX ISA, "Data Movement and Conversion Instructions: cp.async.bulk".
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @param alignment that the caller promises for both ends, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size need not be promised, and any number of
   *     bytes is allowed
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      GlobalArray to,
      long toIndex,
      SharedArray from,
      int fromIndex,
      int count,
      @Const int alignment) {
    CopyNotes.beginsInTile(lanes, from, fromIndex, to, toIndex, count);
    boolean bulk = CopyLowering.isBulkStore(CopyNotes.capability(), from.elementBytes(), alignment);
    if (bulk) {
      CopyLowering.readsPart(threadRank(), size(), from, fromIndex, count);
      PtxBulkCopies.fenceProxyAsyncShared();
      sync();
    }
    CopyLowering.toGlobal(
        CopyNotes.capability(),
        bulk,
        threadRank(),
        size(),
        to,
        toIndex,
        from,
        fromIndex,
        count,
        alignment,
        CopyLowering.GROUP);
  }

  /**
   * Begins to copy elements to global memory; all threads of the tile call it and share the work. A
   * thread that waits for the stage being produced sees them; until then the content of the
   * destination is undefined, and the source must not change. The thread that begins a bulk copy
   * arrives at the stage's barrier when it waits for that stage itself; if it is a producer only,
   * its {@link Pipeline#producerCommit()} waits until the copy is complete.
   *
   * <p>With an alignment of 16 or more, on compute capability 9.0, the threads meet as at {@link
   * #sync()} and one of them begins a bulk copy; otherwise they load and store their parts. What
   * other threads write to the source must come before a barrier before this call.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @param alignment that the caller promises for both ends, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size need not be promised, and any number of
   *     bytes is allowed
   * @param pipeline the pipeline that the copies complete on
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      GlobalArray to,
      long toIndex,
      SharedArray from,
      int fromIndex,
      int count,
      @Const int alignment,
      Pipeline pipeline) {
    CopyNotes.beginsInTile(lanes, from, fromIndex, to, toIndex, count);
    boolean bulk = CopyLowering.isBulkStore(CopyNotes.capability(), from.elementBytes(), alignment);
    if (bulk) {
      CopyLowering.readsPart(threadRank(), size(), from, fromIndex, count);
      PtxBulkCopies.fenceProxyAsyncShared();
      sync();
    }
    pipeline.copyToGlobal(
        bulk, threadRank(), size(), to, toIndex, from, fromIndex, count, alignment);
  }

  /** Waits for all groups of {@code memcpyAsync} copies, and then for the other threads. */
  public void waitAll() {
    PtxCopies.cpAsyncWaitAll();
    StoreGroups.await(CopyNotes.capability(), 0);
    sync();
  }

  /**
   * Waits for all groups of {@code memcpyAsync} copies but the newest ones, and then for the other
   * threads.
   *
   * @param groups how many may be left, 0 or more
   */
  public void waitPrior(@Const int groups) {
    PtxCopies.cpAsyncWaitGroup(groups);
    StoreGroups.await(CopyNotes.capability(), groups);
    sync();
  }
}
