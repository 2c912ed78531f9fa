package dev.stretto.collective.mesh;

import dev.stretto.fault.AwaitInterruptedException;
import dev.stretto.fault.DeadlineExceededException;
import dev.stretto.fault.PeerLostException;
import dev.stretto.fault.RankMismatchException;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The way of one rank to the others: to the meeting first, and then to each of them. */
public final class Joining {
  private static final int ASK_MILLIS = 2_000;
  private static final long LOOK_NANOS = 20_000_000;

  private final Invitation meeting;
  private final int rank;
  private final int size;
  private final long deadline;
  private final Duration limit;

  /** On what the thread waits; guarded by this. */
  private @Nullable SocketChannel talking;

  private volatile boolean isGivenUp;

  /**
   * Begins.
   *
   * @param meeting where all meet
   * @param rank of this process
   * @param size how many there are
   * @param limit how long to wait for all others
   */
  public Joining(Invitation meeting, int rank, int size, Duration limit) {
    this.meeting = meeting;
    this.rank = rank;
    this.size = size;
    this.limit = limit;
    this.deadline = System.nanoTime() + limit.toNanos();
  }

  /**
   * Waits until all ranks are connected.
   *
   * @param address at which others reach this machine, or nothing
   * @param introduction of this rank, with an invitation
   * @param silence how long a rank may say nothing
   * @param whenFailed told of the first failure, on any thread
   * @return the lines to all
   * @throws DeadlineExceededException if some do not come in time
   * @throws RankMismatchException if two take the same rank, or say different sizes
   * @throws PeerLostException if one comes and goes
   * @throws AwaitInterruptedException if the thread is interrupted
   */
  public Mesh await(
      String address,
      Function<Invitation, Introduction> introduction,
      Duration silence,
      Consumer<RuntimeException> whenFailed) {
    // A thread of the program may be interrupted, and waits for sockets that time out may not be.
    FutureTask<Mesh> task =
        new FutureTask<>(() -> connect(address, introduction, silence, whenFailed));
    Thread _ = Thread.ofVirtual().name("stretto-rank-joins").start(task);
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      giveUp();
      throw new AwaitInterruptedException(
          "the thread was interrupted while it waited for the other ranks of a communicator", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException("the thread that joins the others has failed", e);
    }
  }

  private synchronized void giveUp() {
    isGivenUp = true;
    if (talking != null) {
      try {
        talking.close();
      } catch (IOException _) { // it is of no use any more
        return;
      }
    }
  }

  /** Notes the connection on which the thread waits, or that it waits no more. */
  private synchronized void talks(@Nullable SocketChannel channel) throws IOException {
    talking = channel;
    if (isGivenUp) {
      throw new IOException("nobody waits any more");
    }
  }

  private Mesh connect(
      String address,
      Function<Invitation, Introduction> introduction,
      Duration silence,
      Consumer<RuntimeException> whenFailed)
      throws InterruptedException {
    Arrivals arrivals = new Arrivals(rank, size);
    boolean complete = false;
    try (Reception reception = Reception.open(address, "stretto-rank")) {
      Invitation own = reception.invite(arrivals::receive);
      List<Introduction> all = meet(introduction.apply(own));
      for (Introduction other : all.subList(0, rank)) {
        visit(arrivals, other);
      }
      if (!hasAll(arrivals)) {
        throw new PeerLostException(
            arrivals.firstMissing(),
            "%s was at the meeting, and made no connection within %d ms: can its machine reach port %d of this one?"
                .formatted(all.get(arrivals.firstMissing()).title(), limit.toMillis(), own.port()));
      }
      Mesh mesh = new Mesh(all, rank, silence, whenFailed, arrivals);
      complete = true;
      mesh.begin();
      synchronized (this) {
        if (isGivenUp) {
          mesh.close();
        }
      }
      return mesh;
    } finally {
      if (!complete) {
        arrivals.close();
      }
    }
  }

  private boolean hasAll(Arrivals arrivals) throws InterruptedException {
    while (!arrivals.await(LOOK_NANOS)) {
      if (isGivenUp || System.nanoTime() - deadline > 0) {
        return false;
      }
    }
    return true;
  }

  private void visit(Arrivals arrivals, Introduction other) {
    try {
      talks(null);
      arrivals.visit(other, millisLeft());
    } catch (IOException e) {
      throw new PeerLostException(
          other.rank(),
          "%s was at the meeting, and cannot be reached: %s"
              .formatted(other.title(), e.getMessage()),
          e);
    }
  }

  private List<Introduction> meet(Introduction own) {
    try (SocketChannel channel = Reception.visit(meeting, millisLeft())) {
      talks(channel);
      DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(channel.socket().getOutputStream()));
      own.write(out);
      out.flush();
      channel.socket().setSoTimeout(millisLeft());
      DataInputStream in = new DataInputStream(channel.socket().getInputStream());
      try {
        return answer(in);
      } catch (SocketTimeoutException _) {
        out.writeByte(Meeting.WHO);
        out.flush();
        channel.socket().setSoTimeout(ASK_MILLIS);
        return answer(in);
      }
    } catch (IOException e) {
      throw new PeerLostException(
          0,
          "rank %d cannot reach the process that has made the communicator's id (%s): has it ended, have all ranks met already, or does another program have its port?"
              .formatted(rank, e.getMessage()),
          e);
    }
  }

  private int millisLeft() {
    return Math.clamp((deadline - System.nanoTime()) / 1_000_000, 1, Integer.MAX_VALUE);
  }

  private List<Introduction> answer(DataInputStream in) throws IOException {
    byte what = in.readByte();
    return switch (what) {
      case Meeting.ALL -> all(in);
      case Meeting.REFUSED -> throw new RankMismatchException(in.readUTF());
      case Meeting.PRESENT -> throw late(in);
      default -> throw new IOException("an unknown answer: " + what);
    };
  }

  private List<Introduction> all(DataInputStream in) throws IOException {
    List<Introduction> all = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      all.add(Introduction.read(in));
    }
    return all;
  }

  private DeadlineExceededException late(DataInputStream in) throws IOException {
    boolean[] came = new boolean[size];
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      came[in.readInt()] = true;
    }
    List<String> missing = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      if (!came[i]) {
        missing.add("rank " + i);
      }
    }
    return new DeadlineExceededException(
        "after %d ms, %d of %d ranks of a communicator have come; missing: %s"
            .formatted(limit.toMillis(), count, size, String.join(", ", missing)),
        missing);
  }
}
