package dev.stretto.collective.nccl;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stretto.fault.NcclException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One rank of a communicator of the library. It joins by an {@code ncclComm_t} that is configured
 * non-blocking, so that a rank that does not come ends in an exception. But each call of such a one
 * starts a thread of the library. So the rank then {@linkplain #split splits} a second {@code
 * ncclComm_t} off, which shares everything with the first, and whose calls enqueue before they
 * return. They wait for no other rank either, since {@link #connect} has connected all ranks
 * before. Not for several threads at once, but for {@link #abort} and {@link #trouble}.
 */
public final class NcclRank {
  private static final int SUCCESS = 0;
  private static final int IN_PROGRESS = 7;

  /** So long a call that goes on is asked for without a pause. */
  private static final long EAGER_NANOS = 200_000;

  private static final long PAUSE_NANOS = 20_000;

  /** So long an abort waits for a call that enqueues. */
  private static final long CALL_NANOS = 100_000_000;

  /** A connection takes time and memory of both ranks, so not all of many ranks have one. */
  private static final int MOST_CONNECTED = 16;

  /** {@code NCCL_WIN_COLL_SYMMETRIC} */
  private static final int SYMMETRIC = 1;

  /** {@code ncclInt32} */
  private static final int INT32 = 2;

  /** By which the rank has joined. */
  private final long comm;

  /** By which it makes its calls: the same, unless it has split another off. */
  private long calls;

  /** By which it makes those in windows, once there is one; copy engines do them. */
  private long windows;

  private final int rank;
  private final int ranks;
  private final String title;

  /** Held by who makes a call. */
  private final ReentrantLock turn = new ReentrantLock();

  private final AtomicBoolean isGone = new AtomicBoolean();

  /** Held while the library gives back what the rank has. */
  private final Object ending = new Object();

  /**
   * Held while {@link #trouble} asks, which must not ask what is gone, and by who is about to give
   * something back, for a moment: unlike the turn, which a call may keep for long.
   */
  private final Object asking = new Object();

  /** Guarded by {@link #asking}. */
  private final MemorySegment told = Arena.ofAuto().allocate(JAVA_INT);

  /** Receives the communicator that is split off. */
  private final MemorySegment made = Arena.ofAuto().allocate(JAVA_LONG);

  private final MemorySegment result = Arena.ofAuto().allocate(JAVA_INT);

  private NcclRank(long comm, int rank, int ranks) {
    this.comm = comm;
    this.calls = comm;
    this.rank = rank;
    this.ranks = ranks;
    this.title = "rank " + rank + " of " + ranks;
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
      NcclEnvironment.prepare();
      MemorySegment config = NcclConfig.nonBlocking(arena);
      MemorySegment key = arena.allocate(NcclCalls.ID_BYTES, Long.BYTES);
      MemorySegment.copy(id, 0, key, JAVA_BYTE, 0, NcclCalls.ID_BYTES);
      MemorySegment comm = arena.allocate(JAVA_LONG);
      require(NcclCalls.init(comm, ranks, key, rank, config), "ncclCommInitRankConfig", 0);
      return new NcclRank(comm.get(JAVA_LONG, 0), rank, ranks);
    }
  }

  /** {@return the rank's number} */
  public int number() {
    return rank;
  }

  /** {@return how many ranks there are} */
  public int ranks() {
    return ranks;
  }

  /** {@return whether it is worth while, and possible, to {@linkplain #split split}} */
  public boolean canSplit() {
    return ranks > 1 && ranks <= MOST_CONNECTED && NcclCalls.canSplit();
  }

  /**
   * Begins to split off the communicator by which calls are made. All ranks have come. The rank is
   * {@linkplain #isBusy busy} until all have called this.
   *
   * @throws NcclException if the library refuses it
   */
  public void split() {
    try (Arena arena = Arena.ofConfined()) {
      require(
          NcclCalls.split(comm, 0, rank, made, NcclConfig.blocking(arena)), "ncclCommSplit", comm);
    }
  }

  /** Makes all calls by the communicator that was split off. The rank is no longer busy. */
  public void callBySplit() {
    calls = made.get(JAVA_LONG, 0);
  }

  /**
   * Sends each other rank an integer, and so connects with it. Waits until all ranks have called
   * this, or the rank is aborted.
   *
   * @param address of twice as many integers as there are ranks, in the device's memory
   * @throws NcclException if the library refuses it
   */
  public void connect(long address, long stream) {
    List<Call> all = new ArrayList<>();
    for (int i = 0; i < ranks; i++) {
      int peer = i;
      if (peer != rank) {
        long from = address + (long) peer * Integer.BYTES;
        long to = from + (long) ranks * Integer.BYTES;
        all.add(on -> send(from, 1, INT32, peer, on));
        all.add(on -> receive(to, 1, INT32, peer, on));
      }
    }
    boolean _ = make(all, stream);
  }

  /** {@return whether {@link #splitForWindows} is possible} */
  public boolean canRegister() {
    return calls != comm && NcclCalls.hasWindows();
  }

  /**
   * Begins to split off the communicator by which calls in windows are made. Others have kernels do
   * what is too little for copy engines, and are as fast as without windows. The rank is
   * {@linkplain #isBusy busy} until all have called this.
   *
   * @throws NcclException if the library refuses it
   */
  public void splitForWindows() {
    try (Arena arena = Arena.ofConfined()) {
      require(
          NcclCalls.split(comm, 0, rank, made, NcclConfig.byCopyEngines(arena)),
          "ncclCommSplit",
          comm);
    }
  }

  /** Makes the calls in windows by the communicator that was split off for them. */
  public void useForWindows() {
    synchronized (asking) {
      windows = made.get(JAVA_LONG, 0);
    }
  }

  /**
   * {@return the address of new memory of the current device that can be registered}
   *
   * @throws NcclException if there is not as much
   */
  public static long allocate(long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(JAVA_LONG);
      require(NcclCalls.allocate(address, bytes), "ncclMemAlloc of " + bytes + " bytes", 0);
      return address.get(JAVA_LONG, 0);
    }
  }

  /**
   * Registers memory as this rank's part of a window. Waits until all ranks have called this, or
   * the rank is aborted.
   *
   * @return the window, or 0 if the ranks do not reach each other's memory
   * @throws NcclException if the library refuses it
   */
  public long register(long address, long bytes) {
    turn.lock();
    try (Arena arena = Arena.ofConfined()) {
      requireThere();
      MemorySegment window = arena.allocate(JAVA_LONG);
      require(
          NcclCalls.register(windows, address, bytes, window, SYMMETRIC),
          "ncclCommWindowRegister",
          windows);
      return window.get(JAVA_LONG, 0);
    } finally {
      turn.unlock();
    }
  }

  /**
   * Gives memory back that no operation uses any more.
   *
   * @param window of {@link #register}, or 0
   */
  public void free(long address, long window) {
    turn.lock();
    try {
      if (window != 0 && !isGone.get()) {
        require(NcclCalls.deregister(windows, window), "ncclCommWindowDeregister", windows);
      }
    } finally {
      turn.unlock();
    }
    require(NcclCalls.free(address), "ncclMemFree", 0);
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
  public boolean isBusy() {
    turn.lock();
    try {
      requireThere();
      require(NcclCalls.asyncError(comm, result), "ncclCommGetAsyncError", comm);
      int state = result.get(JAVA_INT, 0);
      require(state, title, comm);
      return state == IN_PROGRESS;
    } finally {
      turn.unlock();
    }
  }

  /**
   * {@return what the library has found out by itself, or null} Any thread may ask, at any time; it
   * does not wait, not even for a call that is under way.
   */
  public @Nullable NcclException trouble() {
    synchronized (asking) {
      if (isGone.get()) {
        return null;
      }
      NcclException found = calls == comm ? null : troubleOf(calls);
      found = found == null && windows != 0 ? troubleOf(windows) : found;
      return found == null ? troubleOfJoined() : found;
    }
  }

  /**
   * One that is not blocking completes its calls when it is asked, so it is asked in turn: a later
   * time does, too.
   */
  private @Nullable NcclException troubleOfJoined() {
    if (!turn.tryLock()) {
      return null;
    }
    try {
      return troubleOf(comm);
    } finally {
      turn.unlock();
    }
  }

  private @Nullable NcclException troubleOf(long one) {
    try {
      require(NcclCalls.asyncError(one, told), "ncclCommGetAsyncError", one);
      require(told.get(JAVA_INT, 0), title, one);
      return null;
    } catch (NcclException e) {
      return e;
    }
  }

  /**
   * Waits until what was called last is over.
   *
   * @param mayWait asked again and again; throws what ends the wait
   * @throws NcclException if it has failed
   */
  public void awaitIdle(Runnable mayWait) {
    long begin = System.nanoTime();
    while (isBusy()) {
      mayWait.run();
      if (System.nanoTime() - begin < EAGER_NANOS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(this, PAUSE_NANOS);
      }
    }
  }

  private void requireThere() {
    if (isGone.get()) {
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
  public boolean make(List<Call> all, long stream) {
    turn.lock();
    try {
      requireThere();
      return all.size() == 1 ? makeOne(all.getFirst(), stream) : makeGroup(all, stream);
    } finally {
      turn.unlock();
    }
  }

  private boolean makeOne(Call call, long stream) {
    int result = call.make(stream);
    require(result, title, calls);
    return result == SUCCESS;
  }

  private boolean makeGroup(List<Call> all, long stream) {
    require(NcclCalls.groupStart(), "ncclGroupStart", calls);
    int refused = SUCCESS;
    for (Call call : all) {
      int result = call.make(stream);
      refused = refused == SUCCESS || refused == IN_PROGRESS ? result : refused;
    }
    int end = NcclCalls.groupEnd();
    require(refused, title, calls);
    require(end, "ncclGroupEnd", calls);
    return end == SUCCESS;
  }

  /** {@code ncclAllReduce} */
  public int allReduce(long from, long to, long count, int type, int reduction, long stream) {
    return NcclCalls.allReduce(from, to, count, type, reduction, calls, stream);
  }

  /** {@code ncclReduceScatter} */
  public int reduceScatter(long from, long to, long count, int type, int reduction, long stream) {
    return NcclCalls.reduceScatter(from, to, count, type, reduction, calls, stream);
  }

  /** {@code ncclBroadcast} */
  public int broadcast(long from, long to, long count, int type, int root, long stream) {
    return NcclCalls.broadcast(from, to, count, type, root, calls, stream);
  }

  /** {@code ncclAllGather} */
  public int allGather(long from, long to, long count, int type, long stream) {
    return NcclCalls.allGather(from, to, count, type, calls, stream);
  }

  /** {@code ncclAllGather} in windows */
  public int allGatherInWindows(long from, long to, long count, int type, long stream) {
    return NcclCalls.allGather(from, to, count, type, windows, stream);
  }

  /** {@code ncclAlltoAll} in windows */
  public int allToAllInWindows(long from, long to, long count, int type, long stream) {
    return NcclCalls.allToAll(from, to, count, type, windows, stream);
  }

  /** {@code ncclSend} */
  public int send(long from, long count, int type, int peer, long stream) {
    return NcclCalls.send(from, count, type, peer, calls, stream);
  }

  /** {@code ncclRecv} */
  public int receive(long to, long count, int type, int peer, long stream) {
    return NcclCalls.receive(to, count, type, peer, calls, stream);
  }

  /**
   * Ends all that is under way, on this rank, including a call that waits. Returns when that is
   * over, which may take until no graph has its operations any more. Any thread may call; the first
   * one does it.
   */
  public void abort() {
    synchronized (ending) {
      if (!leave()) {
        return;
      }
      boolean alone = awaitTurn();
      try {
        if (windows != 0) {
          int _ = NcclCalls.abort(windows);
        }
        if (calls != comm) {
          int _ = NcclCalls.abort(calls);
        }
        int _ = NcclCalls.abort(comm);
      } finally {
        if (alone) {
          turn.unlock();
        }
      }
    }
  }

  /** {@return whether the caller is the one to give everything back} */
  private boolean leave() {
    synchronized (asking) {
      return isGone.compareAndSet(false, true);
    }
  }

  /** Lets a call that does not wait for others return first. */
  private boolean awaitTurn() {
    try {
      return turn.tryLock(CALL_NANOS, TimeUnit.NANOSECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Gives everything back, when nothing is under way. Waits for the other ranks a while.
   *
   * @param giver makes the calls that give back
   */
  public void close(long deadline, Consumer<Runnable> giver) {
    try {
      requireNoTrouble();
      giver.accept(this::destroySplit);
      finish();
      awaitIdle(
          () -> {
            if (System.nanoTime() - deadline > 0) {
              throw new NcclException(title + " waits for the others for too long");
            }
          });
      giver.accept(this::destroyJoined);
    } catch (NcclException _) { // the others have failed, or gone
      abort();
    }
  }

  private void destroyJoined() {
    if (leave()) {
      int _ = NcclCalls.destroy(comm);
    }
  }

  /** The library wants to be aborted then: what it destroys may wait for others. */
  private void requireNoTrouble() {
    NcclException trouble = trouble();
    if (trouble != null) {
      throw trouble;
    }
  }

  private void destroySplit() {
    synchronized (ending) {
      if (windows != 0 && !isGone.get()) {
        int _ = NcclCalls.destroy(takeWindows());
      }
      if (calls != comm && !isGone.get()) {
        int _ = NcclCalls.destroy(takeSplit());
      }
    }
  }

  private long takeSplit() {
    synchronized (asking) {
      long split = calls;
      calls = comm;
      return split;
    }
  }

  private long takeWindows() {
    synchronized (asking) {
      long split = windows;
      windows = 0;
      return split;
    }
  }

  private void finish() {
    turn.lock();
    try {
      requireThere();
      require(NcclCalls.finish(comm), "ncclCommFinalize", comm);
    } finally {
      turn.unlock();
    }
  }
}
