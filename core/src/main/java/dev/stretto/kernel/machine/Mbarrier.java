package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A barrier object of a virtual device. Copies, and arrivals that wait for copies, come by
 * themselves. They come as late as possible: when a thread waits for the phase and nothing else is
 * missing.
 */
public final class Mbarrier implements PendingCopy.Counter, StageBarrier {
  /** The most arrivals, and the most bytes, that a phase can count. */
  public static final int MOST = (1 << 20) - 1;

  /**
   * An arrival that comes by itself when a thread's copies are done.
   *
   * @param light a part of those copies: its {@code last} ones and all before
   */
  private record Later(
      DeviceThread thread, List<PendingCopy> copies, @Nullable LightCopies light, int last) {
    boolean isLightDone() {
      return light == null || light.areDone(thread.rank(), last);
    }
  }

  /**
   * What a thread waits for.
   *
   * @param which the phase
   * @param polls whether it only lets other threads run before it has its answer
   */
  private record Wait(int which, boolean polls) {}

  /** A wait that ends when time has passed, if not before. */
  private final class TimedWait implements TimedWaits.Waiter {
    final DeviceThread thread;
    final int which;
    boolean expired;

    TimedWait(DeviceThread thread, int which) {
      this.thread = thread;
      this.which = which;
    }

    @Override
    public boolean isOver() {
      return expired || phase != which;
    }

    @Override
    public boolean expires() {
      if (vainWaits > MOST_VAIN_WAITS + MOST_VAIN_WAITS_EACH * block.size()) {
        return false;
      }
      vainWaits++;
      expired = true;
      waiting.remove(thread);
      thread.goOn();
      return true;
    }
  }

  /**
   * How often waits for a time may end before the phase does, and in addition how often for each
   * thread, until that counts as a deadlock. No other thread could do anything meanwhile.
   */
  private static final int MOST_VAIN_WAITS = 1 << 14;

  private static final int MOST_VAIN_WAITS_EACH = 1 << 8;

  private final BlockThreads block;
  private final CallPath line;
  private final BlockState home;
  private final int owner;
  private final int ownersClock;
  private final int slot;
  private final List<Later> later = new ArrayList<>();
  private final List<PendingCopy> bringing = new ArrayList<>();

  /**
   * {@code cp.async} copies that would be bulk copies, counted by this barrier, on another target.
   */
  private final List<PendingCopy> portable = new ArrayList<>();

  private boolean lightIsPortable;

  /** The threads whose last wait is relaxed. */
  private final BitSet isRelaxed = new BitSet();

  private boolean isNextRelaxed;
  private final List<DeviceThread> waiting = new ArrayList<>();
  private final Known known = new Known();
  private Known knownBefore = new Known();
  private int expected;
  private int pending;
  private int dropped;
  private long bytes;
  private final int first;
  private int phase;
  private boolean fenced;
  private boolean countsCopies;
  private boolean stage;
  private int vainWaits;

  /** When each thread last used the barrier, by that thread's clock. */
  private int[] lastUses = {};

  /** Threads that know of the barrier through a cluster barrier after the fence. */
  private final BitSet knowing = new BitSet();

  Mbarrier(BlockThreads block, int count, @Nullable Mbarrier before) {
    this.block = block;
    this.line = CallPath.here();
    this.home = block.running().block();
    this.owner = block.running().rank();
    this.ownersClock = block.order().now(block.running());
    // A barrier in the place of an earlier one keeps that one's slot in the clocks and continues
    // its phase numbers, so that no number in a slot ever stands for two phases.
    this.slot = before == null ? block.order().newSlot() : before.slot;
    this.first = before == null ? 0 : before.phase + 3 & -2;
    this.phase = first;
    this.expected = count;
    this.pending = count;
  }

  /** The number of arrivals that were missing when {@code state} was returned. */
  public static int pendingOf(long state) {
    return (int) state;
  }

  private static int phaseOf(long state) {
    return (int) (state >>> 32);
  }

  private long state() {
    return (long) phase << 32 | pending;
  }

  void fence(DeviceThread thread) {
    fenced |= thread.rank() == owner;
  }

  boolean isFencedBy(DeviceThread thread) {
    return fenced && thread.rank() == owner;
  }

  void becomesKnownTo(DeviceThread thread) {
    knowing.set(thread.rank());
  }

  /**
   * Requires that no copy is pending when the block ends. A bulk copy would fill shared memory that
   * belongs to another block by then. A copy that the library begins as {@code cp.async} here may
   * be a bulk copy on another target, so it is reported here too.
   */
  void requireNothingComes() {
    bringing.forEach(this::requireDone);
    portable.forEach(this::requireDone);
    for (Later one : later) {
      if (lightIsPortable && !one.isLightDone()) {
        throw requiresWait("a copy of " + one.thread);
      }
    }
  }

  private void requireDone(PendingCopy copy) {
    if (!copy.isDone()) {
      throw requiresWait(copy);
    }
  }

  private CopyMisuse requiresWait(Object copy) {
    return block
        .order()
        .misuse(
            CopyRule.MISSING_WAIT,
            "the block of "
                + this
                + " ends while "
                + copy
                + " still fills its shared memory: wait for the phase before, or call drain() of"
                + " a pipeline");
  }

  /** Notes that the copies that the latest arrival here waits for were begun by the library. */
  public void isPortable() {
    lightIsPortable = true;
    portable.removeIf(PendingCopy::isDone);
    later.getLast().copies.stream().filter(copy -> !copy.isDone()).forEach(portable::add);
  }

  void requireVisible(DeviceThread thread, String what) {
    if (thread.block() != home && !fenced) {
      throw new CopyMisuse(
          CopyRule.BARRIER_NOT_INITIALIZED,
          "thread "
              + thread.rank()
              + " calls "
              + what
              + " of "
              + this
              + " in another block: call fenceMbarrierInit() where it is made, and a barrier of the"
              + " cluster between");
    }
    if (!isKnownTo(thread)) {
      throw new CopyMisuse(
          CopyRule.BARRIER_NOT_INITIALIZED,
          "thread "
              + thread.rank()
              + " calls "
              + what
              + " of "
              + this
              + ", of which only thread "
              + owner
              + " knows: call block.sync() between");
    }
  }

  private boolean isKnownTo(DeviceThread thread) {
    return thread.rank() == owner
        || knowing.get(thread.rank())
        || block.order().knows(thread, owner, ownersClock);
  }

  private boolean isVisibleTo(DeviceThread thread) {
    return (thread.block() == home || fenced) && isKnownTo(thread);
  }

  /** Called when a thread uses the barrier. */
  void isUsedBy(DeviceThread thread) {
    if (!block.order().isActive()) {
      return; // only those uses count of which another thread can know
    }
    if (lastUses.length == 0) {
      lastUses = new int[block.size()];
    }
    lastUses[thread.rank()] = block.order().now(thread);
  }

  void requireUnused(String what) {
    if (!waiting.isEmpty() || !later.isEmpty() || !bringing.isEmpty()) {
      throw new CopyMisuse(
          CopyRule.BARRIER_INITIALIZED_TWICE,
          what
              + " of "
              + this
              + " while "
              + (waiting.isEmpty()
                  ? "copies arrive there: wait for them before"
                  : "threads wait there"));
    }
  }

  /**
   * Called when a thread makes another barrier in this place. Requires that all threads are done
   * with this one, and that the thread knows that.
   */
  void requireLeft() {
    requireUnused("making anew");
    DeviceThread thread = block.running();
    for (int user = 0; user < lastUses.length; user++) {
      if (lastUses[user] > 0
          && user != thread.rank()
          && !block.order().knows(thread, user, lastUses[user])) {
        throw new CopyMisuse(
            CopyRule.BARRIER_INITIALIZED_TWICE,
            "thread "
                + thread.rank()
                + " comes again to where "
                + this
                + " was, and thread "
                + user
                + " may still be using it: call block.sync() before one is made there again");
      }
    }
  }

  // --- arriving
  // -------------------------------------------------------------------------------------------------------

  public long arrive(String what, int count, boolean mayComplete) {
    return arrive(what, count, mayComplete, true);
  }

  /** As {@link #arrive}, but only what the thread had done when it fenced becomes known. */
  public long arriveRelaxed(String what, int count) {
    return arrive(what, count, true, false);
  }

  private long arrive(String what, int count, boolean mayComplete, boolean releases) {
    DeviceThread thread = block.running();
    int reserved = later.size();
    if (count < 1 || count > MOST) {
      throw new CopyMisuse(CopyRule.OUT_OF_RANGE, what + " of " + count + " arrivals");
    }
    int missing = pending - reserved;
    if (count > missing - (mayComplete ? 0 : 1)) {
      throw new CopyMisuse(
          CopyRule.TOO_MANY_ARRIVALS,
          "thread "
              + thread.rank()
              + ": "
              + what
              + (count == 1 ? "" : " of " + count + " arrivals")
              + " on "
              + this
              + ", of whose "
              + expected
              + " arrivals a phase misses "
              + missing
              + (mayComplete ? "" : ", and which it must not end"));
    }
    return arrive(thread, count, releases);
  }

  /**
   * Lets a thread arrive, if nothing speaks against it.
   *
   * @return the state before, or -1 if it has not arrived
   */
  long arrivesAlone(DeviceThread thread) {
    if (pending - later.size() < 1 || !isVisibleTo(thread)) {
      return -1;
    }
    isUsedBy(thread);
    return arrive(thread, 1, true);
  }

  private long arrive(DeviceThread thread, int count, boolean releases) {
    thread.copies().endRound();
    long state = state();
    int reserved = later.size();
    if (block.order().isActive()) {
      block.races().stages().turns().arrives(thread, this);
    }
    if (releases) {
      block.order().release(thread, known);
    } else {
      block.order().releaseFenced(thread, known);
    }
    pending -= count;
    // A waiting thread can go on when only arrivals that come by themselves are missing.
    if (pending == 0 || pending == reserved) {
      settle();
    }
    return state;
  }

  public long arriveDrop(String what, int count, boolean mayComplete) {
    return arriveDrop(what, count, mayComplete, true);
  }

  /** As {@link #arriveDrop}, but only what the thread had done when it fenced becomes known. */
  public long arriveDropRelaxed(String what) {
    return arriveDrop(what, 1, true, false);
  }

  private long arriveDrop(String what, int count, boolean mayComplete, boolean releases) {
    dropped += count;
    if (expected - dropped < 0) {
      throw new CopyMisuse(
          CopyRule.TOO_MANY_ARRIVALS, what + " on " + this + ", which has no arrivals left");
    }
    return arrive(what, count, mayComplete, releases);
  }

  public void expect(String what, int count) {
    requireBytes(what, count);
    bytes += count;
    requireBytes(what);
  }

  public void completeTx(String what, int count) {
    requireBytes(what, count);
    bytes -= count;
    requireBytes(what);
    settle();
  }

  private static void requireBytes(String what, int count) {
    if (count < 0 || count > MOST) {
      throw new CopyMisuse(CopyRule.OUT_OF_RANGE, what + " of " + count + " bytes: 0 to " + MOST);
    }
  }

  private void requireBytes(String what) {
    if (Math.abs(bytes) > MOST) {
      throw new CopyMisuse(
          CopyRule.OUT_OF_RANGE,
          what + ": " + this + " would count " + bytes + " bytes, and can " + MOST);
    }
  }

  /** Adds a copy that reports its bytes to the barrier when it is done. */
  void brings(PendingCopy copy) {
    countsCopies = true;
    bringing.add(copy);
    if (!waiting.isEmpty()) {
      settle();
    }
  }

  /** Makes the calling thread arrive when its copies are done. */
  public void arriveWhenCopied(boolean one) {
    DeviceThread thread = block.running();
    if (one) {
      if (pending == MOST) {
        throw new CopyMisuse(CopyRule.OUT_OF_RANGE, this + " has too many arrivals");
      }
      pending++;
    } else if (pending - later.size() < 1) {
      throw new CopyMisuse(
          CopyRule.TOO_MANY_ARRIVALS,
          "thread "
              + thread.rank()
              + ": cpAsyncMbarrierArriveNoinc on "
              + this
              + ", whose "
              + expected
              + " arrivals do not include it");
    }
    arriveLater(thread, thread.copies().begun(), null, 0);
  }

  /**
   * Makes a thread arrive when its copies are done, if nothing speaks against it.
   *
   * @param one whether the phase then misses one arrival more
   * @param others its copies besides the light ones
   * @return whether it will
   */
  boolean arrivesWhenCopied(
      DeviceThread thread, boolean one, LightCopies light, List<PendingCopy> others) {
    boolean fits = one ? pending < MOST : pending - later.size() >= 1;
    if (!fits || !isVisibleTo(thread)) {
      return false;
    }
    isUsedBy(thread);
    pending += one ? 1 : 0;
    arriveLater(thread, others, light, light.last(thread.rank()));
    return true;
  }

  private void arriveLater(
      DeviceThread thread, List<PendingCopy> copies, @Nullable LightCopies light, int last) {
    thread.copies().endRound();
    thread.copies().isCounted();
    copies.forEach(PendingCopy::counted);
    countsCopies = true;
    later.add(new Later(thread, copies, light, last));
    if (!waiting.isEmpty()) {
      settle();
    }
  }

  // --- phases
  // ---------------------------------------------------------------------------------------------------------

  /** Ends the phase if it can end. */
  private void settle() {
    while (pending == 0 && bytes == 0) {
      complete();
    }
    if (!waiting.isEmpty()) {
      finish();
    }
  }

  /** Carries out the copies and arrivals that come by themselves, if that ends the phase. */
  private void finish() {
    long arriving = 0;
    for (PendingCopy copy : bringing) {
      arriving += copy.bytes();
    }
    if (pending == later.size() && bytes == arriving) {
      for (Later one : later) {
        one.copies.forEach(this::happen);
        if (one.light != null) {
          one.light.happen(one.thread.rank(), one.last);
        }
      }
      bringing.forEach(this::happen);
      bringing.clear();
      pending -= later.size();
      later.clear();
      bytes = 0;
      if (pending == 0) {
        complete();
      }
    }
  }

  private void happen(PendingCopy copy) {
    copy.happen(slot, phase + 1, this);
  }

  private void complete() {
    vainWaits = 0;
    bringing.forEach(copy -> copy.uncounted(this));
    phase++;
    expected -= dropped;
    dropped = 0;
    pending = expected;
    if (block.order().isActive()) {
      known.put(slot, phase); // who learns it need not learn that by itself
    }
    knownBefore = known.now(); // later arrivals change the other one
    if (expected == 0) {
      pending = Integer.MAX_VALUE; // no thread may use it any more
    }
    for (DeviceThread thread : waiting) {
      learn(thread, phase - 1);
      thread.goOn();
    }
    waiting.clear();
  }

  /**
   * Lets the next wait of the running thread be relaxed: it learns what others have made known only
   * when it fences.
   *
   * @return this barrier
   */
  public Mbarrier relaxed() {
    isNextRelaxed = true;
    return this;
  }

  public boolean test(String what, long state) {
    comesToWait();
    Wait left = block.running().takesUp(Wait.class);
    if (left != null) {
      return takeUp(left);
    }
    requireRecent(what, phaseOf(state));
    return poll(phaseOf(state));
  }

  public boolean testParity(String what, int parity) {
    comesToWait();
    Wait left = block.running().takesUp(Wait.class);
    if (left != null) {
      return takeUp(left);
    }
    return poll(ofParity(what, parity));
  }

  public boolean tryWait(String what, long state) {
    comesToWait();
    Wait left = block.running().takesUp(Wait.class);
    if (left != null) {
      return takeUp(left);
    }
    requireRecent(what, phaseOf(state));
    return await(what, phaseOf(state));
  }

  public boolean tryWaitParity(String what, int parity) {
    comesToWait();
    Wait left = block.running().takesUp(Wait.class);
    if (left != null) {
      return takeUp(left);
    }
    return await(what, ofParity(what, parity));
  }

  /** Waits for a phase until a time has passed; whether the phase has ended. */
  public boolean tryWaitFor(String what, long state, int nanoseconds) {
    comesToWait();
    TimedWait left = block.running().takesUp(TimedWait.class);
    if (left != null) {
      return takeUp(left);
    }
    Wait polled = block.running().takesUp(Wait.class);
    if (polled != null) {
      return takeUp(polled);
    }
    requireRecent(what, phaseOf(state));
    return awaitFor(what, phaseOf(state), nanoseconds);
  }

  /** Waits for the phase of a parity until a time has passed; whether the phase has ended. */
  public boolean tryWaitParityFor(String what, int parity, int nanoseconds) {
    comesToWait();
    TimedWait left = block.running().takesUp(TimedWait.class);
    if (left != null) {
      return takeUp(left);
    }
    Wait polled = block.running().takesUp(Wait.class);
    if (polled != null) {
      return takeUp(polled);
    }
    return awaitFor(what, ofParity(what, parity), nanoseconds);
  }

  private void comesToWait() {
    isRelaxed.set(block.running().rank(), isNextRelaxed);
    isNextRelaxed = false;
  }

  private boolean isRecent(int which) {
    return which == phase - 1 || which == phase;
  }

  private void requireRecent(String what, int which) {
    if (!isRecent(which)) {
      throw new CopyMisuse(
          CopyRule.STALE_PHASE,
          what
              + " of phase "
              + (which - first)
              + " of "
              + this
              + ", which is in phase "
              + (phase - first)
              + ": only that one and the one before can be waited for");
    }
  }

  /** The current phase or the one before, whichever has the parity. */
  private int ofParity(String what, int parity) {
    if (parity != 0 && parity != 1) {
      throw new CopyMisuse(CopyRule.OUT_OF_RANGE, what + " of parity " + parity + ": 0 or 1");
    }
    return (phase & 1) == parity ? phase : phase - 1;
  }

  private boolean poll(int which) {
    DeviceThread thread = block.running();
    comes(thread);
    if (phase == which) {
      waiting.add(thread);
      settle();
      waiting.remove(thread);
    }
    if (phase == which) {
      Wait wait = new Wait(which, true);
      return !thread.leavesOffForOthers(wait, () -> describe(which)) && takeUp(wait);
    }
    return learn(thread, which);
  }

  // --- threads that wait together
  // ---------------------------------------------------------------------------------------------------------

  /** The current phase or the one before, whichever has the parity. */
  int ofParity(int parity) {
    return (phase & 1) == parity ? phase : phase - 1;
  }

  /** The phase of a state. */
  static int ofState(long state) {
    return phaseOf(state);
  }

  /** Whether threads may ask for a phase. */
  boolean allows(int which, DeviceThread[] threads, int[] ranks, int count) {
    if (!isRecent(which)) {
      return false;
    }
    if (block.order().isActive()) {
      for (int i = 0; i < count; i++) {
        if (!isVisibleTo(threads[ranks[i]])) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Ends a phase if only that is missing that comes by itself once a thread waits.
   *
   * @param thread the thread that waits
   * @return whether the phase has ended
   */
  boolean endsFor(DeviceThread thread, int which) {
    if (phase == which) {
      waiting.add(thread);
      settle();
      waiting.remove(thread);
    }
    return phase != which;
  }

  /** Lets threads learn that a phase has ended. */
  void learn(int which, DeviceThread[] threads, int[] ranks, int count) {
    if (block.order().isActive()) {
      for (int i = 0; i < count; i++) {
        isRelaxed.clear(threads[ranks[i]].rank());
        learn(threads[ranks[i]], which);
      }
    }
  }

  /** Makes threads wait for the current phase, which needs more arrivals. */
  void waits(String what, DeviceThread[] threads, int[] ranks, int count) {
    Wait wait = new Wait(phase, false);
    int which = phase;
    Supplier<String> reason = () -> what + " of " + describe(which);
    for (int i = 0; i < count; i++) {
      DeviceThread thread = threads[ranks[i]];
      isRelaxed.clear(thread.rank());
      waiting.add(thread);
      thread.calls(false);
      boolean _ = thread.leavesOff(wait, reason);
    }
  }

  /**
   * Lets a thread go on that has waited for a phase.
   *
   * @return whether it has its answer; if not, it only let other threads run
   */
  boolean isAnswered(DeviceThread thread) {
    Wait left = thread.takesUp(Wait.class);
    return left != null && takeUp(left);
  }

  private boolean takeUp(Wait wait) {
    DeviceThread thread = block.running();
    if (wait.polls) {
      return phase > wait.which && learn(thread, wait.which);
    }
    isUsedBy(thread);
    return true; // it learned of the phase when that ended; later phases may have ended since
  }

  /**
   * Waits for the end of a phase. A GPU may give up before the phase has ended. A seed lets waits
   * do so here, so that a kernel that does not expect it fails.
   */
  private boolean await(String what, int which) {
    DeviceThread thread = block.running();
    comes(thread);
    if (phase == which) {
      waiting.add(thread);
      settle();
    }
    if (phase == which) {
      if (block.turns().givesUpWaiting()) {
        waiting.remove(thread);
        Wait wait = new Wait(which, true);
        return !thread.leavesOffForOthers(wait, () -> describe(which)) && takeUp(wait);
      }
      Wait wait = new Wait(which, false);
      return !thread.leavesOff(wait, () -> what + " of " + describe(which)) && takeUp(wait);
    }
    return learn(thread, which);
  }

  /**
   * Waits for the end of a phase, or until a time has passed. A seed lets the time pass at once,
   * since nothing says how long anything else takes.
   */
  private boolean awaitFor(String what, int which, int nanoseconds) {
    if (nanoseconds < 0) {
      throw new CopyMisuse(
          CopyRule.OUT_OF_RANGE, what + " for " + nanoseconds + " nanoseconds: 0 or more");
    }
    DeviceThread thread = block.running();
    comes(thread);
    if (phase == which) {
      waiting.add(thread);
      settle();
    }
    if (phase != which) {
      return learn(thread, which);
    }
    if (nanoseconds == 0 || block.turns().givesUpWaiting()) {
      waiting.remove(thread);
      Wait wait = new Wait(which, true);
      return !thread.leavesOffForOthers(wait, () -> describe(which)) && takeUp(wait);
    }
    TimedWait wait = new TimedWait(thread, which);
    block.timedWaits().add(nanoseconds, wait);
    return !thread.leavesOff(wait, () -> what + " of " + describe(which)) && takeUp(wait);
  }

  private boolean takeUp(TimedWait wait) {
    isUsedBy(wait.thread);
    return !wait.expired; // who has not waited in vain has learned of the phase when that ended
  }

  private void comes(DeviceThread thread) {
    if (stage && thread.isCarried() && block.order().isActive()) {
      block.races().stages().turns().comesTo(thread, this);
    }
  }

  /** Lets a thread learn that a phase has ended, but nothing about later phases. */
  private boolean learn(DeviceThread thread, int which) {
    if (isRelaxed.get(thread.rank())) {
      block.order().sees(thread, phase == which + 1 ? knownBefore : null, slot, which + 1);
      isUsedBy(thread);
      return true;
    }
    if (phase == which + 1) {
      block.order().acquire(thread, knownBefore);
    }
    if (block.order().isActive()) {
      block.order().acquire(thread, slot, which + 1);
      block.races().stages().turns().waits(thread, this, which, which < first);
    }
    isUsedBy(thread);
    return true;
  }

  @Override
  public boolean countsCopies() {
    return countsCopies;
  }

  /** Notes that a pipeline waits there for a stage, each consumer once in each turn. */
  public void isStage() {
    stage = true;
  }

  @Override
  public boolean isWaitedForOnce() {
    return stage;
  }

  @Override
  public int[] waiting() {
    return waiting.stream().mapToInt(DeviceThread::rank).toArray();
  }

  private String describe(int which) {
    if (phase != which) {
      return "phase " + (which - first) + " of " + this;
    }
    long arriving = 0;
    for (PendingCopy copy : bringing) {
      arriving += copy.bytes();
    }
    long missing = bytes - arriving;
    int arrivals = pending - later.size();
    return "phase "
        + (which - first)
        + " of "
        + this
        + ", which misses "
        + arrivals
        + " of "
        + expected
        + " arrivals"
        + (missing == 0 ? "" : " (" + CopyRule.BYTE_COUNT.title() + ":")
        + (missing > 0 ? " and " + missing + " bytes that no copy brings)" : "")
        + (missing < 0 ? " copies bring " + -missing + " bytes too many)" : "");
  }

  @Override
  public String toString() {
    return "the barrier made at " + line;
  }
}
