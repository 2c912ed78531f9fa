package dev.stretto.collective;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.ForeignLibrary;
import dev.stretto.ForeignWork;
import dev.stretto.Stream;
import dev.stretto.collective.mesh.Mesh;
import dev.stretto.collective.nccl.NcclRank;
import dev.stretto.fault.DeadlineExceededException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.NcclException;
import dev.stretto.route.GraphGuest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Brings data from rank to rank by NCCL, on the stream. */
final class NcclCarrier implements Carrier {
  private static final Duration FAREWELL = Duration.ofSeconds(5);

  /** An abort waits so long for what others have under way, which may itself wait for the abort. */
  private static final Duration ABORT = Duration.ofSeconds(1);

  /** So many operations may be over before it is asked which ones are. */
  private static final int MOST_REMEMBERED = 256;

  private final Mesh mesh;
  private final NcclRank rank;
  private final NcclCalling calls;
  private final NcclWatch watch = new NcclWatch();

  /** What may be under way; guarded by itself. */
  private final Deque<Running> running = new ArrayDeque<>();

  /** One operation, until it is known to be done. */
  private static class Running {
    volatile @Nullable Event event;
    volatile @Nullable Consumer<RuntimeException> failed;
  }

  private final Device device;
  private final NcclWindows windows;

  private final RanksHere here;

  /** Keeps the device's context until the library has given back what it has there. */
  private final ForeignLibrary context;

  private NcclCarrier(
      Mesh mesh, Device device, NcclRank rank, RanksHere here, ForeignLibrary context) {
    this.mesh = mesh;
    this.device = device;
    this.windows = new NcclWindows(rank, device, () -> requireNoFailure(mesh));
    this.rank = rank;
    this.calls = new NcclCalling(rank, mesh.ranks().size());
    this.here = here;
    this.context = context;
  }

  /** Joins the others, all of which have said that they will. */
  static NcclCarrier join(Mesh mesh, Device device, Duration atMost) {
    ForeignLibrary context = ForeignLibrary.on(device);
    RanksHere here = RanksHere.enter(mesh.ranks().getFirst().key());
    NcclRank rank;
    try {
      rank = begin(mesh, device);
    } catch (RuntimeException e) {
      here.leave(context::close);
      mesh.fail(e);
      throw e;
    }
    Runnable mayWait = wait(mesh, atMost);
    try {
      rank.awaitIdle(mayWait);
      if (rank.canSplit()) {
        NcclConnecting.connect(rank, device, mayWait);
      }
      NcclCarrier carrier = new NcclCarrier(mesh, device, rank, here, context);
      here.joined(carrier::isUnderWay);
      carrier.watch();
      return carrier;
    } catch (RuntimeException e) {
      LastCalls.run("abort", () -> end(rank::abort, here, context));
      mesh.fail(e);
      throw e;
    }
  }

  private static NcclRank begin(Mesh mesh, Device device) {
    byte[] id = HexFormat.of().parseHex(mesh.ranks().getFirst().key());
    NcclRank[] joined = new NcclRank[1];
    device.inContext(() -> joined[0] = NcclRank.join(id, mesh.own().rank(), mesh.ranks().size()));
    return joined[0];
  }

  /** {@return what throws when there is no use in waiting any longer} */
  private static Runnable wait(Mesh mesh, Duration atMost) {
    long deadline = System.nanoTime() + atMost.toNanos();
    return () -> {
      requireNoFailure(mesh);
      if (System.nanoTime() - deadline > 0) {
        throw new DeadlineExceededException(
            "NCCL has not connected the %d ranks within %d ms; NCCL_DEBUG=INFO has it say what it does"
                .formatted(mesh.ranks().size(), atMost.toMillis()),
            List.of());
      }
    };
  }

  /** One that is alone waits for nobody. */
  private void watch() {
    if (mesh.ranks().size() > 1) {
      watch.begin(this::look);
    }
  }

  /**
   * Ends what is under way if the library has failed while nobody called it, as when a network is
   * down that only the library uses. What is done already is not spoilt by that, here or elsewhere.
   */
  private void look() {
    Running last;
    synchronized (running) {
      last = running.peekLast();
    }
    if (last == null) {
      return;
    }
    NcclException trouble = rank.trouble();
    if (trouble != null && !isOver(last)) { // the others come before it
      mesh.fail(trouble);
    }
  }

  /** An abort may be under way when the program closes the communicator. */
  private static void end(Runnable call, RanksHere here, ForeignLibrary context) {
    synchronized (context) {
      try {
        call.run();
      } finally {
        here.leave(context::close);
      }
    }
  }

  private static void requireNoFailure(Mesh mesh) {
    RuntimeException failure = mesh.failure();
    if (failure != null) {
      throw mesh.again(failure);
    }
  }

  @Override
  public Event enqueue(Stream stream, List<Part> parts) {
    int own = mesh.own().rank();
    Work operation = new Work(calls.of(parts));
    begin(parts, operation);
    boolean isEnqueued = false;
    try {
      Event event = stream.call(operation, Part.reads(parts, own), Part.writes(parts, own));
      operation.event = event;
      isEnqueued = true;
      return event;
    } finally {
      if (!isEnqueued) {
        refused(parts, operation);
      }
    }
  }

  /** Notes an operation before it is enqueued. */
  private void begin(List<Part> parts, Running operation) {
    count(parts, 1);
    synchronized (running) {
      // Asking the driver each time would cost a microsecond.
      if (running.size() >= MOST_REMEMBERED) {
        while (!running.isEmpty() && isOver(running.getFirst())) {
          running.removeFirst();
        }
      }
      running.addLast(operation);
    }
    here.awaitNoEnd();
  }

  private void refused(List<Part> parts, Running operation) {
    count(parts, -1);
    synchronized (running) {
      running.remove(operation);
    }
  }

  @Override
  public Event capture(Stream stream, List<Part> parts, Turns turns) {
    int own = mesh.own().rank();
    return stream.call(
        new CapturedWork(calls.of(parts), parts, turns),
        Part.reads(parts, own),
        Part.writes(parts, own));
  }

  /**
   * An operation in a graph. The library makes its calls once, when they are captured; what a
   * launch of the graph does is known here as an operation of its own.
   */
  private final class CapturedWork implements ForeignWork, GraphGuest<Stream, Event> {
    private final List<NcclRank.Call> calls;
    private final List<Part> parts;
    private final Turns turns;

    /** The launch that is being enqueued, which holds the communicator's turn. */
    private @Nullable Running launched;

    CapturedWork(List<NcclRank.Call> calls, List<Part> parts, Turns turns) {
      this.calls = calls;
      this.parts = parts;
      this.turns = turns;
    }

    @Override
    public boolean enqueue(long stream, Consumer<RuntimeException> failed) {
      return make(calls, stream);
    }

    @Override
    public void awaitEnqueued() {
      awaitMade();
    }

    @Override
    public Object owner() {
      return turns.owner();
    }

    @Override
    public void launching(Stream stream, Consumer<RuntimeException> failed) {
      turns.begin(stream);
      boolean begun = false;
      try {
        Running operation = new Running();
        operation.failed = failed;
        begin(parts, operation);
        launched = operation;
        begun = true;
      } finally {
        if (!begun) {
          turns.end(Optional.empty());
        }
      }
    }

    @Override
    public void launched(Optional<Event> event) {
      Running operation = Objects.requireNonNull(launched);
      launched = null;
      event.ifPresentOrElse(launch -> operation.event = launch, () -> refused(parts, operation));
      turns.end(event);
    }

    @Override
    public void released() {
      turns.released();
    }
  }

  /** The library does not tell a rank that the one it waits for has left. */
  private void count(List<Part> parts, int times) {
    for (int i = 0; i < parts.size(); i++) {
      switch (parts.get(i)) {
        case Part.All _ -> countAll(times);
        case Part.Send send -> count(send.peer(), times);
        case Part.Receive receive -> count(receive.peer(), times);
      }
    }
  }

  private void countAll(int times) {
    for (int i = 0; i < mesh.ranks().size(); i++) {
      count(i, times);
    }
  }

  private void count(int peer, int times) {
    if (peer != mesh.own().rank()) {
      mesh.line(peer).shares(times);
    }
  }

  private boolean isUnderWay() {
    synchronized (running) {
      return !running.stream().allMatch(NcclCarrier::isOver);
    }
  }

  private static boolean isOver(Running operation) {
    Event event = operation.event;
    try {
      return event != null && event.isDone();
    } catch (DeviceLostException _) { // which whoever awaits it is told
      return true;
    }
  }

  /** An operation of its own. */
  private final class Work extends Running implements ForeignWork {
    private final List<NcclRank.Call> calls;

    Work(List<NcclRank.Call> calls) {
      this.calls = calls;
    }

    @Override
    public boolean enqueue(long stream, Consumer<RuntimeException> told) {
      failed = told;
      return make(calls, stream);
    }

    @Override
    public void awaitEnqueued() {
      awaitMade();
    }

    @Override
    public boolean mayWaitForOthers() {
      return mesh.ranks().size() > 1;
    }
  }

  private boolean make(List<NcclRank.Call> calls, long stream) {
    requireNoFailure(mesh);
    try {
      return rank.make(calls, stream);
    } catch (NcclException e) {
      throw failed(e);
    }
  }

  private void awaitMade() {
    try {
      rank.awaitIdle(() -> requireNoFailure(mesh));
    } catch (NcclException e) {
      throw failed(e);
    }
  }

  /** A call has failed: because another rank has, or for a reason of its own that ends them all. */
  private RuntimeException failed(NcclException why) {
    RuntimeException known = mesh.failure();
    if (known != null) {
      return mesh.again(known);
    }
    mesh.fail(why);
    return why;
  }

  @Override
  public WindowMemory windowMemory(long bytes, Runnable released) {
    if (windows.areThere()) {
      return new NcclWindow(windows, bytes, released);
    }
    WindowMemory memory = new PlainMemory(device, bytes);
    released.run();
    return memory;
  }

  @Override
  public void fail(RuntimeException why) {
    watch.end();
    synchronized (running) {
      for (Running operation : running) {
        Consumer<RuntimeException> failed = operation.failed;
        if (failed != null && !isOver(operation)) {
          failed.accept(mesh.again(why));
        }
      }
      running.clear();
    }
    // It waits for kernels to end, and perhaps for calls that are under way.
    Thread _ =
        Thread.ofPlatform()
            .daemon()
            .name("stretto-nccl-abort")
            .start(() -> RanksHere.end(rank::abort, ABORT.toNanos()));
  }

  @Override
  public void close() {
    watch.end();
    LastCalls.run(
        "close",
        () ->
            end(
                () ->
                    rank.close(
                        System.nanoTime() + FAREWELL.toNanos(),
                        calls -> RanksHere.end(calls, Long.MAX_VALUE)),
                here,
                context));
  }
}
