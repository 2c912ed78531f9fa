package dev.stretto.order;

import dev.stretto.fault.RaceException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * Finds accesses to memory that nothing orders. It is told of every operation that is enqueued, of
 * what streams wait for, and of what the host learns. An operation's accesses are checked with what
 * its stream knows when it is enqueued, and they are over for others when those know that it is
 * done. So a race is found whatever the devices do, and on the first run.
 *
 * <p>The threads of the host count as one, unless an agent sees how they hand over what they know
 * ({@link Threads}): what one of them has learned, another one may know from it, by means that
 * nobody sees here.
 */
public final class Order {
  /**
   * The most closed streams that are kept although the program does not know their work to be done.
   */
  private static final int MOST_GONE = 1 << 10;

  private static final Order OF_PROCESS = new Order(Races.ofProcess(), Threads.clocks());
  private static final Work NOTHING = new Work("nothing", () -> null);

  private final HostClocks hosts;
  private final Set<StreamClock> streams = new LinkedHashSet<>();
  private final List<StreamClock> gone = new ArrayList<>();
  private final SourceSums sums = new SourceSums();
  private final Races races;

  /** Callbacks that have not ended; what the program's code does in them nobody knows. */
  private final List<HeldStream> callbacks = new ArrayList<>();

  /** Operations that call back, and may not be over; nobody learns when. */
  private final List<Moment> callers = new ArrayList<>();

  /** How many threads wait for an operation that another one enqueues just now. */
  private int waiting;

  /** Creates an order that throws races. */
  Order() {
    this(Races.thrown(), new HostClocks());
  }

  private Order(Races races, HostClocks hosts) {
    this.races = races;
    this.hosts = hosts;
  }

  /** {@return the order of all devices of this process that are checked} */
  public static Order ofProcess() {
    return OF_PROCESS;
  }

  /**
   * {@return the clock of a new stream}
   *
   * @param isAutomatic whether its operations wait for what they would race with; otherwise those
   *     are refused
   */
  public synchronized StreamClock open(OrderedStream stream, boolean isAutomatic) {
    for (int i = 0; i < gone.size(); i++) { // the oldest first
      StreamClock before = gone.get(i);
      if (hosts.knownToAll().of(before.index())
          == before.number()) { // so everybody knows all of it
        gone.remove(i);
        return opened(new StreamClock(before.index(), before.number(), stream, isAutomatic));
      }
    }
    return opened(new StreamClock(hosts.index(), 0, stream, isAutomatic));
  }

  /** {@return the clock of a stream that other code uses as well} */
  public synchronized StreamClock open(OrderedStream stream, Shared how) {
    return open(stream, false).sharedAs(how);
  }

  private StreamClock opened(StreamClock stream) {
    hosts.isUsed();
    streams.add(stream);
    return stream;
  }

  /** Notes that nothing more is enqueued on a stream. */
  public synchronized void close(StreamClock stream) {
    if (streams.remove(stream)) {
      stream.closed();
      gone.add(stream);
      if (gone.size() > MOST_GONE) {
        hosts.allLearn(
            gone.getFirst().now().all()); // races with what it did are missed from now on
      }
    }
  }

  /**
   * {@return an operation that is about to be enqueued}
   *
   * @param stream its stream
   * @param last the number of the last operation that was enqueued there; devices may come past it
   *     while this one is enqueued
   * @param work what it is
   */
  public synchronized Issue begin(StreamClock stream, long last, Work work) {
    tell(stream);
    return new Issue(this, stream, stream.begin(last), stream.known(), work);
  }

  /**
   * Notes that a stream waits for a point of another one.
   *
   * @param sequence the number of the wait on its stream
   * @param behind the number of the operation, on the other stream, behind which the point is
   */
  public synchronized void waits(
      StreamClock stream, long sequence, StreamClock other, long behind) {
    tell(stream);
    stream.learn(other.at(behind).all());
    stream.enqueued(sequence, stream.begin(sequence - 1), stream.known());
  }

  /**
   * Notes that a stream writes a number, for which others may wait.
   *
   * @param sequence the number of that operation on its stream
   */
  public synchronized void writesValue(
      StreamClock stream, long sequence, Accesses memory, long address, long value) {
    memory.isWritten(address, new Accesses.Written(value, stream.at(sequence).all()));
  }

  /**
   * Notes that what a stream does from now on comes after a number has been written for which it
   * waits. If the number that was written last is not that, something else will write it of which
   * nobody knows yet when: what races with the stream is only possible then.
   */
  public synchronized void waitsForValue(
      StreamClock stream, Accesses memory, long address, LongPredicate isThat) {
    Accesses.Written last = memory.written(address);
    if (last != null && isThat.test(last.value())) {
      stream.learn(last.known());
    } else {
      stream.waitsForUnknown();
    }
  }

  /**
   * Notes a point of a stream that other code uses as well.
   *
   * @param sequence the number of the point on its stream
   */
  public synchronized void marks(StreamClock stream, long sequence) {
    tell(stream);
    stream.enqueued(sequence, stream.begin(sequence - 1), stream.known());
  }

  /**
   * Notes that a stream frees memory, for which it waits for all other streams that use it.
   *
   * @param sequence the number of the free on its stream
   */
  public synchronized void frees(StreamClock stream, long sequence, Accesses memory) {
    tell(stream);
    for (Access access : memory.all()) {
      if (access.actor() instanceof StreamClock other && other != stream && !access.isVoid()) {
        stream.learn(access.sequence() > 0 ? other.at(access.sequence()).all() : other.now().all());
      }
    }
    stream.enqueued(sequence, stream.begin(sequence - 1), stream.known());
  }

  /** Notes that a stream waits for one whose operations nobody has told of: it may know all. */
  public synchronized void waitsForStranger(StreamClock stream, long sequence) {
    tell(stream);
    learnAll(stream);
    stream.enqueued(sequence, stream.begin(sequence - 1), stream.known());
  }

  /** Notes that what a stream does from now on comes after a point of another one. */
  public synchronized void comesAfter(StreamClock stream, StreamClock other, long behind) {
    stream.learn(other.at(behind).all());
  }

  /** Notes that what a stream does from now on may come after all that any stream does before. */
  public synchronized void comesAfterAll(StreamClock stream) {
    learnAll(stream);
  }

  private void tell(StreamClock stream) {
    stream.learn(hosts.tell());
    Shared shared = stream.shared();
    if (shared != null) {
      streams.forEach(other -> keepStep(stream, shared, other));
      gone.forEach(other -> keepStep(stream, shared, other));
    }
  }

  /** Notes that the host has learned that all is done which streams did that are closed. */
  public synchronized void learnsOfGone(Object device) {
    for (StreamClock stream : gone) {
      if (stream.device().equals(device)) {
        hosts.learn(stream.now());
        stream.isCertain(stream.number());
      }
    }
  }

  private static void keepStep(StreamClock stream, Shared shared, StreamClock other) {
    Shared others = other.shared();
    if (others != null && other != stream && shared.waitsFor(others)) {
      stream.learn(other.now().all());
    }
  }

  /** Where the order is automatic, a wait too many is better than one that is missing. */
  private void learnAll(StreamClock stream) {
    if (stream.isAutomatic()) {
      return;
    }
    streams.forEach(other -> stream.learn(other.now().all()));
    gone.forEach(other -> stream.learn(other.now().all())); // their work may not be over
  }

  /**
   * Notes that a callback was enqueued. What comes behind it on its stream comes after whatever the
   * callback will have waited for, which is known when it ends.
   *
   * @param sequence its number on its stream
   */
  public synchronized void callback(StreamClock stream, long sequence) {
    tell(stream);
    long graph = stream.graph();
    if (graph == 0) {
      stream.enqueued(sequence, stream.begin(sequence - 1), stream.known());
    }
    if (stream.hasRefused(sequence)) {
      return;
    }
    long number = graph == 0 ? stream.number() : graph;
    callbacks.add(new HeldStream(stream, sequence, number, graph != 0, stream.known()));
  }

  /**
   * Notes that a callback begins: the host learns that what is before it is done.
   *
   * @throws RaceException as {@link #learns} does
   */
  public void callbackBegins(StreamClock stream, long sequence) {
    report(
        () -> {
          Optional<HeldStream> held = held(stream, sequence);
          held.ifPresent(HeldStream::begins);
          return learns(
              held.map(HeldStream::before).orElseGet(() -> stream.at(sequence - 1)), sequence - 1);
        });
  }

  private Optional<HeldStream> held(StreamClock stream, long sequence) {
    return callbacks.stream().filter(each -> each.is(stream, sequence)).findFirst();
  }

  /**
   * Notes that a callback has ended.
   *
   * @throws RaceException if its code has enqueued something that races with what is behind the
   *     callback, and has not awaited it
   */
  public void callbackEnds(StreamClock stream, long sequence) {
    List<Found> found;
    synchronized (this) {
      Optional<HeldStream> held = held(stream, sequence);
      if (held.isEmpty()) {
        stream.refused(sequence); // while it was enqueued
        return;
      }
      callbacks.remove(held.get());
      hosts.callbackEnds();
      stream.learn(hosts.tell());
      found = new ArrayList<>(held.get().races(hosts.known()));
      found.removeIf(this::isDecidedByAnother);
    }
    report(found);
  }

  /** {@return whether another callback may await one of the two before the other one happens} */
  private boolean isDecidedByAnother(Found race) {
    for (HeldStream callback : callbacks) {
      if (callback.holds(race.second())) {
        callback.postpone(race);
        return true;
      }
      if (callback.holds(race.first())) {
        callback.postpone(race.swapped());
        return true;
      }
    }
    return false;
  }

  /**
   * Notes that the host has learned that a stream has come past an operation.
   *
   * @throws RaceException if the program has written the source of a copy that is now known to be
   *     done before it knew
   */
  public void learns(StreamClock stream, long behind) {
    report(() -> learns(stream.at(behind), behind));
  }

  private List<SourceSum> learns(Moment moment, long behind) {
    hosts.learn(moment);
    StreamClock stream = moment.stream();
    stream.isCertain(Math.min(moment.number(), stream.surelyAt(behind)));
    return sums.over(hosts.known());
  }

  private void report(Supplier<List<SourceSum>> learning) {
    List<SourceSum> over;
    synchronized (this) {
      over = learning.get();
    }
    over.forEach(sum -> sum.race().ifPresent(races::found));
  }

  /** Notes that an operation of a stream calls back at a time that nobody here learns. */
  void callsBack(Moment moment) {
    callers.add(moment);
  }

  /**
   * Whether nothing but an operation itself may access some bytes before it does. What is only
   * assumed does not count here: that a stream knows all behind a callback.
   */
  boolean isFree(Access itself) {
    itself.memory().forgetNear(itself.bytes(), hosts.knownToAll());
    callers.removeIf(each -> each.stream().certain() >= each.number());
    return callbacks.isEmpty() && callers.isEmpty() && itself.memory().isFreeFor(itself);
  }

  /** Keeps what a source held until the program learns that a number of a stream is done. */
  synchronized void watches(StreamClock stream, long number, SourceSum sum) {
    sums.add(stream, number, sum);
  }

  /** Says nothing of a source any more. */
  void watchesNoMore(StreamClock stream, SourceSum sum) {
    sums.remove(stream, sum);
  }

  /** Notes that the program learns that a copy has read its source when it was enqueued. */
  public synchronized void learnsThatItHasRead(StreamClock stream, long sequence) {
    Issue issue = stream.told(sequence);
    if (issue != null) {
      issue.hasRead();
    }
  }

  /**
   * Notes that the program accesses host memory before the call returns. Whatever its thread
   * enqueues later comes after that; it is kept for other threads, if they are told apart.
   *
   * @throws RaceException if that races with an access that is not over
   */
  public void accesses(Accesses memory, Footprint bytes, Way way, Work work) {
    if (memory.isOver() && !hosts.areApart()) {
      return;
    }
    List<Found> found;
    synchronized (this) {
      memory.forget(hosts.knownToAll());
      Access access = new Access(memory, hosts.actor(), 0, bytes, way, work, hosts.known());
      found = check(access, hosts.known());
      if (!found.isEmpty() && way.writes()) {
        memory.isWritten(bytes); // so the sources of copies say the same once more otherwise
      }
      hosts.accessed(memory, bytes, way, work);
    }
    report(found);
  }

  /** {@return what all threads of the program know} */
  Knowledge knownToHost() {
    return hosts.knownToAll();
  }

  /** {@return the operations that one with these demands would have to wait for} */
  public synchronized List<Pending> pending(List<Demand> demands) {
    List<Pending> all = new ArrayList<>();
    Knowledge known = hosts.known();
    for (Demand demand : demands) {
      Access wanted =
          new Access(
              demand.memory(), hosts.actor(), 0, demand.bytes(), demand.way(), NOTHING, known);
      for (Access access : demand.memory().racesWith(wanted, known)) {
        if (access.actor() instanceof StreamClock clock && access.sequence() > 0) {
          OrderedStream stream = clock.stream();
          if (stream != null) {
            all.add(new Pending(stream, access.sequence()));
          }
        }
      }
    }
    return all;
  }

  /** {@return what a stream knows} */
  synchronized Knowledge known(StreamClock stream) {
    return stream.known();
  }

  /**
   * Forgets accesses that are over. Streams are asked without a lock of the order: they have locks
   * of their own.
   */
  void forgetOver(Accesses memory) {
    List<Access> all;
    synchronized (this) {
      all = memory.ifMany();
    }
    if (all.isEmpty()) {
      return;
    }
    Set<Access> over = new HashSet<>();
    for (Access access : all) {
      if (access.isOver()) {
        over.add(access);
      }
    }
    synchronized (this) {
      memory.forget(over);
    }
  }

  /**
   * Keeps the accesses of operations that will wait for what they would race with.
   *
   * @return those that they have to wait for, all of which are enqueued
   */
  synchronized List<Access> add(List<Issue> issues) {
    List<Access> before = new ArrayList<>();
    for (Issue issue : issues) {
      for (Access use = issue.last(); use != null; use = use.before()) {
        for (Access other : use.memory().racesWith(use, issue.stream().known())) {
          if (!(other.actor() instanceof HostClock)) {
            before.add(other);
          }
        }
      }
    }
    for (Issue issue : issues) {
      for (Access use = issue.last(); use != null; use = use.before()) {
        use.memory().add(use);
      }
    }
    awaitEnqueued(before);
    return before;
  }

  /**
   * Waits for other threads that enqueue an operation just now. They wait only for those that came
   * before them, so that the waits end.
   */
  private void awaitEnqueued(List<Access> accesses) {
    boolean isInterrupted = false;
    for (Access access : accesses) {
      while (!access.isVoid() && access.sequence() == 0) {
        waiting++;
        try {
          wait();
        } catch (InterruptedException e) {
          isInterrupted = true;
        } finally {
          waiting--;
        }
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Wakes those who wait for an operation that another thread enqueues. */
  void hasEnded() {
    if (waiting > 0) {
      notifyAll();
    }
  }

  /** Checks an access against those before it, and keeps it. */
  void add(Access access, Knowledge known) {
    List<Found> found;
    synchronized (this) {
      found = check(access, known);
      access.memory().add(access);
    }
    report(found);
  }

  private void report(List<Found> found) {
    found.forEach(races::found);
  }

  /**
   * {@return the races that do not keep the operation from being enqueued}
   *
   * @throws RaceException if there is another one
   */
  private List<Found> check(Access access, Knowledge known) {
    Accesses memory = access.memory();
    List<Access> racing = memory.racesWith(access, known);
    if (racing.isEmpty()) {
      return List.of();
    }
    Knowledge now = hosts.known(); // another thread may have learned something since it began
    List<Found> found = new ArrayList<>();
    for (Access before : racing) {
      if (before.isKnownTo(now) || isDecidedLater(memory, before, access)) {
        continue;
      }
      boolean isAwaited =
          before.actor() instanceof StreamClock && before.isKnownTo(hosts.knownToAny());
      Found race = new Found(memory, before, access, Race.wayOut(before, access, isAwaited));
      if (races.areThrown() && !access.isUnsure() && !before.isUnsure()) {
        races.found(race);
      }
      found.add(race);
    }
    return found;
  }

  /**
   * {@return whether two accesses may be ordered by a callback that has not ended} Either the newer
   * one is behind it, and the callback may await the older one; or the newer one may be one of the
   * callback's code, and the older one is behind it.
   */
  private boolean isDecidedLater(Accesses memory, Access before, Access access) {
    boolean isLater = false;
    for (HeldStream callback : callbacks) {
      if (callback.holds(access)) {
        callback.postpone(new Found(memory, before, access, HeldStream.WAY_OUT));
        return true;
      } else if (callback.mayBeRunHere()) {
        isLater |= callback.isAround(before);
        if (callback.holds(before)) {
          isLater = true;
          if (access.actor() != hosts.actor()) {
            callback.postpone(new Found(memory, access, before, HeldStream.WAY_OUT));
          }
        }
      }
    }
    return isLater;
  }
}
