package dev.stretto.kernel;

import dev.stretto.memory.GlobalArray;

/**
 * Chooses the instructions of {@code memcpyAsync} from constants: the target, the promised
 * alignment, and how the copy completes. The choice is Java code that is compiled with the kernel,
 * so that a virtual device does the same as a GPU.
 *
 * <p>The decision is that of libcu++'s {@code cuda::memcpy_async}, with two differences: copies
 * that complete on a {@link Pipeline} may be bulk copies too, and if the number of bytes is not a
 * multiple of the alignment, the remainder is copied by plain loads and stores rather than dropped.
 */
final class CopyLowering {
  /** The copy completes by each thread's {@code cp.async.wait_group}. */
  static final int GROUP = 0;

  /** The copy completes on a barrier object of the block. */
  static final int BARRIER = 1;

  /**
   * The copy completes on the barrier object of a pipeline's stage, on which threads arrive when
   * they commit.
   */
  static final int PIPELINE = 2;

  /**
   * The same, where the thread that begins the copy also arrives for all, and announces the bytes
   * then.
   */
  static final int ANNOUNCED_LATER = 3;

  private static final int MOST_CHUNK = 16;

  private CopyLowering() {}

  /** The alignment, in bytes, that both ends are known to have. */
  static int alignment(int elementBytes, int promised) {
    CopyNotes.require(
        promised >= 1 && promised <= 128 && (promised & (promised - 1)) == 0,
        "an alignment that is not a power of two from 1 to 128",
        "promise 1, 2, 4, 8, 16, 32, 64 or 128 bytes");
    return Math.max(elementBytes, promised);
  }

  static void requireAlike(int a, int b) {
    CopyNotes.require(
        a == b,
        "memcpyAsync between arrays whose elements have different sizes",
        "copy between arrays of the same type, or view one as the other's: asInts() and the like");
  }

  /** Whether one thread begins the whole copy, and the barrier counts the bytes. */
  static boolean isBulk(int capability, int alignment, int completion) {
    return alignment >= MOST_CHUNK && completion != GROUP && capability >= 90;
  }

  /** Begins one thread's part of a copy that several threads make together. */
  static void toShared(
      int capability,
      int rank,
      int threads,
      SharedArray to,
      int toIndex,
      GlobalArray from,
      long fromIndex,
      int count,
      int promised,
      int completion,
      boolean bulkOnly,
      SharedLongs barriers,
      int index) {
    requireAlike(to.elementBytes(), from.elementBytes());
    int step = to.elementBytes();
    int alignment = alignment(step, promised);
    CopyNotes.require(
        !bulkOnly || isBulk(capability, alignment, completion),
        "memcpyAsync that would not become a bulk copy, although requireBulk() asks for one",
        "promise an alignment of 16 bytes or more, and compile for compute capability 9.0");
    if (isBulk(capability, alignment, completion)) {
      CopyPromises.require(to, toIndex, from, fromIndex, count, alignment);
      int bytes = count * step;
      int whole = bytes & -MOST_CHUNK;
      CopyNotes.note(
          CopyNotes.TO_SHARED,
          "cp.async.bulk",
          completion >= PIPELINE
              ? "the stage's barrier counts the bytes; a thread that waits for the stage "
                  + "sees them"
              : "the barrier counts the bytes; a thread that waits for its phase sees them",
          "aligned to 16 bytes, and a barrier of the block counts bytes on this target",
          completion >= PIPELINE
              ? "each thread stores its part itself, before it commits"
              : "threads store them themselves, before one of them can arrive",
          bytes,
          MOST_CHUNK,
          alignment);
      boolean announces = completion != ANNOUNCED_LATER;
      bulk(rank, announces, to, toIndex * step, from, fromIndex * step, whole, barriers, index);
      rest(rank, threads, to, toIndex * step, from, fromIndex * step, whole, bytes);
      if (whole != bytes) {
        CopyNotes.arrivesWhenCopied(barriers, index);
      }
    } else {
      chunksToShared(rank, threads, to, toIndex, from, fromIndex, count, promised, completion);
      if (alignment < 4) {
        CopyNotes.arrivesWhenCopied(barriers, index);
      } else if (completion == BARRIER) {
        arriveWhenCopied(barriers, index);
      }
    }
  }

  /** Makes the barrier's phase wait for the {@code cp.async} copies that the thread has begun. */
  static void arriveWhenCopied(SharedLongs barriers, int index) {
    PtxBarriers.cpAsyncMbarrierArrive(barriers, index);
    CopyNotes.isPortable(barriers, index);
  }

  /** Begins one thread's part of such a copy if no barrier counts bytes. */
  static void chunksToShared(
      int rank,
      int threads,
      SharedArray to,
      int toIndex,
      GlobalArray from,
      long fromIndex,
      int count,
      int promised,
      int completion) {
    requireAlike(to.elementBytes(), from.elementBytes());
    int step = to.elementBytes();
    int alignment = alignment(step, promised);
    CopyPromises.require(to, toIndex, from, fromIndex, count, alignment);
    int bytes = count * step;
    if (alignment >= 4) {
      chunked(
          rank, threads, to, toIndex * step, from, fromIndex * step, bytes, alignment, completion);
    } else {
      CopyNotes.note(
          CopyNotes.TO_SHARED,
          "synchronous",
          completion >= PIPELINE
              ? "each thread stores its part before it commits; a thread that waits for "
                  + "the stage sees them"
              : completion == BARRIER
                  ? "threads have stored them before one of them can arrive; a thread "
                      + "that waits for the phase sees them"
                  : "each thread has stored its part when the call returns; others need a barrier",
          "aligned to less than 4 bytes, which no asynchronous copy takes",
          "",
          bytes,
          1,
          alignment);
      rest(rank, threads, to, toIndex * step, from, fromIndex * step, 0, bytes);
    }
  }

  /** Lets one thread begin the whole copy. */
  private static void bulk(
      int rank,
      boolean announces,
      SharedArray to,
      int toByte,
      GlobalArray from,
      long fromByte,
      int bytes,
      SharedLongs barriers,
      int index) {
    if (rank == 0 && bytes > 0) {
      if (announces) {
        PtxBarriers.mbarrierExpectTx(barriers, index, bytes);
      }
      PtxBulkCopies.cpAsyncBulkToShared(to, toByte, from, fromByte, bytes, barriers, index);
    }
  }

  private static void chunked(
      int rank,
      int threads,
      SharedArray to,
      int toByte,
      GlobalArray from,
      long fromByte,
      int bytes,
      int alignment,
      int completion) {
    String done =
        completion >= PIPELINE
            ? "threads commit the stage; a thread that waits for it sees them"
            : completion == BARRIER
                ? "arrives at the barrier when done; a thread that waits for its phase sees them"
                : "each thread waits for its own, and a barrier follows: waitAll or waitPrior";
    String left =
        completion >= PIPELINE
            ? "each thread stores its part itself, before it commits"
            : completion == BARRIER
                ? "threads store them themselves, before one of them can arrive"
                : "each thread stores its part itself, before the call returns";
    int step = to.elementBytes();
    if (alignment >= 16) {
      CopyNotes.note(
          CopyNotes.TO_SHARED,
          "cp.async.cg.16",
          done,
          completion != GROUP
              ? "aligned to 16 bytes; the target has no bulk copies"
              : "aligned to 16 bytes; a bulk copy would need a barrier",
          left,
          bytes,
          step < 16 ? 16 : 1,
          alignment);
      for (int at = rank * 16; at <= bytes - 16; at += threads * 16) {
        PtxCopies.cpAsyncCg16(to, toByte + at, from, fromByte + at);
      }
      rest(rank, threads, to, toByte, from, fromByte, bytes & -16, bytes);
    } else if (alignment >= 8) {
      CopyNotes.note(
          CopyNotes.TO_SHARED,
          "cp.async.ca.8",
          done,
          "aligned to 8 bytes",
          left,
          bytes,
          step < 8 ? 8 : 1,
          alignment);
      for (int at = rank * 8; at <= bytes - 8; at += threads * 8) {
        PtxCopies.cpAsyncCa8(to, toByte + at, from, fromByte + at);
      }
      rest(rank, threads, to, toByte, from, fromByte, bytes & -8, bytes);
    } else {
      CopyNotes.note(
          CopyNotes.TO_SHARED,
          "cp.async.ca.4",
          done,
          "aligned to 4 bytes",
          left,
          bytes,
          step < 4 ? 4 : 1,
          alignment);
      for (int at = rank * 4; at <= bytes - 4; at += threads * 4) {
        PtxCopies.cpAsyncCa4(to, toByte + at, from, fromByte + at);
      }
      rest(rank, threads, to, toByte, from, fromByte, bytes & -4, bytes);
    }
  }

  /**
   * Copies the remainder after a number of bytes with plain loads and stores, element by element.
   */
  private static void rest(
      int rank,
      int threads,
      SharedArray to,
      int toByte,
      GlobalArray from,
      long fromByte,
      int begin,
      int end) {
    if (begin == end) {
      return; // a constant condition if the number of bytes is a constant
    }
    int step = to.elementBytes();
    for (int at = begin + rank * step; at < end; at += threads * step) {
      if (step == 1) {
        CopyChunks.plain1(to, toByte + at, from, fromByte + at);
      } else if (step == 2) {
        CopyChunks.plain2(to, toByte + at, from, fromByte + at);
      } else if (step == 4) {
        CopyChunks.plain4(to, toByte + at, from, fromByte + at);
      } else {
        CopyChunks.plain8(to, toByte + at, from, fromByte + at);
      }
    }
  }

  /** Whether one thread begins a whole copy to global memory, before which the others fence. */
  static boolean isBulkStore(int capability, int elementBytes, int promised) {
    return capability >= 90 && alignment(elementBytes, promised) >= MOST_CHUNK;
  }

  /** Notes what a thread reads of shared memory that another one will copy for it. */
  static void readsPart(int rank, int threads, SharedArray from, int fromIndex, int count) {
    int step = from.elementBytes();
    CopyNotes.readsPart(from, fromIndex * step, count * step, rank, threads);
  }

  /**
   * Begins one thread's part of a copy to global memory.
   *
   * @param bulk whether the threads have fenced and met, so that one may copy for all
   * @param completion {@link #GROUP}, if the copy is a group of its own, or {@link #PIPELINE}
   */
  static void toGlobal(
      int capability,
      boolean bulk,
      int rank,
      int threads,
      GlobalArray to,
      long toIndex,
      SharedArray from,
      int fromIndex,
      int count,
      int promised,
      int completion) {
    requireAlike(to.elementBytes(), from.elementBytes());
    int step = to.elementBytes();
    int alignment = alignment(step, promised);
    CopyPromises.require(from, fromIndex, to, toIndex, count, alignment);
    int bytes = count * step;
    long toByte = toIndex * step;
    int fromByte = fromIndex * step;
    int wide = alignment >= MOST_CHUNK ? bytes & -MOST_CHUNK : 0;
    if (bulk) {
      CopyNotes.note(
          CopyNotes.TO_GLOBAL,
          "cp.async.bulk",
          completion == PIPELINE
              ? "one thread arrives at the stage's barrier when they are done; a thread that waits"
                  + " for the stage sees them"
              : "one thread waits for its groups, and a barrier follows: waitAll or waitPrior;"
                  + " without a wait, the kernel's end waits",
          "aligned to 16 bytes, and the target has bulk copies",
          "each thread stores its part itself, before the call returns",
          bytes,
          MOST_CHUNK,
          alignment);
      if (rank == 0 && wide > 0) {
        StoreGroups.store(to, toByte, from, fromByte, wide);
      }
    } else {
      CopyNotes.note(
          CopyNotes.TO_GLOBAL,
          "synchronous",
          completion == PIPELINE
              ? "each thread stores its part before it commits; a thread that waits for the stage"
                  + " sees them"
              : "each thread has stored its part when the call returns; others need a barrier:"
                  + " waitAll or waitPrior",
          capability >= 90
              ? "aligned to less than 16 bytes, which no bulk copy takes"
              : "the target has no bulk copies",
          "",
          bytes,
          1,
          alignment);
      for (int at = rank * 16; at < wide; at += threads * 16) {
        CopyChunks.plain16(to, toByte + at, from, fromByte + at);
      }
    }
    restToGlobal(rank, threads, to, toByte, from, fromByte, wide, bytes);
    if (completion == GROUP) {
      StoreGroups.commit(capability);
      StoreGroups.commitLoads();
    }
  }

  private static void restToGlobal(
      int rank,
      int threads,
      GlobalArray to,
      long toByte,
      SharedArray from,
      int fromByte,
      int begin,
      int end) {
    if (begin == end) {
      return; // a constant condition if the number of bytes is a constant
    }
    int step = to.elementBytes();
    for (int at = begin + rank * step; at < end; at += threads * step) {
      if (step == 1) {
        CopyChunks.plain1(to, toByte + at, from, fromByte + at);
      } else if (step == 2) {
        CopyChunks.plain2(to, toByte + at, from, fromByte + at);
      } else if (step == 4) {
        CopyChunks.plain4(to, toByte + at, from, fromByte + at);
      } else {
        CopyChunks.plain8(to, toByte + at, from, fromByte + at);
      }
    }
  }
}
