package dev.stretto;

import dev.stretto.driver.GraphWork;
import dev.stretto.enqueue.CopyForm;
import dev.stretto.enqueue.Direction;
import dev.stretto.fault.GraphException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalInts;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.GraphGuest;
import dev.stretto.route.LateWork;
import dev.stretto.route.OpenStream;
import dev.stretto.route.Resource;
import dev.stretto.route.Way;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A capture in progress. It records the operations that the program enqueues on the streams of the
 * capture, and their order. It belongs to one thread. The numbers of captured operations are
 * negative and unique in the process, so that they cannot be mistaken for a point of the stream.
 */
final class Capture {
  private static final AtomicInteger UNDER_WAY = new AtomicInteger();
  private static final Set<Capture> ALL = ConcurrentHashMap.newKeySet();
  private static final ThreadLocal<@Nullable Capture> OF_THREAD = new ThreadLocal<>();
  private static final AtomicLong NUMBERS = new AtomicLong();

  private final StreamCapture origin;

  /** The capture in whose middle this one describes a body; null for a graph of its own. */
  private final @Nullable Capture outer;

  private final Thread thread = Thread.currentThread();
  private final GraphDraft draft = new GraphDraft();

  /** For each stream of the capture, the nodes that its next operation comes after. */
  private final Map<StreamCapture, Set<GraphNode>> fronts = new LinkedHashMap<>();

  /** The last nodes of those that have to know of the launches. */
  private final IdentityHashMap<Object, Set<GraphNode>> lastOf = new IdentityHashMap<>();

  /** The recorded events, by their numbers; other threads may read them. */
  private final Map<Long, Set<GraphNode>> events = new ConcurrentHashMap<>();

  /** The first refusal, on any thread. */
  private final AtomicReference<@Nullable GraphException> refusal = new AtomicReference<>();

  private Capture(StreamCapture origin, @Nullable Capture outer) {
    this.origin = origin;
    this.outer = outer;
  }

  // --- beginning and end
  // ------------------------------------------------------------------------------------------------------

  /** {@return a draft of the operations that the body enqueues} */
  static GraphDraft of(StreamCapture origin, Runnable body) {
    if (OF_THREAD.get() != null) {
      throw refused("a capture within a capture: capture the inner graph first");
    }
    Capture capture = new Capture(origin, null);
    capture.take(origin, new LinkedHashSet<>());
    OF_THREAD.set(capture);
    ALL.add(capture);
    UNDER_WAY.incrementAndGet();
    boolean isRight = false;
    try {
      body.run();
      capture.requireJoined();
      isRight = capture.refusal.get() == null;
    } finally {
      if (!isRight) {
        capture.draft.memory().abandon();
        capture.draft.leaveParts();
      }
      UNDER_WAY.decrementAndGet();
      ALL.remove(capture);
      OF_THREAD.remove();
      capture.fronts.keySet().forEach(StreamCapture::end);
    }
    GraphException refused = capture.refusal.get();
    if (refused != null) {
      throw refused; // the body may have caught it
    }
    return capture.draft;
  }

  /**
   * Adds a node with bodies, and describes them.
   *
   * @param stream what the node is captured on; the bodies are captured on it too
   * @param bodies enqueue the operations of each body
   */
  static void branch(
      StreamCapture stream,
      GraphNode.Kind kind,
      GlobalInts condition,
      List<? extends Runnable> bodies) {
    Capture current = stream.current();
    if (current == null) {
      throw refused(
          stream
              + " is not being captured, and the device decides only in a graph: do it in the body"
              + " of Graph.capture");
    }
    DeviceRuntime engine = stream.engine();
    NodeWorks.requireCondition(condition);
    NodeWorks.requireConditionals(engine, kind, bodies.size());
    List<List<NodeWork.Step>> steps = new ArrayList<>();
    for (Runnable body : bodies) {
      steps.add(current.described(stream, body));
    }
    long _ = current.add(stream, NodeWorks.conditional(engine, kind, condition, steps));
  }

  private List<NodeWork.Step> described(StreamCapture stream, Runnable body) {
    requireNoBody(stream);
    Capture inner = new Capture(stream, this);
    stream.continueAs(inner);
    inner.fronts.put(stream, new LinkedHashSet<>());
    OF_THREAD.set(inner);
    ALL.add(inner);
    try {
      body.run();
      inner.requireJoined();
    } finally {
      ALL.remove(inner);
      OF_THREAD.set(this);
      inner.fronts.keySet().stream().filter(s -> s != stream).forEach(StreamCapture::end);
      stream.continueAs(this);
      GraphException refused = inner.refusal.get();
      if (refused != null) {
        fail(refused);
      }
    }
    GraphException refused = inner.refusal.get();
    if (refused != null) {
      throw refused; // the body may have caught it
    }
    return GraphDraft.steps(inner.draft.nodes());
  }

  /** Refuses what would go into the graph around a body while the body is being described. */
  private void requireNoBody(StreamCapture stream) {
    Capture now = OF_THREAD.get();
    if (now != null && now != this) {
      throw refused(
          stream
              + " is captured outside the body that is being described: use the stream that the"
              + " body is given, and streams that wait for its events");
    }
  }

  private boolean isAround(StreamCapture stream) {
    return outer != null && (outer.fronts.containsKey(stream) || outer.isAround(stream));
  }

  private void take(StreamCapture stream, Set<GraphNode> front) {
    if (isAround(stream)) {
      throw refused(
          stream
              + " is captured outside the body that is being described, and cannot join the body");
    }
    if (!stream.stream().queue().isDeferrable()) {
      throw refused(
          stream
              + " cannot be captured, because other libraries enqueue on it too: use"
              + " device.stream()");
    }
    if (!stream.begin(this)) {
      throw refused(stream + " is being captured by another thread");
    }
    fronts.put(stream, front);
  }

  private void requireJoined() {
    Set<GraphNode> reached = allBefore(front(origin));
    fronts.forEach(
        (stream, front) -> {
          for (GraphNode node : front) {
            if (!reached.contains(node)) {
              throw refused(
                  "%s is not yet joined on %s when the capture ends: record an event there, and"
                          .formatted(node, stream)
                      + " have "
                      + origin
                      + " wait for it",
                  node.place());
            }
          }
        });
  }

  private Set<GraphNode> front(StreamCapture stream) {
    return fronts.getOrDefault(stream, Set.of());
  }

  // --- refusals
  // ---------------------------------------------------------------------------------------------------------------

  /** {@return the exception for the program; the capture in progress fails as well} */
  static GraphException refused(String what) {
    return refused(what, GraphDraft.place());
  }

  private static GraphException refused(String what, StackTraceElement place) {
    GraphException refusal = new GraphException(what, place);
    Capture capture = UNDER_WAY.get() == 0 ? null : OF_THREAD.get();
    if (capture != null) {
      capture.fail(refusal);
    }
    return refusal;
  }

  private void fail(GraphException why) {
    boolean _ = refusal.compareAndSet(null, why);
  }

  /**
   * The same for another thread: the returned exception is for that thread, and the capture fails
   * with an exception of its own.
   */
  private GraphException refusedElsewhere(String what) {
    StackTraceElement place = GraphDraft.place();
    fail(new GraphException("on %s: %s".formatted(Thread.currentThread(), what), place));
    return new GraphException(what, place);
  }

  /** Refuses an action that a thread cannot take while it captures streams of a device. */
  static void requireNone(DeviceRuntime engine, String what) {
    if (UNDER_WAY.get() > 0) {
      Capture capture = OF_THREAD.get();
      if (capture != null && capture.isOf(engine)) {
        throw refused(what + " cannot be captured: do it before the capture");
      }
    }
  }

  private boolean isOf(DeviceRuntime engine) {
    return origin.engine() == engine
        || fronts.keySet().stream().anyMatch(stream -> stream.engine() == engine);
  }

  /** Refuses to query or await a captured operation. */
  static void requireEnqueued(long sequence) {
    if (sequence < 0) {
      String what =
          "a captured operation is not enqueued, so it is never done: use the event that"
              + " graph.launch returns";
      Capture owner = ownerOf(sequence);
      throw owner == null || owner.isOfThisThread() ? refused(what) : owner.refusedElsewhere(what);
    }
  }

  /** The capture in progress that has this recorded point, or null. */
  private static @Nullable Capture ownerOf(long sequence) {
    for (Capture each : ALL) {
      if (each.events.containsKey(sequence)) {
        return each;
      }
    }
    return null;
  }

  private boolean isOfThisThread() {
    return thread.equals(Thread.currentThread());
  }

  /** Refuses another thread, whose work would be missing from the graph; the capture fails too. */
  void requireThread(OpenStream stream) {
    if (!isOfThisThread()) {
      throw refusedElsewhere(
          stream + " is being captured by " + thread + ": another thread cannot use it meanwhile");
    }
  }

  /**
   * Notes the place where a resource is closed that a capture may have used, for the message if the
   * graph cannot be made.
   */
  static void closing(Resource resource) {
    if (UNDER_WAY.get() > 0 && !ALL.isEmpty()) {
      Capture capture = OF_THREAD.get();
      if (capture != null && resource instanceof DeviceBlock block) {
        capture.free(block);
      }
      StackTraceElement place = GraphDraft.place();
      ALL.forEach(each -> each.draft.closed(resource, place));
    }
  }

  // --- operations
  // -------------------------------------------------------------------------------------------------------------

  /** {@return the number of the captured operation} */
  long add(StreamCapture stream, NodeWork work) {
    return addBeside(stream, List.of(work))[0];
  }

  /**
   * Captures operations that are not ordered among each other.
   *
   * @param works one or more
   * @return their numbers, and behind them the number of the point where all of them are done
   */
  long[] addBeside(StreamCapture stream, List<? extends NodeWork> works) {
    requireNoBody(stream);
    long[] numbers = new long[works.size() + 1];
    Set<GraphNode> nodes = new LinkedHashSet<>();
    for (int i = 0; i < works.size(); i++) {
      requireFit(works.get(i));
      GraphNode node = draft.add(works.get(i), front(stream));
      nodes.add(node);
      numbers[i] = noted(Set.of(node));
    }
    fronts.put(stream, nodes);
    numbers[works.size()] = noted(nodes);
    return numbers;
  }

  private void requireFit(NodeWork work) {
    String unfit = outer == null ? "" : NodeWorks.unfitForBody(work);
    if (unfit.isEmpty()) {
      unfit = NodeWorks.unfitElsewhere(graphs(), work, outer != null);
    }
    if (!unfit.isEmpty()) {
      throw refused(unfit);
    }
  }

  /** {@return the device of the graph} */
  private DeviceRuntime graphs() {
    return outer == null ? origin.engine() : outer.graphs();
  }

  // --- memory
  // -----------------------------------------------------------------------------------------------------------------

  private GraphMemory memory() {
    return outer == null ? draft.memory() : outer.memory();
  }

  /** {@return memory of the graph, whose contents are undefined from a node on} */
  DeviceBlock allocate(StreamCapture stream, long bytes) {
    requireNoBody(stream);
    Set<GraphNode> before = allBefore(front(stream));
    DeviceBlock block = memory().allocate(stream.engine(), stream, bytes, before::contains);
    long _ = add(stream, NodeWorks.undefined(block, GraphNode.Kind.ALLOCATE));
    return block;
  }

  /** Makes {@code close()} of an array that was allocated here free it on another stream. */
  boolean freeOnClose(StreamCapture stream, DeviceBlock block) {
    requireNoBody(stream);
    return memory().freeOn(block, stream);
  }

  /** Frees memory of the graph behind all nodes that use it. */
  private void free(DeviceBlock block) {
    StreamCapture stream = memory().freeing(block);
    if (stream == null) {
      return;
    }
    if (!fronts.containsKey(stream)) {
      throw refused(
          block.describe()
              + ", allocated on "
              + stream
              + " outside the body that is being described, cannot be freed in it: close the array"
              + " behind the body");
    }
    Set<GraphNode> before = new LinkedHashSet<>(front(stream));
    for (GraphNode node : draft.nodes()) {
      if (GraphStages.used(GraphDraft.steps(List.of(node))).contains(block)) {
        before.add(node);
      }
    }
    GraphNode freed = draft.add(NodeWorks.undefined(block, GraphNode.Kind.FREE), before);
    fronts.put(stream, Set.of(freed));
    memory().freed(block, freed);
  }

  private static Set<GraphNode> allBefore(Set<GraphNode> front) {
    Set<GraphNode> reached = new HashSet<>();
    Deque<GraphNode> open = new ArrayDeque<>(front);
    for (GraphNode node = open.poll(); node != null; node = open.poll()) {
      if (reached.add(node)) {
        open.addAll(node.after());
      }
    }
    return reached;
  }

  private long noted(Set<GraphNode> nodes) {
    long number = -NUMBERS.incrementAndGet();
    events.put(number, nodes);
    return number;
  }

  private void requireDevice(StreamCapture stream) {
    DeviceRuntime own = origin.engine();
    if (!own.peers().isKin(stream.engine())) {
      throw refused(
          "%s belongs to a device of another driver than %s, which is captured: no graph can have work of both"
              .formatted(stream, origin));
    }
    if (outer != null && !own.peers().isSame(stream.engine())) {
      throw refused(
          "%s belongs to another device than %s: the body of a conditional node stays on one device"
              .formatted(stream, origin));
    }
  }

  <C> C copy(
      StreamCapture stream,
      CopyForm<C> form,
      Direction direction,
      MemorySegment host,
      GlobalArray array,
      @Nullable Way way) {
    if (way != null && way != Way.DIRECT) {
      throw refused("a copy that goes " + way + " cannot be captured: only a DIRECT copy can");
    }
    NodeWork work = NodeWorks.copy(stream.engine(), direction, host, array);
    return form.copy(Way.DIRECT, add(stream, work), null);
  }

  <C> C copy(
      StreamCapture stream,
      CopyForm<C> form,
      GlobalArray source,
      GlobalArray destination,
      @Nullable Way way) {
    if (way != null && way != Way.LOCAL && way != Way.PEER) {
      throw refused(
          "a copy that goes " + way + " cannot be captured: only LOCAL and PEER copies can");
    }
    NodeWork.OnDevice work = NodeWorks.copy(stream.engine(), source, destination);
    Way taken = work.work() instanceof GraphWork.PeerCopy ? Way.PEER : Way.LOCAL;
    if (way != null && way != taken) {
      throw refused("a copy that would go " + taken + " cannot go " + way);
    }
    return form.copy(taken, add(stream, work), null);
  }

  /**
   * Makes a call of another library a node: the library makes its calls now, and the driver notes
   * them.
   *
   * @param work makes them
   * @param guest told of the launches, or null
   * @param blocks the memory that the work uses
   * @param uses how
   */
  long call(
      StreamCapture stream,
      LateWork work,
      @Nullable GraphGuest<?, ?> guest,
      List<DeviceBlock> blocks,
      List<NodeUse> uses) {
    requireOutside(stream);
    blocks.forEach(NodeWorks::requireOpen);
    CapturedCall call = CapturedCall.of(stream.engine(), work, guest);
    draft.owns(call);
    return add(stream, NodeWorks.call(call, blocks, uses), CapturedCall.guests(List.of(call)));
  }

  /** The same for work that a host thread does in its turn. */
  long then(
      StreamCapture stream,
      Runnable work,
      @Nullable GraphGuest<?, ?> guest,
      List<DeviceBlock> blocks,
      List<NodeUse> uses) {
    requireOutside(stream);
    blocks.forEach(NodeWorks::requireOpen);
    List<Resource> used = new ArrayList<>(blocks);
    if (guest != null) {
      CapturedCall call = CapturedCall.onHost(stream.engine(), guest);
      draft.owns(call);
      used.add(call);
    }
    return add(stream, new NodeWork.OnHost(work, null, used, uses), CapturedCall.guests(used));
  }

  /** The driver's calls of another library are made once, and a body is no place for them. */
  private void requireOutside(StreamCapture stream) {
    requireNoBody(stream);
    if (outer != null) {
      throw refused(NodeWorks.notInBody("a call of another library"));
    }
  }

  /** Adds a node that comes after all others of its guests' owners. */
  long add(StreamCapture stream, NodeWork work, List<GraphGuest<?, ?>> guests) {
    requireNoBody(stream);
    Set<GraphNode> front = new LinkedHashSet<>(front(stream));
    for (GraphGuest<?, ?> guest : guests) {
      front.addAll(lastOf.getOrDefault(guest.owner(), Set.of()));
    }
    fronts.put(stream, front);
    long number = add(stream, work);
    for (GraphGuest<?, ?> guest : guests) {
      lastOf.put(guest.owner(), front(stream));
    }
    return number;
  }

  long then(StreamCapture stream, Runnable callback, @Nullable Executor executor) {
    return add(stream, new NodeWork.OnHost(callback, executor));
  }

  long record(StreamCapture stream) {
    requireNoBody(stream);
    return noted(front(stream));
  }

  static void waitFor(StreamCapture stream, long event) {
    Capture capture = UNDER_WAY.get() == 0 ? null : OF_THREAD.get();
    Set<GraphNode> nodes = capture == null ? null : capture.events.get(event);
    if (capture == null || nodes == null) {
      Capture owner = event < 0 ? ownerOf(event) : null;
      if (owner != null && !owner.isOfThisThread()) {
        throw owner.refusedElsewhere(
            "the event is being captured by "
                + owner.thread
                + ": another thread cannot wait for it");
      }
      if (owner != null) {
        throw refused(
            "the event is of the graph around the body that is being described: what the body"
                + " comes after, the stream has to wait for before the body");
      }
      throw refused(
          event < 0
              ? "the event was captured by another capture, or one that has ended: it is never done"
              : "the event was recorded outside the capture: wait for it before the launch");
    }
    capture.requireDevice(stream);
    if (!capture.fronts.containsKey(stream)) {
      capture.take(stream, nodes);
      return;
    }
    Set<GraphNode> front = new LinkedHashSet<>(capture.front(stream));
    front.addAll(nodes);
    capture.fronts.put(stream, front);
  }
}
