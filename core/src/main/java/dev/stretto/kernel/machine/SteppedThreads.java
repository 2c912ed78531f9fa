package dev.stretto.kernel.machine;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs the threads of one block after another without threads of the JVM. All threads that are at
 * the same point go on in one loop, each until it has to wait; then those go on that can.
 *
 * <p>As long as all threads of a block are at the same point, and nothing watches them, a barrier
 * costs nothing, and an exchange between the lanes of a warp is a loop over arrays. Threads of a
 * cluster of several blocks go on in groups, each of one block.
 */
final class SteppedThreads extends BlockThreads {
  private enum State {
    /** It goes on from its point. */
    GOES_ON,
    /** It meets others before it goes on from its point. */
    MEETS,
    /** It has left off in a meeting, and waits for others. */
    WAITS,
    /** It takes the meeting up again. */
    TAKES_UP,
    RETURNED
  }

  /** How often threads may ask in vain, each, before that counts as a deadlock. */
  private static final int MOST_POLLS = 2_000;

  private static final String SYNC = "ThreadBlock.sync()V";

  private final SteppedKernel kernel;
  private final SteppedPlan plan;
  private final SteppedBlock[] parts;
  private final int each;
  private final SteppedLaunch.Compiled compiled;
  private final StepOrder order;
  private final @Nullable LaneExchange[] exchanges;
  private final @Nullable PhaseWaits[] waits;

  /** Whether threads may come to a point again and again while they wait for a phase. */
  private final boolean[] isPolling;

  /** Whether threads at a point ask next for what others do. */
  private final boolean[] isAsking;

  private final State[] states;
  private final @Nullable Object[] threadBlocks;
  private final boolean asks;
  private final boolean hasExchanges;
  private final boolean hasWholeWarps;
  private final int[] batch;
  private final int[] warps;
  private final int[] warpPoints;

  /** The block of which threads go on. */
  private SteppedBlock block;

  private int polls;
  private boolean saidSo;
  private boolean gotOn;
  private boolean singly;
  private boolean watched;

  /** The point at which all threads are; MIXED if they are at several. */
  private int together;

  private int last;

  /**
   * Creates the threads of a block.
   *
   * @param compiled the launch
   * @param looks counts how often threads look in vain for what others do
   * @param looked where they look; null if nobody wants to know
   */
  SteppedThreads(
      SteppedLaunch.Compiled compiled,
      TurnOrder turns,
      VainLooks looks,
      @Nullable LookedPlaces looked,
      boolean keepsLines) {
    super(
        compiled.launch(), turns, looks, compiled.plan().asks() ? looked : null, keepsLines, false);
    this.compiled = compiled;
    this.kernel = compiled.code();
    this.plan = compiled.plan();
    this.parts = new SteppedBlock[blocks.length];
    for (int number = 0; number < parts.length; number++) {
      SteppedBlock beside = number == 0 ? null : parts[0];
      parts[number] = new SteppedBlock(plan, this, extents(), compiled.arguments(), beside, number);
      blocks[number].memory().lay(parts[number].storages());
    }
    number(parts[0].stacks());
    this.block = parts[0];
    this.each = extents().threadsPerBlock();
    this.hasWholeWarps = parts.length == 1 || each % LaneExchange.LANES == 0;
    int count = threads.length;
    this.states = new State[count];
    this.threadBlocks = new Object[count];
    this.batch = new int[count];
    this.warps = new int[count / LaneExchange.LANES];
    this.warpPoints = new int[warps.length];
    this.order = new StepOrder(turns, count);
    this.exchanges = new LaneExchange[plan.points().size()];
    this.waits = new PhaseWaits[exchanges.length];
    this.isPolling = new boolean[exchanges.length];
    this.isAsking = new boolean[exchanges.length];
    for (int i = 0; i < exchanges.length; i++) {
      SteppedPlan.Meeting meeting = plan.points().get(i).meeting();
      exchanges[i] = meeting == null ? null : LaneExchange.of(meeting);
      isAsking[i] = plan.points().get(i).asks() != null;
      isPolling[i] = meeting != null && PhaseWaits.isOne(meeting);
      waits[i] = meeting == null || turns.isSeeded() ? null : PhaseWaits.of(meeting);
    }
    this.asks = looked != null && plan.asks();
    this.hasExchanges = Arrays.stream(exchanges).anyMatch(exchange -> exchange != null);
  }

  /**
   * Begins a block.
   *
   * @param number which
   * @param first whether it is the first of these threads, which is checked closely
   * @param singly whether threads go on one by one, rather than all that are at one point
   * @param watched whether races with copies are looked for
   */
  void begin(long number, boolean first, boolean singly, boolean watched) {
    this.singly = singly;
    this.watched = watched;
    order().watches(watched);
    if (first) {
      beginFirst(number);
    } else {
      begin(number);
    }
    beginBlock();
  }

  /**
   * Lets threads of the block go on.
   *
   * @return whether there are any left
   * @throws RuntimeException if one of them failed
   */
  boolean goOn() {
    try {
      together = together == SteppedKernel.MIXED ? goOnApart() : goOnTogether(together);
    } catch (Throwable e) {
      if (CopyMisuse.isOneThatLacksLine(e)) {
        againWithLines();
      }
      throw compiled.launch().faults().of(position(threads[block.at]), placed(e));
    }
    return live > 0;
  }

  /**
   * Runs the failed block again, keeping lines for the report. The launch has failed anyway, so it
   * does not matter what the second run does to memory. If its threads wait for others, which do
   * not run again, the report lacks the line.
   */
  private void againWithLines() {
    VainLooks vain = new VainLooks();
    SteppedThreads again = new SteppedThreads(compiled, turns(), vain, null, true);
    again.begin(number(), true, singly, true);
    while (again.goOn() && !vain.areMany(again.readyThreads())) {
      // until it fails again
    }
  }

  @Override
  String whereThreadsAre() {
    for (int rank = 0; rank < threads.length; rank++) {
      int point = together >= 0 ? together : block.points[rank];
      if (point < isAsking.length && isAsking[point] && ready.get(rank)) {
        threads[rank].isAt(CallPath.of(plan.asking(point)));
      }
    }
    return super.whereThreadsAre();
  }

  /** Says which thread of the JVM runs the threads from now on. */
  void sit(Coroutine.Seat seat) {
    for (SteppedBlock part : parts) {
      part.sits(seat);
    }
  }

  private void beginBlock() {
    for (SteppedBlock part : parts) {
      ThreadPosition first = position(threads[part.first]);
      part.blockIndexX = first.blockX();
      part.blockIndexY = first.blockY();
      part.blockIndexZ = first.blockZ();
      part.begin(watched);
    }
    Arrays.fill(threadBlocks, null);
    if (asks) {
      for (DeviceThread thread : threads) {
        thread.looks().begin();
      }
    }
    if (plan.copies()) {
      for (DeviceThread thread : threads) {
        thread.copies().clear();
        thread.bulkStores().clear();
        thread.products().clear();
        thread.places().begin();
      }
    }
    polls = 0;
    last = -1;
    together = 0;
    order.all();
    if (singly || parts.length > 1) {
      together = SteppedKernel.MIXED;
      Arrays.fill(block.points, 0);
      Arrays.fill(states, State.GOES_ON);
    }
  }

  // --- all threads at one point -----------------------------------------------------------------

  private int goOnTogether(int point) {
    boolean wholeWarps =
        hasExchanges
            && live == threads.length
            && live % LaneExchange.LANES == 0
            && !order().isActive();
    if (wholeWarps && (watched || turns().isSeeded())) {
      return goOnByWarps(point);
    }
    StepOrder.Batch all = order.next();
    int now = all.step(kernel, point, block);
    if (now == SteppedKernel.MIXED || now == SteppedKernel.RETURNED) {
      if (now == SteppedKernel.RETURNED && (!plan.copies() || !order().isActive())) {
        leaveTogether(all);
        return now;
      }
      return arriveAt(now, all);
    }
    SteppedPlan.Meeting meeting = plan.points().get(now).meeting();
    if (meeting == null) {
      if (isAsking[now]) {
        looks.look(ready, all.count());
      }
      return now;
    }
    if (order().isActive()) {
      if (!meeting.method().equals(SYNC)
          || !blocks[0].barriers().isIdle()
          || looksCloser()
          || order().hasHistory()) {
        return arriveAt(now, all); // it has to be known what each thread knows of others
      }
      int count = all.count();
      all.into(batch);
      block.at = batch[0];
      order().meet(batch, count);
      meetInTime();
      looks.passes();
      return now;
    }
    if (meeting.method().equals(SYNC) && blocks[0].barriers().isIdle()) {
      meetInTime();
      looks.passes();
      return now;
    }
    LaneExchange exchange = exchanges[now];
    return wholeWarps && exchange != null && exchange.run(block, 0, live)
        ? now
        : arriveAt(now, all);
  }

  /** Lets the threads return that are left; none of them waits for another one. */
  private void leaveTogether(StepOrder.Batch all) {
    if (asks) {
      int count = all.count();
      all.into(batch);
      for (int i = 0; i < count; i++) {
        goesOn(batch[i]);
      }
    }
    if (plan.copies()) {
      int count = all.count();
      all.into(batch);
      for (int i = 0; i < count; i++) {
        block.at = batch[i];
        threads[batch[i]].bulkStores().leave();
        threads[batch[i]].products().leave();
      }
      blocks[0].leaveTogether();
    }
    live = 0;
  }

  /**
   * Lets each warp go on by itself, through exchanges between its lanes, to the next meeting of
   * another kind. A barrier that is missing between warps would not show if they kept step.
   */
  private int goOnByWarps(int point) {
    int active = live / LaneExchange.LANES;
    for (int i = 0; i < active; i++) {
      warps[i] = i;
      warpPoints[i] = point;
    }
    int end = -1;
    boolean same = true;
    while (active > 0) {
      int chosen = turns().nextCluster(active, 0, false);
      int warp = warps[chosen];
      int now = stepWarp(warp, warpPoints[warp]);
      int first = warp * LaneExchange.LANES;
      LaneExchange exchange = now < 0 || now == SteppedKernel.RETURNED ? null : exchanges[now];
      if (exchange != null && exchange.run(block, first, first + LaneExchange.LANES)) {
        warpPoints[warp] = now;
        continue;
      }
      if (now != SteppedKernel.MIXED) {
        Arrays.fill(block.points, first, first + LaneExchange.LANES, now);
      }
      warps[chosen] = warps[--active];
      warps[active] = warp;
      if (!turns().isSeeded()) {
        Arrays.sort(warps, 0, active);
      }
      same &= now >= 0 && (end < 0 || now == end);
      end = now;
    }
    if (same && end == SteppedKernel.RETURNED && !plan.copies() && !asks) {
      live = 0;
      return end;
    }
    if (same && end != SteppedKernel.RETURNED && isSync(end) && blocks[0].barriers().isIdle()) {
      meetInTime();
      looks.passes();
      return end;
    }
    order.all();
    return arriveAt(same ? end : SteppedKernel.MIXED, order.next());
  }

  private boolean isSync(int point) {
    SteppedPlan.Meeting meeting = plan.points().get(point).meeting();
    return meeting != null && meeting.method().equals(SYNC);
  }

  /** Lets the lanes of a warp go on to the next meeting. */
  private int stepWarp(int warp, int point) {
    int first = warp * LaneExchange.LANES;
    int now = point;
    do {
      now = order.range(first, first + LaneExchange.LANES).step(kernel, now, block);
    } while (now >= 0
        && now != SteppedKernel.RETURNED
        && plan.points().get(now).meeting() == null
        && !isAsking[now]);
    return now;
  }

  // --- threads at several points ----------------------------------------------------------------

  /**
   * Lets threads do what they have to do where they now are.
   *
   * @param point where all of them are, or MIXED
   */
  private int arriveAt(int point, StepOrder.Batch which) {
    int count = which.count();
    which.into(batch); // a thread that returns changes the order
    if (point != SteppedKernel.MIXED) {
      for (int i = 0; i < count; i++) {
        block.points[batch[i]] = point;
      }
    }
    if (!waitTogether(point, count) && !exchangeTogether(point, count)) {
      arriveAlone(count);
    }
    return together();
  }

  /** Lets the threads of the batch wait for the same phase, if they do. */
  private boolean waitTogether(int point, int count) {
    PhaseWaits wait = point < 0 || point == SteppedKernel.RETURNED ? null : waits[point];
    if (wait == null) {
      return false;
    }
    block.at = batch[0];
    if (order().isActive()) {
      for (int i = 0; i < count; i++) {
        block.isAt(threads[batch[i]], plan.points().get(point).site());
      }
    }
    PhaseWaits.Outcome outcome = wait.run(block, threads, batch, count);
    if (outcome == PhaseWaits.Outcome.ALONE) {
      return false;
    }
    boolean passed = outcome == PhaseWaits.Outcome.PASSED;
    for (int i = 0; i < count; i++) {
      states[batch[i]] = passed ? State.GOES_ON : State.WAITS;
      if (!passed) {
        block.isAt(threads[batch[i]], plan.points().get(point).site());
      }
    }
    polls = passed ? 0 : polls;
    return true;
  }

  /** Lets the threads of the batch exchange what they have, if they are whole warps. */
  private boolean exchangeTogether(int point, int count) {
    LaneExchange exchange = point < 0 || point == SteppedKernel.RETURNED ? null : exchanges[point];
    if (exchange == null || !hasWholeWarps || count % LaneExchange.LANES != 0) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      if (batch[i] / LaneExchange.LANES != batch[i - i % LaneExchange.LANES] / LaneExchange.LANES) {
        return false;
      }
    }
    for (int i = 0; i < count; i += LaneExchange.LANES) {
      int first = batch[i] / LaneExchange.LANES * LaneExchange.LANES;
      if (!exchange.run(block, first, first + LaneExchange.LANES)) {
        return false;
      }
    }
    for (int i = 0; i < count; i++) {
      states[batch[i]] = State.GOES_ON;
    }
    polls = 0;
    return true;
  }

  private void arriveAlone(int count) {
    for (int i = 0; i < count; i++) {
      int rank = batch[i];
      int point = block.points[rank];
      if (point == SteppedKernel.RETURNED) {
        leave(rank);
      } else if (plan.points().get(point).meeting() == null) {
        states[rank] = State.GOES_ON;
        if (isAsking[point]) {
          looks.look(rank);
        }
      } else {
        meet(rank, false);
      }
    }
  }

  private int together() {
    if (singly || parts.length > 1 || live == 0 || readyThreads() < live) {
      return SteppedKernel.MIXED;
    }
    int point = -1;
    for (int rank = 0; rank < threads.length; rank++) {
      if (states[rank] == State.RETURNED) {
        continue;
      }
      if (states[rank] != State.GOES_ON || (point >= 0 && block.points[rank] != point)) {
        return SteppedKernel.MIXED;
      }
      point = block.points[rank];
    }
    order.only(rank -> states[rank] == State.GOES_ON);
    return point;
  }

  private int goOnApart() {
    int rank =
        polls > MOST_POLLS * threads.length ? nextThatHasNotAsked() : turns().next(ready, last);
    if (rank < 0 && timedWaits().pass()) {
      rank = turns().next(ready, last);
    }
    if (rank < 0) {
      throw deadlock();
    }
    last = rank;
    if (states[rank] != State.GOES_ON) {
      StepOrder.Batch some =
          order.alike(rank, other -> ready.get(other) && states[other] == State.TAKES_UP);
      some.into(batch);
      for (int i = 0, count = some.count(); i < count; i++) {
        takeUp(batch[i]);
      }
      return together();
    }
    block = parts[rank / each];
    int point = block.points[rank];
    StepOrder.Batch some =
        singly ? order.range(rank, rank + 1) : order.alike(rank, other -> isAt(other, point));
    int now = some.step(kernel, point, block);
    if (now < 0 || now == SteppedKernel.RETURNED || !isPolling[now]) {
      polls = 0;
    }
    return arriveAt(now, some);
  }

  private void takeUp(int rank) {
    block = parts[rank / each];
    PhaseWaits wait = waits[block.points[rank]];
    if (wait == null) {
      meet(rank, true);
      return;
    }
    block.at = rank;
    threads[rank].calls(true);
    wait.takeUp(block, threads[rank]);
    states[rank] = State.GOES_ON;
  }

  /** The report names all threads that ask in vain, so that each asks once more. */
  private int nextThatHasNotAsked() {
    for (int rank = 0; rank < threads.length; rank++) {
      if (states[rank] == State.GOES_ON && ready.get(rank)) {
        return rank;
      }
    }
    return -1;
  }

  /** Whether a thread of the block goes on from a point. */
  private boolean isAt(int rank, int point) {
    return states[rank] == State.GOES_ON
        && block.points[rank] == point
        && ready.get(rank)
        && parts[rank / each] == block;
  }

  private void meet(int rank, boolean again) {
    DeviceThread thread = threads[rank];
    block = parts[rank / each];
    block.at = rank;
    thread.calls(again);
    states[rank] = State.MEETS;
    if (!again && !isPolling[block.points[rank]]) {
      looks.passes(); // it has got past what it looked for
    }
    kernel.meet(block.points[rank], block, rank);
    if (!thread.hasLeftOff()) {
      states[rank] = State.GOES_ON;
      polls = again ? polls : 0; // a thread that only let others run has not got anywhere
    } else if (ready.get(rank)) {
      states[rank] = State.TAKES_UP;
    } else {
      states[rank] = State.WAITS;
    }
  }

  private void leave(int rank) {
    DeviceThread thread = threads[rank];
    block = parts[rank / each];
    block.at = rank;
    states[rank] = State.RETURNED;
    if (asks) {
      goesOn(rank);
    }
    if (plan.copies()) {
      thread.bulkStores().leave();
      thread.products().leave();
    }
    live--;
    clearReady(thread);
    thread.block().leave(thread);
    clusterBarrier.leave(thread);
    gotOn();
  }

  /** Notes that a thread does something else than looking for what others do. */
  private void goesOn(int rank) {
    block.at = rank;
    threads[rank].looks().goesOn();
  }

  // --- what the machine asks --------------------------------------------------------------------

  @Override
  public void wait(Coroutine thread) {
    clearReady(thread);
  }

  @Override
  public void ready(Coroutine thread) {
    super.ready(thread);
    if (states[thread.rank()] == State.WAITS) {
      states[thread.rank()] = State.TAKES_UP;
    }
    polls = 0;
  }

  @Override
  public void poll(Coroutine thread) {
    looks.asksAgain(thread.rank());
    polls++;
    passTime();
  }

  @Override
  void pass(Coroutine thread) {
    pass(); // it goes on at once, and leaves off before it asks again
  }

  /** Warns if threads have got nowhere for long. */
  void pass() {
    if (gotOn) {
      gotOn = false;
      super.gotOn();
    }
    long nanos = System.nanoTime() - progressNanos();
    if (!saidSo && nanos > CarriedThreads.longNanos) {
      saidSo = true;
      Clusters.warn(compiled.launch().faults().kernel(), nanos, whereThreadsAre());
    }
  }

  @Override
  void gotOn() {
    looks.passes();
    gotOn = true; // the clock is read when somebody asks, which costs more than a thread's turn
  }

  @Override
  public boolean isOver() {
    return false;
  }

  @Override
  public DeviceThread running() {
    return threads[block.at];
  }

  @Override
  public void runs(Coroutine thread) {
    block = parts[thread.rank() / each];
    block.at = thread.rank();
  }

  Object threadBlock(int rank) {
    Object made = threadBlocks[rank];
    if (made == null) {
      SteppedBlock its = parts[rank / each];
      ThreadPosition position =
          new ThreadPosition(
              extents(),
              its.blockIndexX,
              its.blockIndexY,
              its.blockIndexZ,
              its.threadIndexX[rank],
              its.threadIndexY[rank],
              its.threadIndexZ[rank]);
      made = compiled.handles().of(position, threads[rank]);
      threadBlocks[rank] = made;
    }
    return made;
  }

  // --- faults -----------------------------------------------------------------------------------

  /** Puts the lines of the kernel in place of the code that was written for them. */
  private Throwable placed(Throwable thrown) {
    StackTraceElement[] all = thrown.getStackTrace();
    int kept = 0;
    while (kept < all.length
        && !all[kept].getClassName().equals(SteppedBlock.class.getName())
        && !all[kept].getClassName().equals(SteppedThreads.class.getName())) {
      kept++;
    }
    StackTraceElement[] lines = plan.sites().get(block.site()).stack();
    List<StackTraceElement> stack = new java.util.ArrayList<>(Arrays.asList(all).subList(0, kept));
    stack.addAll(Arrays.asList(lines));
    thrown.setStackTrace(stack.toArray(StackTraceElement[]::new));
    return thrown;
  }
}
