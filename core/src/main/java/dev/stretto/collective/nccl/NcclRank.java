package dev.stretto.collective.nccl;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * One rank of a communicator of the library: an {@code ncclComm_t}. It is configured non-blocking,
 * so no call waits for another rank: {@link #isBusy} says whether one is still going on. Not for
 * several threads at once, but for {@link #abort}.
 */
public final class NcclRank {
  private static final int SUCCESS = 0;
  private static final int IN_PROGRESS = 7;

  private static final int CONFIG_BYTES = 24;
  private static final int MAGIC = 0xcafebeef;

  /** Of the {@code ncclConfig_t} of that many bytes: up to {@code blocking}. */
  private static final int CONFIG_VERSION = 21_400;

  private static final long PAUSE_NANOS = 20_000;

  private final long comm;
  private final String title;

  /** Held while the library gives back what the rank has. */
  private final Object ending = new Object();

  /** Guarded by the rank. */
  private boolean isGone;

  private final MemorySegment result = Arena.ofAuto().allocate(JAVA_INT);

  private NcclRank(long comm, String title) {
    this.comm = comm;
    this.title = title;
  }

  /**
   * {@return what all ranks need to find each other} This process answers them.
   *
   * @throws NcclException if the library cannot draw one
   */
  public static byte[] drawId() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment id = arena.allocate(NcclCalls.ID_BYTES, Long.BYTES);
      require(NcclCalls.getUniqueId(id), "ncclGetUniqueId", 0);
      return id.toArray(JAVA_BYTE);
    }
  }

  /**
   * Begins to join. The calling thread's current device becomes the rank's.
   *
   * @param id of {@link #drawId}
   * @return the rank, which is {@linkplain #isBusy busy} until all have come
   * @throws NcclException if the library refuses it
   */
  public static NcclRank join(byte[] id, int rank, int ranks) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment config = arena.allocate(CONFIG_BYTES, Long.BYTES);
      config.set(JAVA_LONG, 0, CONFIG_BYTES);
      config.set(JAVA_INT, 8, MAGIC);
      config.set(JAVA_INT, 12, CONFIG_VERSION);
      config.set(JAVA_INT, 16, 0); // not blocking
      config.set(JAVA_INT, 20, Integer.MIN_VALUE); // what later versions have there is not set
      MemorySegment key = arena.allocate(NcclCalls.ID_BYTES, Long.BYTES);
      MemorySegment.copy(id, 0, key, JAVA_BYTE, 0, NcclCalls.ID_BYTES);
      MemorySegment comm = arena.allocate(JAVA_LONG);
      require(NcclCalls.init(comm, ranks, key, rank, config), "ncclCommInitRankConfig", 0);
      return new NcclRank(comm.get(JAVA_LONG, 0), "rank " + rank + " of " + ranks);
    }
  }

  private static void require(int code, String call, long comm) {
    if (code != SUCCESS && code != IN_PROGRESS) {
      throw new NcclException(call + ": " + NcclCalls.describe(code, comm));
    }
  }

  /**
   * {@return whether what was called last is not over yet}
   *
   * @throws NcclException if it has failed
   */
  public synchronized boolean isBusy() {
    requireThere();
    require(NcclCalls.asyncError(comm, result), "ncclCommGetAsyncError", comm);
    int state = result.get(JAVA_INT, 0);
    require(state, title, comm);
    return state == IN_PROGRESS;
  }

  /**
   * Waits until what was called last is over.
   *
   * @param mayWait asked again and again; throws what ends the wait
   * @throws NcclException if it has failed
   */
  public void awaitIdle(Runnable mayWait) {
    while (isBusy()) {
      mayWait.run();
      LockSupport.parkNanos(this, PAUSE_NANOS);
    }
  }

  private void requireThere() {
    if (isGone) {
      throw new NcclException(title + " was aborted");
    }
  }

  /** One call of the library. */
  @FunctionalInterface
  public interface Call {
    /** {@return its result} */
    int make(long stream);
  }

  /**
   * Makes calls as one operation.
   *
   * @return whether everything is on the stream; if not, it is once the rank is not busy
   * @throws NcclException if the library refuses one
   */
  public synchronized boolean make(List<Call> calls, long stream) {
    requireThere();
    if (calls.size() == 1) {
      int result = calls.getFirst().make(stream);
      require(result, title, comm);
      return result == SUCCESS;
    }
    require(NcclCalls.groupStart(), "ncclGroupStart", comm);
    int refused = SUCCESS;
    for (Call call : calls) {
      int result = call.make(stream);
      refused = refused == SUCCESS || refused == IN_PROGRESS ? result : refused;
    }
    int end = NcclCalls.groupEnd();
    require(refused, title, comm);
    require(end, "ncclGroupEnd", comm);
    return end == SUCCESS;
  }

  /** {@code ncclAllReduce} */
  public int allReduce(long from, long to, long count, int type, int reduction, long stream) {
    return NcclCalls.allReduce(from, to, count, type, reduction, comm, stream);
  }

  /** {@code ncclReduceScatter} */
  public int reduceScatter(long from, long to, long count, int type, int reduction, long stream) {
    return NcclCalls.reduceScatter(from, to, count, type, reduction, comm, stream);
  }

  /** {@code ncclBroadcast} */
  public int broadcast(long from, long to, long count, int type, int root, long stream) {
    return NcclCalls.broadcast(from, to, count, type, root, comm, stream);
  }

  /** {@code ncclAllGather} */
  public int allGather(long from, long to, long count, int type, long stream) {
    return NcclCalls.allGather(from, to, count, type, comm, stream);
  }

  /** {@code ncclSend} */
  public int send(long from, long count, int type, int peer, long stream) {
    return NcclCalls.send(from, count, type, peer, comm, stream);
  }

  /** {@code ncclRecv} */
  public int receive(long to, long count, int type, int peer, long stream) {
    return NcclCalls.receive(to, count, type, peer, comm, stream);
  }

  /**
   * Ends all that is under way, on this rank. Returns when that is over, which may take until no
   * graph has its operations any more. Any thread may call; the first one does it.
   */
  public void abort() {
    synchronized (ending) {
      synchronized (this) {
        if (isGone) {
          return;
        }
        isGone = true;
      }
      int _ = NcclCalls.abort(comm);
    }
  }

  /** Gives everything back, when nothing is under way. Waits for the other ranks a while. */
  public void close(long deadline) {
    try {
      synchronized (this) {
        requireThere();
        require(NcclCalls.finish(comm), "ncclCommFinalize", comm);
      }
      awaitIdle(
          () -> {
            if (System.nanoTime() - deadline > 0) {
              throw new NcclException(title + " waits for the others for too long");
            }
          });
      synchronized (this) {
        requireThere();
        isGone = true;
      }
      int _ = NcclCalls.destroy(comm);
    } catch (NcclException _) { // the others have failed, or gone
      abort();
    }
  }
}
