package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the threads of a cluster know of each other, as vector clocks. A clock has one number for
 * each thread and one for each barrier object. Through a barrier object's number, copies become
 * known to the threads that wait there.
 *
 * <p>Finding out where a thread is costs more than everything else. Lines are therefore kept only
 * when a cluster runs a second time because a line was missing from a report.
 */
public final class HappensBefore implements PackedAccesses.Clocks {
  /** What a thread knew when it fenced, by its own number. */
  @SuppressWarnings("ArrayRecordComponent") // fences are not compared
  private record Fence(int number, int[] known) {}

  private final int threads;
  private final boolean keepsLines;

  /** What each thread has fenced; null if nothing. */
  private final @Nullable List<Fence>[] fences;

  /** What each thread knows of the others and of barrier objects. Arrays do not change. */
  private final int[][] clocks;

  /** Each thread's own number. */
  private final int[] own;

  private final @Nullable OtherClusters[] others;

  /** What threads have met in last, with the clock with which they came there. */
  private final @Nullable Known[] metIn;

  private final int[][] metWith;

  /** What threads let others know by atomic operations after a fence: of the block, and wider. */
  private final @Nullable Known[] fenced;

  private final @Nullable Known[] fencedWide;

  /** What threads know from atomic operations as soon as they fence. */
  private final @Nullable Known[] seen;

  private final @Nullable OtherClusters[] seenWide;

  private @Nullable OtherClusters lastBefore;
  private @Nullable OtherClusters lastKnown;
  private @Nullable OtherClusters lastJoined;

  private final @Nullable LearningHistory history;
  private final IdentityHashMap<SharedStorage, Map<Integer, AtomicPlace>> places =
      new IdentityHashMap<>();
  private final Suspects suspects = new Suspects();
  private int slots;
  private long cluster;
  private boolean active;
  private boolean knowsAll;
  private boolean mayBeActive = true;
  private boolean copying;
  private int knownToAll;
  private Consumer<Coroutine> told = _ -> {};

  @SuppressWarnings({"unchecked", "rawtypes"}) // no array has a generic type
  HappensBefore(int threads, boolean keepsLines) {
    this.threads = threads;
    this.keepsLines = keepsLines;
    this.clocks = new int[threads][];
    this.own = new int[threads];
    this.others = new OtherClusters[threads];
    this.metIn = new Known[threads];
    this.metWith = new int[threads][];
    this.fenced = new Known[threads];
    this.fencedWide = new Known[threads];
    this.seen = new Known[threads];
    this.seenWide = new OtherClusters[threads];
    this.fences = new List[threads];
    this.slots = threads;
    this.history = keepsLines ? new LearningHistory(threads) : null;
  }

  /** Called when a cluster begins. */
  void begin(long number) {
    active = false;
    knowsAll = false;
    copying = false;
    suspects.clear();
    cluster = number;
  }

  @Override
  public long cluster() {
    return cluster;
  }

  /** Says whether the threads of the next clusters are watched at all. */
  void watches(boolean allowed) {
    mayBeActive = allowed;
  }

  boolean mayBeActive() {
    return mayBeActive;
  }

  /** Starts the clocks: at the first copy or barrier object of a cluster, or at its beginning. */
  void activate() {
    active = true;
    slots = threads;
    knownToAll = 0;
    places.clear();
    Arrays.fill(fences, null);
    Arrays.fill(clocks, new int[threads]);
    Arrays.fill(own, 1);
    Arrays.fill(others, null);
    Arrays.fill(metIn, null);
    Arrays.fill(fenced, null);
    Arrays.fill(fencedWide, null);
    Arrays.fill(seen, null);
    Arrays.fill(seenWide, null);
  }

  boolean isActive() {
    return active;
  }

  /** Says that the clocks have run since the cluster began. */
  void startsWithTheCluster() {
    knowsAll = active;
  }

  /** Whether nothing has happened before the clocks were started. */
  boolean knowsAll() {
    return knowsAll;
  }

  /** Says who is told before a thread makes known what it did, or learns what others did. */
  void tells(Consumer<Coroutine> listener) {
    this.told = listener;
  }

  /** Called before a thread makes known what it did, learns what others did, or returns. */
  void comes(Coroutine thread) {
    if (active && thread.isCarried()) {
      told.accept(thread);
    }
  }

  /** What each thread learned, and when; null if no lines are kept. */
  @Nullable LearningHistory history() {
    return history;
  }

  /** Reserves a slot in the clocks for a barrier object. */
  int newSlot() {
    return slots++;
  }

  /** A copy of a thread's current clock. */
  int[] knownBy(Coroutine thread) {
    int[] known = clocks[thread.rank()].clone();
    known[thread.rank()] = own[thread.rank()];
    return known;
  }

  /** Makes known what a thread did. */
  void release(Coroutine thread, Known to) {
    to.addTime(thread.time().elapsedNanos());
    if (active) {
      settle();
      comes(thread);
      int rank = thread.rank();
      to.add(clocks[rank], rank, own[rank]++, others[rank]);
      metIn[rank] = to;
      metWith[rank] = clocks[rank];
    }
  }

  /** Makes known what a thread had done when it fenced. */
  void releaseFenced(Coroutine thread, Known to) {
    Known before = fenced[thread.rank()];
    if (active && before != null) {
      to.add(before);
    }
  }

  /** Lets a thread learn what others made known. */
  @SuppressWarnings("ReferenceEquality") // what it has met in contains what it came with
  void acquire(Coroutine thread, Known known) {
    thread.time().atLeast(known.nanos());
    if (active && !known.isNothing()) {
      comes(thread);
      int rank = thread.rank();
      boolean contains = metIn[rank] == known && metWith[rank] == clocks[rank];
      clocks[rank] = contains ? known.shared() : joined(clocks[rank], known.shared());
      learnOthers(rank, known.others());
      if (history != null) {
        history.learns(rank, own[rank], known.shared());
      }
    }
  }

  /** Lets threads meet that have all arrived: each learns what the others have done. */
  void meet(int[] ranks, int count) {
    settle();
    if (haveMet(ranks, count)) {
      meetAgain(ranks, count);
      return;
    }
    Known all = new Known();
    for (int i = 0; i < count; i++) {
      int rank = ranks[i];
      all.add(clocks[rank], rank, own[rank]++, others[rank]);
    }
    int[] shared = all.shared();
    OtherClusters ofOthers = all.others();
    for (int i = 0; i < count; i++) {
      clocks[ranks[i]] = shared;
      others[ranks[i]] = ofOthers;
    }
  }

  /** Whether threads know the same of others, and nothing of other clusters. */
  @SuppressWarnings("ReferenceEquality") // most threads come with the same one
  private boolean haveMet(int[] ranks, int count) {
    int[] known = clocks[ranks[0]];
    for (int i = 0; i < count; i++) {
      int rank = ranks[i];
      if (clocks[rank] != known || others[rank] != null) {
        return false;
      }
    }
    return true;
  }

  private void meetAgain(int[] ranks, int count) {
    int[] shared = clocks[ranks[0]].clone(); // has a number for each thread
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      int rank = ranks[i];
      int number = own[rank]++;
      shared[rank] = number;
      clocks[rank] = shared;
      least = Math.min(least, number);
    }
    if (count == threads) {
      knownToAll = least;
    }
  }

  /** Whether it is kept what threads learn. */
  boolean hasHistory() {
    return history != null;
  }

  /** The joined clocks: one of the two, if it has all. */
  @SuppressWarnings("ReferenceEquality") // most often it is the same one
  private static int[] joined(int[] a, int[] b) {
    if (a == b || b.length == 0) {
      return a;
    }
    if (a.length <= b.length && isWithin(a, b)) {
      return b;
    }
    if (b.length <= a.length && isWithin(b, a)) {
      return a;
    }
    int[] both = Arrays.copyOf(a, Math.max(a.length, b.length));
    for (int i = 0; i < b.length; i++) {
      both[i] = Math.max(both[i], b[i]);
    }
    return both;
  }

  private static boolean isWithin(int[] a, int[] b) {
    for (int i = 0; i < a.length; i++) {
      if (a[i] > b[i]) {
        return false;
      }
    }
    return true;
  }

  /** Threads that have met before come with the same, and learn the same. */
  @SuppressWarnings("ReferenceEquality") // only the same objects are not looked at again
  private void learnOthers(int rank, @Nullable OtherClusters known) {
    if (known != null) {
      OtherClusters before = others[rank];
      if (before != lastBefore || known != lastKnown) {
        lastJoined = OtherClusters.joined(before, known);
        lastBefore = before;
        lastKnown = known;
      }
      others[rank] = lastJoined;
      int[] ofThis = known.clock(cluster);
      if (ofThis != null) {
        clocks[rank] = joined(clocks[rank], ofThis);
      }
    }
  }

  /** Lets a thread learn that a phase of a barrier object has ended. */
  void acquire(Coroutine thread, int slot, int number) {
    if (active) {
      int rank = thread.rank();
      if (LearningHistory.at(clocks[rank], slot) < number) {
        int[] clock = Arrays.copyOf(clocks[rank], Math.max(clocks[rank].length, slot + 1));
        clock[slot] = number;
        clocks[rank] = clock;
      }
      if (history != null) {
        history.learns(rank, own[rank], slot, number);
      }
    }
  }

  /**
   * Called when a thread has seen the end of a phase without learning what was made known there: it
   * does when it fences.
   *
   * @param known what was made known; null if that is not kept any more
   * @param slot of the phases
   * @param number the number of those that have ended
   */
  void sees(Coroutine thread, @Nullable Known known, int slot, int number) {
    if (active) {
      comes(thread);
      int rank = thread.rank();
      Known before = seen[rank];
      Known all = before == null ? new Known() : before;
      if (known != null) {
        thread.time().atLeast(known.nanos());
        all.add(known);
        seenWide[rank] = OtherClusters.joined(seenWide[rank], known.others());
      }
      all.put(slot, number);
      seen[rank] = all;
    }
  }

  int now(Coroutine thread) {
    return active ? own[thread.rank()] : 0;
  }

  @Override
  public int now(int thread) {
    return own[thread];
  }

  @Override
  public int threads() {
    return threads;
  }

  @Override
  public int knownToAll() {
    return knownToAll;
  }

  @Override
  public int[] clock(int thread) {
    return clocks[thread];
  }

  /** Makes what a thread does from now on later than what it has done. */
  void steps(Coroutine thread) {
    if (active) {
      own[thread.rank()]++;
    }
  }

  boolean knows(Coroutine thread, int slot, int number) {
    return knows(thread.rank(), slot, number);
  }

  /** Whether a thread of the cluster, by its rank, knows a number in a slot. */
  boolean knows(int thread, int slot, int number) {
    return !active
        || (slot == thread
            ? own[slot] >= number
            : LearningHistory.at(clocks[thread], slot) >= number);
  }

  /** Whether any of some threads of the cluster knows a number in a slot. */
  boolean isKnownToAny(int firstRank, int endRank, int slot, int number) {
    for (int rank = firstRank; rank < endRank; rank++) {
      if (knows(rank, slot, number)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a thread knows what a thread of another cluster has done. */
  boolean knowsOther(Coroutine thread, long otherCluster, int rank, int number) {
    return knowsOther(thread.rank(), otherCluster, rank, number);
  }

  @Override
  public boolean knowsOther(int thread, long otherCluster, int rank, int number) {
    OtherClusters known = others[thread];
    return known != null && known.knows(otherCluster, rank, number);
  }

  // --- atomic operations

  /** Where a place in shared memory keeps what atomic operations there make known. */
  AtomicPlace place(SharedStorage storage, int at) {
    return places
        .computeIfAbsent(storage, _ -> new HashMap<>())
        .computeIfAbsent(at, _ -> new AtomicPlace());
  }

  /**
   * Called before a thread writes a place by an atomic operation.
   *
   * @param releases whether that makes known what the thread has done; otherwise it does so with
   *     what the thread had done when it fenced
   * @param wide whether the operation is one for threads of other clusters too
   */
  void writesAtomically(Coroutine thread, AtomicPlace place, boolean releases, boolean wide) {
    if (!active) {
      return;
    }
    int rank = thread.rank();
    if (releases) {
      place.release(cluster, snapshot(rank), wide);
      own[rank]++;
      return;
    }
    Known narrow = fenced[rank];
    Known wider = fencedWide[rank];
    if (narrow != null) {
      place.join(cluster, narrow, false);
    }
    if (wider != null && wide) {
      place.join(cluster, wider, true);
    }
  }

  /**
   * Called after a thread has read a place by an atomic operation.
   *
   * @param acquires whether the thread learns at once what was made known there; otherwise when it
   *     fences
   */
  void readsAtomically(Coroutine thread, AtomicPlace place, boolean acquires, boolean wide) {
    if (!active) {
      return;
    }
    int rank = thread.rank();
    Known narrow = place.known(cluster);
    OtherClusters wider = wide ? place.known() : null;
    if (acquires) {
      if (narrow != null) {
        acquire(thread, narrow);
      }
      learnOthers(rank, wider);
      return;
    }
    if (narrow != null) {
      Known before = seen[rank];
      Known all = before == null ? new Known() : before;
      all.add(narrow);
      seen[rank] = all;
    }
    seenWide[rank] = OtherClusters.joined(seenWide[rank], wider);
  }

  /** What a thread makes known to threads of all clusters; null if nothing is. */
  @Nullable OtherClusters releaseToAll(Coroutine thread) {
    if (!active) {
      return null;
    }
    settle();
    comes(thread);
    int rank = thread.rank();
    OtherClusters mine = OtherClusters.of(cluster, snapshot(rank).shared());
    own[rank]++;
    return OtherClusters.joined(mine, others[rank]);
  }

  /** Lets a thread learn what threads of all clusters made known. */
  void acquireFromAll(Coroutine thread, @Nullable OtherClusters known) {
    if (active) {
      comes(thread);
      learnOthers(thread.rank(), known);
    }
  }

  /** Called when a thread fences what it does before from what it does after. */
  void fence(Coroutine thread, boolean wide) {
    if (!active) {
      return;
    }
    comes(thread);
    int rank = thread.rank();
    Known narrow = seen[rank];
    if (narrow != null) {
      acquire(thread, narrow.now());
    }
    if (wide) {
      learnOthers(rank, seenWide[rank]);
    }
    Known now = snapshot(rank);
    fenced[rank] = now;
    if (wide) {
      fencedWide[rank] = now;
    }
    own[rank]++;
  }

  private Known snapshot(int rank) {
    Known now = new Known();
    now.add(clocks[rank], rank, own[rank], others[rank]);
    return now;
  }

  /**
   * Orders what the thread has done so far before asynchronous copies of threads that learn of this
   * fence.
   */
  public void fenceProxy(Coroutine thread) {
    if (active) {
      int rank = thread.rank();
      List<Fence> its = fences[rank];
      if (its == null) {
        its = new ArrayList<>();
        fences[rank] = its;
      }
      its.add(new Fence(own[rank]++, clocks[rank]));
    }
  }

  private List<Fence> fencesOf(int thread) {
    List<Fence> its = fences[thread];
    return its == null ? List.of() : its;
  }

  /**
   * Whether a thread has fenced an access, and another thread knows of the fence.
   *
   * @param writer the rank of the thread that made the access
   * @param written when it made the access, by its own clock
   */
  boolean isFenced(int writer, int written, Coroutine by) {
    for (Fence fence : fencesOf(writer)) {
      if (fence.number >= written) {
        return writer == by.rank() || knows(by, writer, fence.number);
      }
    }
    return false;
  }

  /**
   * Whether any thread has fenced when it knew a number in a slot, and another thread knows of the
   * fence.
   */
  boolean isFencedByAny(int slot, int number, Coroutine by) {
    for (int rank = 0; rank < threads; rank++) {
      for (Fence fence : fencesOf(rank)) {
        boolean knew =
            slot == rank ? fence.number >= number : LearningHistory.at(fence.known, slot) >= number;
        if (knew && knows(by, rank, fence.number)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Where the calling thread is, if lines are kept. */
  @Nullable CallPath line() {
    return keepsLines ? CallPath.here() : null;
  }

  /** Stores of which it is not known yet whether they race. */
  Suspects suspects() {
    return suspects;
  }

  /** Whether there are any. */
  boolean isDoubtful() {
    return suspects.areAny();
  }

  /** Called when a thread begins copies. */
  void copies() {
    copying = true;
  }

  /** Whether a thread of the cluster has begun copies. */
  boolean isCopying() {
    return copying;
  }

  /**
   * Called when the last store has happened.
   *
   * @throws CopyMisuse if it has raced with another one
   */
  void settle() {
    if (suspects.areAny()) {
      suspects.settle();
    }
  }

  /** Where a thread is, if that is known without a search or lines are kept. */
  @Nullable CallPath lineOf(Coroutine thread) {
    return thread.isCarried() ? line() : thread.place();
  }

  /** A race of two threads without a copy. */
  CopyMisuse race(CopyRule rule, String what, @Nullable CallPath line) {
    return new CopyMisuse(rule, what, line == null);
  }

  CopyMisuse misuse(CopyRule rule, String what) {
    return new CopyMisuse(rule, what, !keepsLines);
  }
}
