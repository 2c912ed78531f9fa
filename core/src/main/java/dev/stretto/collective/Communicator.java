package dev.stretto.collective;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.collective.mesh.Joining;
import dev.stretto.collective.mesh.Meeting;
import dev.stretto.collective.mesh.Mesh;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.route.GuardedBy;
import dev.stretto.route.HostStep;
import dev.stretto.route.Reports;
import dev.stretto.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One rank of several that share arrays, each with a device of its own, in any processes of any
 * machines: NCCL's {@code ncclComm_t}. One process makes an {@link CommunicatorId}, all get it by
 * any way, and each joins with its rank:
 *
 * {@snippet :
 * CommunicatorId id = CommunicatorId.parse(text); // of Communicator.id() in one process
 * try (Communicator ranks = Communicator.awaitPeers(id, rank, 4, device)) {
 *   ranks.allReduce(stream, gradients, gradients, Reduction.SUM);
 *   stream.launch(grid, step, weights, gradients); // after it, in the order of the stream
 * }
 * }
 *
 * <p><em>Order.</em> Each call enqueues one operation on the stream, and does not block: it happens
 * after what the stream has, and before what it gets later. The operations of one communicator come
 * one after the other, in the order of the calls, whatever their streams. All ranks have to make
 * the same calls in the same order, with the same sizes, types, reductions and roots.
 *
 * <p><em>Transports.</em> With {@link Transport#NCCL} the operations are NCCL's. It is chosen if
 * all ranks find the library and have a GPU, each another one. Otherwise it is {@link
 * Transport#TCP}. {@link #reason()} says why; and if GPUs are there and NCCL is not, this is logged
 * as a warning.
 *
 * <p><em>Graphs.</em> On a stream that is being {@linkplain dev.stretto.Graph#capture captured}, a
 * call becomes a node, and each launch of the graph makes it, in its turn among the others. All
 * ranks have to capture the same calls and launch their graphs in the same order. NCCL may wait for
 * the other ranks at its first calls, in a capture within the call: so a process with several ranks
 * captures each on a thread of its own, or makes a call before. A graph keeps the communicator as
 * it keeps its arrays: it can be launched after {@link #close()}, until it is closed itself.
 *
 * <p><em>Failures.</em> If a process ends, closes its communicator too early, or says nothing for
 * the time that the setting {@code dev.stretto.collective.silence} allows, all operations that are
 * under way throw a {@link dev.stretto.fault.PeerLostException} where they are awaited, on all
 * ranks, and so does each later call. If NCCL refuses a call, or finds an error by itself while an
 * operation is under way, that rank throws a {@link dev.stretto.fault.NcclException} instead. With
 * {@link Transport#TCP}, ranks whose calls do not match get a {@link
 * dev.stretto.fault.RankMismatchException}. Then close the communicator; the device, its memory and
 * its streams go on, and a new communicator can be made with a new id.
 *
 * <p>The arrays are kept alive until an operation is done, even if they are closed before. Any
 * thread may call.
 */
public final class Communicator implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  /** A century: longer durations have too many nanoseconds for a long. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final Mesh mesh;
  private final Device device;
  private final Choice choice;
  private final Carrier carrier;
  private final RankArguments arguments;

  /** Held while an operation, or a launch of a graph, is being enqueued. */
  private final ReentrantLock turn = new ReentrantLock();

  /** The end of what was enqueued last. */
  @GuardedBy("turn")
  private @Nullable Event last;

  @GuardedBy("turn")
  private boolean closed;

  /** The program, until it has closed the communicator, and the operations in graphs. */
  private final AtomicInteger users = new AtomicInteger(1);

  private Communicator(Mesh mesh, Device device, Choice choice, Carrier carrier) {
    this.mesh = mesh;
    this.device = device;
    this.choice = choice;
    this.carrier = carrier;
    this.arguments =
        new RankArguments(
            device, mesh.own().rank(), mesh.ranks().size(), choice.transport() == Transport.NCCL);
  }

  /**
   * {@return the id of a new communicator} This process listens until all ranks have come; it may
   * be one of them, or not. The setting {@code dev.stretto.collective.address} says under which
   * address others reach it, if it has several and they should not try all.
   *
   * @throws java.io.UncheckedIOException if this machine can open no socket
   * @throws dev.stretto.fault.SettingException if a system property of Stretto has an invalid value
   */
  public static CommunicatorId id() {
    return CommunicatorId.of(Meeting.open(Settings.COLLECTIVE_ADDRESS.value()));
  }

  /**
   * Waits until all ranks have come, for a minute at most. See {@link #awaitPeers(CommunicatorId,
   * int, int, Device, Duration)}.
   *
   * @param id of the communicator
   * @param rank of this process, from 0 on; no two may have the same
   * @param size how many ranks there are
   * @param device whose arrays this rank shares
   * @return the communicator
   */
  public static Communicator awaitPeers(CommunicatorId id, int rank, int size, Device device) {
    return awaitPeers(id, rank, size, device, LIMIT);
  }

  /**
   * Waits until all ranks have come.
   *
   * @param id of the communicator: it makes one
   * @param rank of this process, from 0 on; no two may have the same
   * @param size how many ranks there are
   * @param device whose arrays this rank shares
   * @param atMost how long to wait
   * @return the communicator
   * @throws IllegalArgumentException if the rank is not from 0 to {@code size - 1}
   * @throws dev.stretto.fault.DeadlineExceededException if some do not come in time; the message
   *     names them
   * @throws dev.stretto.fault.RankMismatchException if two come with the same rank, or with
   *     different sizes, or the id was used before
   * @throws dev.stretto.fault.PeerLostException if a rank, or the process that has made the id,
   *     cannot be reached
   * @throws dev.stretto.fault.AwaitInterruptedException if the thread is interrupted
   * @throws ClosedException if the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   * @throws dev.stretto.fault.SettingException if a system property of Stretto has an invalid value
   */
  public static Communicator awaitPeers(
      CommunicatorId id, int rank, int size, Device device, Duration atMost) {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(device, "device");
    Objects.requireNonNull(atMost, "atMost");
    Duration bounded = atMost.compareTo(LONGEST) > 0 ? LONGEST : atMost;
    Duration most = bounded.isNegative() ? Duration.ZERO : bounded;
    if (rank < 0 || rank >= size) {
      throw new IllegalArgumentException(
          "rank %d of %d: ranks are 0 to size - 1".formatted(rank, size));
    }
    Carriers carriers = Carriers.of(device, rank);
    Mesh mesh =
        new Joining(id.invitation(), rank, size, most)
            .await(
                Settings.COLLECTIVE_ADDRESS.value(),
                invitation -> carriers.introduce(rank, size, invitation),
                Duration.ofMillis(Settings.COLLECTIVE_SILENCE.value()),
                carriers::fail);
    boolean isMade = false;
    try {
      Choice choice = Choice.of(mesh.ranks());
      Communicator made = new Communicator(mesh, device, choice, carriers.make(mesh, choice, most));
      isMade = true;
      return made;
    } finally {
      if (!isMade) {
        mesh.close();
      }
    }
  }

  // --- what it is
  // -----------------------------------------------------------------------------------------------

  /** {@return the number of this rank, from 0 on} */
  public int rank() {
    return mesh.own().rank();
  }

  /** {@return how many ranks there are} */
  public int size() {
    return mesh.ranks().size();
  }

  /** {@return the device whose arrays this rank shares} */
  public Device device() {
    return device;
  }

  /** {@return how the data goes from rank to rank; the same for all ranks} */
  public Transport transport() {
    return choice.transport();
  }

  /** {@return why it goes that way} */
  public String reason() {
    return choice.reason();
  }

  RankArguments arguments() {
    return arguments;
  }

  // --- operations of all ranks
  // ----------------------------------------------------------------------------------

  /**
   * Combines the arrays of all ranks, element by element, and gives the result to all: {@code
   * ncclAllReduce}.
   *
   * @param stream of the communicator's device
   * @param source of this rank
   * @param destination of the same type and length; may be the source
   * @param reduction how
   * @return an event that happens when the operation is done on this rank
   * @throws IllegalArgumentException if the arrays do not match, overlap in another way, or are not
   *     on the communicator's device
   * @throws dev.stretto.fault.RaceException where the order is checked, as for {@link
   *     Stream#copy(GlobalArray, GlobalArray)}
   * @throws dev.stretto.fault.RouteException if the transport is TCP and the stream is a default
   *     stream or another library's
   * @throws dev.stretto.fault.GraphException if the body of a conditional node is being described,
   *     or NCCL does in a capture what CUDA cannot capture
   * @throws dev.stretto.fault.PeerLostException if a rank was lost before
   * @throws ClosedException if the communicator, the stream, the device or an array is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Event allReduce(
      Stream stream, GlobalArray source, GlobalArray destination, Reduction reduction) {
    Objects.requireNonNull(stream, "stream");
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(reduction, "reduction");
    return enqueue(stream, List.of(arguments.allReduce(source, destination, reduction)));
  }

  /**
   * Gives all ranks the arrays of all, in the order of the ranks: {@code ncclAllGather}.
   *
   * @param stream of the communicator's device
   * @param source of this rank
   * @param destination as long as the sources of all ranks together; the source may be this rank's
   *     part of it
   * @return an event that happens when the operation is done on this rank
   * @throws IllegalArgumentException if the arrays do not match, overlap in another way, or are not
   *     on the communicator's device
   * @throws RuntimeException otherwise as {@link #allReduce}
   */
  public Event allGather(Stream stream, GlobalArray source, GlobalArray destination) {
    Objects.requireNonNull(stream, "stream");
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return enqueue(stream, List.of(arguments.allGather(source, destination)));
  }

  /**
   * Combines the arrays of all ranks, element by element, and gives each rank its part of the
   * result: {@code ncclReduceScatter}.
   *
   * @param stream of the communicator's device
   * @param source as long as the destinations of all ranks together
   * @param destination this rank's part; may be that part of the source
   * @param reduction how
   * @return an event that happens when the operation is done on this rank
   * @throws IllegalArgumentException if the arrays do not match, overlap in another way, or are not
   *     on the communicator's device
   * @throws RuntimeException otherwise as {@link #allReduce}
   */
  public Event reduceScatter(
      Stream stream, GlobalArray source, GlobalArray destination, Reduction reduction) {
    Objects.requireNonNull(stream, "stream");
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(reduction, "reduction");
    return enqueue(stream, List.of(arguments.reduceScatter(source, destination, reduction)));
  }

  /**
   * Gives all ranks the array of one: {@code ncclBroadcast}, in place.
   *
   * @param stream of the communicator's device
   * @param array read on the root, and written on the others; of the same type and length on all
   * @param root whose array all get
   * @return an event that happens when the operation is done on this rank
   * @throws IllegalArgumentException if the array is not on the communicator's device
   * @throws IndexOutOfBoundsException if there is no such rank
   * @throws RuntimeException otherwise as {@link #allReduce}
   */
  public Event broadcast(Stream stream, GlobalArray array, int root) {
    Objects.requireNonNull(stream, "stream");
    Objects.requireNonNull(array, "array");
    return enqueue(stream, List.of(arguments.broadcast(array, root)));
  }

  /**
   * Sends each rank its part of an array, and receives a part of each: part k goes to rank k, and
   * what rank k has sent becomes part k.
   *
   * @param stream of the communicator's device
   * @param source a part for each rank, in their order, of equal length
   * @param destination of the same length
   * @return an event that happens when the operation is done on this rank
   * @throws IllegalArgumentException if the arrays do not match, overlap, cannot be divided by the
   *     number of ranks, or are not on the communicator's device
   * @throws RuntimeException otherwise as {@link #allReduce}
   */
  public Event allToAll(Stream stream, GlobalArray source, GlobalArray destination) {
    Objects.requireNonNull(stream, "stream");
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return enqueue(stream, List.of(arguments.allToAll(source, destination)));
  }

  // --- of single ranks, and of several calls
  // --------------------------------------------------------------------

  /**
   * Sends an array to one rank, which has to receive it: {@code ncclSend}. Two ranks that first
   * send to each other and then receive wait for each other: {@link #group} does both at once.
   *
   * @param stream of the communicator's device
   * @param array what is sent
   * @param peer the other rank
   * @return an event that happens when the array may be written again
   * @throws IllegalArgumentException if the array is not on the communicator's device, or the peer
   *     is this rank
   * @throws IndexOutOfBoundsException if there is no such rank
   * @throws RuntimeException otherwise as {@link #allReduce}
   */
  public Event send(Stream stream, GlobalArray array, int peer) {
    Objects.requireNonNull(stream, "stream");
    Objects.requireNonNull(array, "array");
    return enqueue(stream, List.of(arguments.send(array, peer)));
  }

  /**
   * Receives an array of one rank, which has to send it: {@code ncclRecv}.
   *
   * @param stream of the communicator's device
   * @param array where it arrives; of the type and length that is sent
   * @param peer the other rank
   * @return an event that happens when the array has arrived
   * @throws IllegalArgumentException if the array is not on the communicator's device, or the peer
   *     is this rank
   * @throws IndexOutOfBoundsException if there is no such rank
   * @throws RuntimeException otherwise as {@link #allReduce}
   */
  public Event recv(Stream stream, GlobalArray array, int peer) {
    Objects.requireNonNull(stream, "stream");
    Objects.requireNonNull(array, "array");
    return enqueue(stream, List.of(arguments.receive(array, peer)));
  }

  /**
   * Makes several calls as one operation: {@code ncclGroupStart} and {@code ncclGroupEnd}.
   *
   * @param stream of the communicator's device
   * @param calls makes them; runs before this method returns
   * @return an event that happens when all are done on this rank
   * @throws IllegalArgumentException if there is no call, or this rank sends to itself what it does
   *     not receive in the group
   * @throws RuntimeException of the calls, and otherwise as {@link #allReduce}
   */
  public Event group(Stream stream, Consumer<Group> calls) {
    Objects.requireNonNull(stream, "stream");
    Group group = new Group(this);
    List<Part> parts;
    try {
      Objects.requireNonNull(calls, "calls").accept(group);
    } finally {
      parts = group.end();
    }
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a group without a call");
    }
    return enqueue(stream, parts);
  }

  // --- windows
  // --------------------------------------------------------------------------------------------------

  /**
   * Takes memory on all ranks to which they all have access, for operations by copy engines. Waits
   * until all ranks have called this, each at the same place among its calls.
   *
   * @param bytes how many each rank takes, the same on all
   * @return the window, with this rank's memory
   * @throws IllegalArgumentException if the number is not positive
   * @throws dev.stretto.fault.RankMismatchException if other ranks want another number
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if a rank has not as much; the
   *     communicator is as before
   * @throws dev.stretto.fault.PeerLostException if a rank is lost
   * @throws dev.stretto.fault.AwaitInterruptedException if the thread is interrupted; the
   *     communicator is then of no use any more
   * @throws ClosedException if the communicator or the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Window awaitWindow(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException(bytes + " bytes: a window has at least 1");
    }
    requireOpen();
    int _ = users.incrementAndGet();
    AtomicBoolean isGone = new AtomicBoolean();
    Runnable released = () -> leaveOnce(isGone);
    WindowOpening opening = new WindowOpening(this, mesh, bytes);
    boolean opened = false;
    try {
      opening.take(size -> carrier.windowMemory(size, released));
      Window window = opening.await();
      arguments.keepApart(window.memory());
      opened = true;
      return window;
    } finally {
      if (!opened) {
        released.run();
      }
    }
  }

  private void leaveOnce(AtomicBoolean isGone) {
    if (isGone.compareAndSet(false, true)) {
      leave();
    }
  }

  private void requireOpen() {
    turn.lock();
    try {
      if (closed) {
        throw new ClosedException(this + " is closed");
      }
      requireNoFailure();
    } finally {
      turn.unlock();
    }
  }

  /** Has the host do something in its turn among the operations. */
  Event step(Stream stream, HostStep step) {
    turn.lock();
    try {
      requireOpen();
      comeAfterLast(stream);
      Event event = stream.then(step, List.of(), List.of());
      last = event;
      return event;
    } finally {
      turn.unlock();
    }
  }

  Event enqueue(Stream stream, Part part) {
    return enqueue(stream, List.of(part));
  }

  private Event enqueue(Stream stream, List<Part> parts) {
    if (!stream.device().equals(device)) {
      throw new IllegalArgumentException(
          "%s is not of %s, the communicator's device".formatted(stream, device.name()));
    }
    arguments.requirePaired(parts);
    try (Reports _ = Reports.keep()) {
      turn.lock();
      try {
        if (closed) {
          throw new ClosedException(this + " is closed");
        }
        requireNoFailure();
        if (stream.isCapturing()) {
          return capture(stream, parts);
        }
        comeAfterLast(stream);
        Event event = carrier.enqueue(stream, parts);
        last = event;
        return event;
      } finally {
        turn.unlock();
      }
    }
  }

  private void requireNoFailure() {
    RuntimeException failure = mesh.failure();
    if (failure != null) {
      throw mesh.again(failure);
    }
  }

  private void comeAfterLast(Stream stream) {
    Event before = last;
    if (before != null && !before.stream().equals(stream)) {
      stream.waitFor(before);
    }
  }

  // --- in graphs
  // ------------------------------------------------------------------------------------------------

  private Event capture(Stream stream, List<Part> parts) {
    int _ = users.incrementAndGet();
    Operation operation = new Operation();
    try {
      return carrier.capture(stream, parts, operation);
    } catch (RuntimeException e) {
      operation.released();
      throw e;
    }
  }

  /** One operation in a graph. */
  private final class Operation implements Turns {
    private final AtomicBoolean isGone = new AtomicBoolean();

    @Override
    public Object owner() {
      return Communicator.this;
    }

    @Override
    public void begin(Stream stream) {
      turn.lock();
      boolean begun = false;
      try {
        requireNoFailure();
        comeAfterLast(stream);
        begun = true;
      } finally {
        if (!begun) {
          turn.unlock();
        }
      }
    }

    @Override
    public void end(Optional<Event> event) {
      try {
        last = event.orElse(last);
      } finally {
        turn.unlock();
      }
    }

    @Override
    public void released() {
      // The thread may hold locks, and taking leave of the others is some work.
      if (isGone.compareAndSet(false, true) && users.decrementAndGet() == 0) {
        Thread _ =
            Thread.ofVirtual().name("stretto-communicator-end").start(Communicator.this::release);
      }
    }
  }

  // --- the end
  // --------------------------------------------------------------------------------------------------

  /**
   * Closes the communicator. Operations under way run to their end, and can be awaited, and graphs
   * that have some can still be launched; after the end of all these, and once all these graphs and
   * all windows are closed, this rank takes leave of the others. Does not block. Closing it again
   * has no further effect.
   */
  @Override
  public void close() {
    Event end;
    turn.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      end = last;
    } finally {
      turn.unlock();
    }
    if (end == null) {
      leave();
    } else {
      CompletableFuture<Void> _ =
          end.toCompletableFuture().whenComplete((nothing, trouble) -> leave());
    }
  }

  private void leave() {
    if (users.decrementAndGet() == 0) {
      release();
    }
  }

  private void release() {
    carrier.close();
    mesh.close();
  }

  /** {@return the rank, the number of ranks, the device and the transport} */
  @Override
  public String toString() {
    return "rank %d of %d on %s by %s".formatted(rank(), size(), device.name(), transport());
  }
}
