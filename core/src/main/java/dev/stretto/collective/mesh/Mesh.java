package dev.stretto.collective.mesh;

import dev.stretto.fault.PeerLostException;
import dev.stretto.fault.RankMismatchException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one rank to all others. The first failure of any rank ends them all, so that nobody
 * waits for who cannot come.
 */
public final class Mesh implements AutoCloseable {
  /** How long one rank waits for the word of another why its connection has ended. */
  private static final long WORD_NANOS = 300_000_000;

  private static final Duration FAREWELL = Duration.ofSeconds(5);

  private final List<Introduction> ranks;
  private final Introduction own;
  private final @Nullable Line[] lines;
  private final Duration silence;
  private final CountDownLatch listening;
  private final Consumer<RuntimeException> whenFailed;

  /** The first failure; set once. */
  private @Nullable RuntimeException failure;

  private volatile boolean isClosed;
  private volatile @Nullable Thread watcher;

  Mesh(
      List<Introduction> ranks,
      int rank,
      Duration silence,
      Consumer<RuntimeException> whenFailed,
      Arrivals arrivals) {
    this.ranks = List.copyOf(ranks);
    this.own = ranks.get(rank);
    this.silence = silence;
    this.whenFailed = whenFailed;
    this.lines = new Line[ranks.size()];
    this.listening = new CountDownLatch(ranks.size() - 1);
    for (int i = 0; i < lines.length; i++) {
      if (i != rank) {
        lines[i] = new Line(this, ranks.get(i), arrivals.talk(i), arrivals.data(i));
      }
    }
  }

  /** Begins to listen to all. */
  void begin() {
    for (Line line : lines) {
      if (line != null) {
        Thread _ =
            Thread.ofVirtual()
                .name("stretto-rank " + line.other().rank())
                .start(
                    () -> {
                      line.listen();
                      listening.countDown();
                    });
      }
    }
    if (lines.length > 1) {
      watcher = Thread.ofPlatform().daemon().name("stretto-ranks-live").start(this::watch);
    }
  }

  /** {@return all ranks, in their order} */
  public List<Introduction> ranks() {
    return ranks;
  }

  /** {@return this rank} */
  public Introduction own() {
    return own;
  }

  /** {@return the line to another rank} */
  public Line line(int rank) {
    Line line = lines[rank];
    if (line == null) {
      throw new IllegalArgumentException("rank " + rank + " is this one");
    }
    return line;
  }

  // --- failures
  // -------------------------------------------------------------------------------------------------

  /** {@return the first failure, or null} */
  public synchronized @Nullable RuntimeException failure() {
    return failure;
  }

  /** {@return a failure once more, for another operation} */
  public RuntimeException again(RuntimeException known) {
    return switch (known) {
      case PeerLostException lost ->
          new PeerLostException(lost.rank(), String.valueOf(lost.getMessage()), lost);
      case RankMismatchException mismatch -> mismatch;
      default -> known;
    };
  }

  /**
   * Gives up: tells all other ranks why, and ends every wait for them.
   *
   * @param why the first one counts
   */
  public void fail(RuntimeException why) {
    fail(own.rank(), String.valueOf(why.getMessage()), why);
  }

  /**
   * The same for what another rank has found out.
   *
   * @param origin that rank
   * @param told its words
   */
  private void fail(int origin, String told, RuntimeException why) {
    synchronized (this) {
      if (failure != null || isClosed) {
        return;
      }
      failure = why;
    }
    for (Line line : lines) {
      if (line != null) {
        line.fail(origin, told);
      }
    }
    whenFailed.accept(why);
    Thread _ = Thread.ofVirtual().name("stretto-ranks-part").start(this::endWhenHeard);
  }

  /** A rank has said that one gives up. */
  void failed(int origin, String why) throws IOException {
    if (origin < 0 || origin >= ranks.size()) {
      throw new IOException("there is no rank " + origin);
    }
    fail(
        origin,
        why,
        new PeerLostException(
            origin,
            "%s has given the communicator up: %s".formatted(ranks.get(origin).title(), why)));
  }

  /** A connection over which something was sent or received has ended. */
  RuntimeException lost(Line line, IOException why) {
    long until = System.nanoTime() + WORD_NANOS;
    RuntimeException known = failure();
    while (known == null && System.nanoTime() < until) {
      LockSupport.parkNanos(this, 1_000_000); // the line's listener hears why
      known = failure();
    }
    return known != null ? again(known) : gone(line.other(), why);
  }

  /** A connection has ended over which a rank would have said that it leaves. */
  void ended(Line line, IOException why) {
    if (!isClosed) {
      fail(gone(line.other(), why));
    }
  }

  private static PeerLostException gone(Introduction other, IOException why) {
    return new PeerLostException(
        other.rank(),
        "%s has ended without closing its communicator (%s): close this one, and make a new one of the processes that are left"
            .formatted(other.title(), why),
        why);
  }

  /** Says that this rank lives, and finds out who is silent. */
  private void watch() {
    long pause = Math.max(silence.toNanos() / 4, 1_000_000);
    while (failure() == null && !isClosed) {
      long begin = System.nanoTime();
      LockSupport.parkNanos(this, pause);
      boolean wasSuspended = System.nanoTime() - begin > 2 * pause;
      for (Line line : lines) {
        if (line != null && !isClosed) {
          line.live();
          if (!wasSuspended && line.silentNanos() > silence.toNanos()) {
            fail(
                new PeerLostException(
                    line.other().rank(),
                    "%s has said nothing for %d ms: its machine or the network between may be down"
                        .formatted(line.other().title(), silence.toMillis())));
          }
        }
      }
    }
  }

  // --- the end
  // --------------------------------------------------------------------------------------------------

  /** Takes leave of all ranks on a thread of its own. No operation may be under way. */
  @Override
  public void close() {
    synchronized (this) {
      if (isClosed) {
        return;
      }
      isClosed = true;
      if (failure != null) {
        return;
      }
    }
    Thread _ = Thread.ofVirtual().name("stretto-ranks-part").start(this::part);
  }

  private void part() {
    for (Line line : lines) {
      if (line != null) {
        line.leave();
      }
    }
    endWhenHeard();
  }

  /** A connection that is closed too early takes the last words with it. */
  private void endWhenHeard() {
    LockSupport.unpark(watcher); // its pause may be long
    try {
      boolean _ = listening.await(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) { // nobody interrupts this thread
      Thread.currentThread().interrupt();
    }
    for (Line line : lines) {
      if (line != null) {
        line.close();
      }
    }
  }
}
