package dev.stretto.route;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.fault.CopyFailedException;
import dev.stretto.settings.Settings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Host threads that feed large staged copies to a device. Each fills a piece of its own slot, hands
 * the piece to the driver, and asks the driver itself when it may fill that part again: no piece
 * takes the driver's lock or waits for the device's poller. What a piece costs the host so is borne
 * by as many cores as there are threads, also while the JVM has not compiled that code yet.
 *
 * <p>Not for modelled and seeded devices, where everything happens in an order.
 */
final class Feeders {
  /**
   * As much of one copy is fed before the turn of another. Two take turns: if all did, they would
   * all be done at the same time, and a flow would have nothing to bring while it works on them; a
   * single one waits for its stream between pieces.
   */
  private static final int PIECES_IN_A_ROW = 16;

  /**
   * A copy that needs only one turn overtakes others, but so many of them let one that waits go.
   */
  private static final int MOST_OVERTAKING = 8;

  /**
   * So many threads that read files fill a link. More take caches and cores from other processes:
   * two with 16 each read 0.8 times as fast as with 12.
   */
  private static final int MOST_OF_FILES = 12;

  private final DeviceRuntime engine;
  private final boolean readsFiles;

  /** The most that are at work. */
  private final int most;

  /**
   * Copies that have pieces which nobody has taken yet; the first two take turns. Guarded by
   * itself.
   */
  private final ArrayDeque<StagedIn> open = new ArrayDeque<>();

  /** How many pieces of the first copy were taken since it is the first one. */
  private int inARow;

  /** How many have overtaken others since one did not. */
  private int overtaking;

  /** Guarded by the driver's lock. */
  private final ArrayDeque<Feeder> idle = new ArrayDeque<>();

  /** Guarded by the driver's lock. */
  private final List<Feeder> all = new ArrayList<>();

  /**
   * @param readsFiles whether the threads are those that may have to wait for a disk
   * @param threads how many there are
   */
  Feeders(DeviceRuntime engine, boolean readsFiles, int threads) {
    this.engine = engine;
    this.readsFiles = readsFiles;
    this.most = Math.clamp(Settings.SLOTS.value() / 2, 1, threads);
  }

  DriverDevice driver() {
    return engine.driver();
  }

  boolean isVirtual() {
    return engine.isVirtual();
  }

  /** Has a copy fed whose turn in its stream has come. Called with the driver's lock held. */
  void add(StagedIn copy) {
    engine.lock.assertHeld();
    long pieces;
    synchronized (open) {
      pieces = copy.untaken();
      enqueue(copy, pieces);
    }
    start(pieces);
  }

  private void start(long pieces) {
    for (long left = pieces; left > 0 && all.size() - idle.size() < most; left--) {
      Feeder feeder = idle.poll();
      if (feeder == null) {
        feeder = new Feeder(this);
        all.add(feeder);
      }
      engine.slots().request(feeder);
    }
  }

  /** Runs a feeder on a host thread. */
  void run(Feeder feeder) {
    if (readsFiles) {
      engine.device().laterWithFiles(feeder);
    } else {
      engine.device().later(feeder);
    }
  }

  /** {@return whether other tasks wait for the thread} */
  boolean areOthersWaiting() {
    return engine.device().hostWork().isAnyWaiting(readsFiles);
  }

  /** {@return whether others wait for slots, and there will be no more} */
  boolean areSlotsScarce() {
    return engine.slots().areScarce();
  }

  /** {@return the bytes of the piece that is to be taken next; 0 if there is none} */
  long nextBytes() {
    synchronized (open) {
      StagedIn first = firstOpen();
      return first == null ? 0 : first.pieceBytes();
    }
  }

  /**
   * Gives a feeder a piece.
   *
   * @param most bytes for which it has room
   * @return whether there was one
   */
  boolean give(Feeder feeder, long most) {
    synchronized (open) {
      StagedIn first = firstOpen();
      if (first == null || first.pieceBytes() > most) {
        return false;
      }
      feeder.gets(first, first.takePiece());
      if (++inARow >= PIECES_IN_A_ROW && open.size() > 1) {
        turn();
      }
      return true;
    }
  }

  private void enqueue(StagedIn copy, long pieces) {
    if (open.isEmpty() || pieces > PIECES_IN_A_ROW || overtaking >= MOST_OVERTAKING) {
      overtaking = 0;
      open.add(copy);
      return;
    }
    overtaking++;
    StagedIn first = open.remove();
    open.addFirst(copy);
    open.addFirst(first);
  }

  /** Lets the second copy go on in place of the first. */
  private void turn() {
    StagedIn first = open.remove();
    StagedIn second = open.remove();
    open.addFirst(first);
    open.addFirst(second);
    inARow = 0;
  }

  private @Nullable StagedIn firstOpen() {
    StagedIn first = open.peek();
    while (first != null && first.untaken() == 0) {
      open.remove();
      inARow = 0;
      first = open.peek();
    }
    return first;
  }

  /** Takes the slot of a feeder that has nothing to do, until the copies in it are done. */
  void end(Feeder feeder, Slots.Part slot, List<StagedIn> using) {
    engine
        .locked()
        .run(
            () -> {
              Countdown unused = giveBack(slot, using.size());
              using.forEach(copy -> copy.queue.completion.whenDone(copy.sequence, unused));
              ended(feeder, unused);
            });
  }

  /** Takes the slot of a feeder that had its turn, until the pieces in it have left. */
  void endTurn(Feeder feeder, Slots.Part slot, List<StagedIn> using) {
    engine.locked().run(() -> leave(feeder, slot, using));
  }

  /**
   * The same for a feeder whose oldest piece waits for the device for long: until the device gets
   * to it, that copy is not fed, so that copies on other streams are.
   */
  void putAside(StagedIn late, Feeder feeder, Slots.Part slot, List<StagedIn> using) {
    engine
        .locked()
        .run(
            () -> {
              boolean wasOpen;
              synchronized (open) {
                wasOpen = open.remove(late);
                inARow = 0;
              }
              if (wasOpen) {
                late.whenSent(() -> engine.locked().run(() -> resume(late)));
              }
              leave(feeder, slot, using);
            });
  }

  private void leave(Feeder feeder, Slots.Part slot, List<StagedIn> using) {
    Countdown unused = giveBack(slot, using.size());
    using.forEach(copy -> copy.whenSent(unused));
    ended(feeder, unused);
  }

  /** {@return gives a slot back when it was run so often, and once more} */
  private Countdown giveBack(Slots.Part slot, int uses) {
    return new Countdown(uses + 1, () -> engine.locked().run(() -> engine.slots().giveBack(slot)));
  }

  private void ended(Feeder feeder, Countdown unused) {
    unused.run();
    idle.push(feeder);
    boolean isAny;
    synchronized (open) {
      isAny = firstOpen() != null;
    }
    if (isAny) {
      start(most);
    }
  }

  private void resume(StagedIn copy) {
    if (copy.untaken() > 0) {
      add(copy);
    }
  }

  /** Notes that there is no slot for a feeder and will be none. */
  void refused(Feeder feeder, RuntimeException why) {
    engine.lock.assertHeld();
    idle.push(feeder);
    List<StagedIn> failing;
    synchronized (open) {
      failing = List.copyOf(open);
      open.clear();
    }
    failing.forEach(copy -> copy.refused(why));
  }

  /** Destroys the events when the device is closed and nothing is staged any more. */
  void release() {
    synchronized (engine.lock) {
      for (Feeder feeder : all) {
        feeder.destroyEvents();
      }
      all.clear();
      idle.clear();
    }
  }

  /** {@return the exception that a program sees for what a feeder's thread has thrown} */
  RuntimeException raised(Throwable e) {
    return e instanceof DriverException refusal
        ? engine.raised(refusal)
        : new CopyFailedException("a host thread that staged a copy failed: " + e, e);
  }

  /**
   * {@return those that read files} A core takes 3 to 6 GB/s out of the page cache, so fewer than
   * all keep a link busy, and more of them only disturb each other.
   */
  static Feeders ofFiles(DeviceRuntime engine, HostWork host) {
    int width = host.widthWithFiles();
    long cores = engine.driver().clock().cores();
    int most = Math.min(MOST_OF_FILES, width);
    return new Feeders(engine, true, Math.clamp(cores * 5 / 8, Math.min(8, width), most));
  }
}
