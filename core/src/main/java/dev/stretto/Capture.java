package dev.stretto;

import dev.stretto.driver.GraphWork;
import dev.stretto.enqueue.CopyForm;
import dev.stretto.enqueue.Direction;
import dev.stretto.fault.GraphException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.OpenStream;
import dev.stretto.route.Resource;
import dev.stretto.route.Way;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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
  private final Thread thread = Thread.currentThread();
  private final GraphDraft draft = new GraphDraft();

  /** For each stream of the capture, the nodes that its next operation comes after. */
  private final Map<StreamCapture, Set<GraphNode>> fronts = new LinkedHashMap<>();

  /** The recorded events, by their numbers; other threads may read them. */
  private final Map<Long, Set<GraphNode>> events = new ConcurrentHashMap<>();

  /** The first refusal, on any thread. */
  private final AtomicReference<@Nullable GraphException> refusal = new AtomicReference<>();

  private Capture(StreamCapture origin) {
    this.origin = origin;
  }

  // --- beginning and end
  // ------------------------------------------------------------------------------------------------------

  /** {@return a draft of the operations that the body enqueues} */
  static GraphDraft of(StreamCapture origin, Runnable body) {
    if (OF_THREAD.get() != null) {
      throw refused("a capture within a capture: capture the inner graph first");
    }
    Capture capture = new Capture(origin);
    capture.take(origin, new LinkedHashSet<>());
    OF_THREAD.set(capture);
    ALL.add(capture);
    UNDER_WAY.incrementAndGet();
    try {
      body.run();
      capture.requireJoined();
    } finally {
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

  private void take(StreamCapture stream, Set<GraphNode> front) {
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
    Set<GraphNode> reached = new HashSet<>();
    Deque<GraphNode> open = new ArrayDeque<>(front(origin));
    for (GraphNode node = open.poll(); node != null; node = open.poll()) {
      if (reached.add(node)) {
        open.addAll(node.after());
      }
    }
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
      if (capture != null && capture.origin.engine() == engine) {
        throw refused(what + " cannot be captured: do it before the capture");
      }
    }
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
      StackTraceElement place = GraphDraft.place();
      ALL.forEach(capture -> capture.draft.closed(resource, place));
    }
  }

  // --- operations
  // -------------------------------------------------------------------------------------------------------------

  /** {@return the number of the captured operation} */
  long add(StreamCapture stream, NodeWork work) {
    GraphNode node = draft.add(work, front(stream));
    fronts.put(stream, Set.of(node));
    return noted(Set.of(node));
  }

  private long noted(Set<GraphNode> nodes) {
    long number = -NUMBERS.incrementAndGet();
    events.put(number, nodes);
    return number;
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

  long then(StreamCapture stream, Runnable callback, @Nullable Executor executor) {
    return add(stream, new NodeWork.OnHost(callback, executor));
  }

  long record(StreamCapture stream) {
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
      throw refused(
          event < 0
              ? "the event was captured by another capture, or one that has ended: it is never done"
              : "the event was recorded outside the capture: wait for it before the launch");
    }
    if (stream.engine() != capture.origin.engine()) {
      throw refused(
          stream + " belongs to another device than " + capture.origin + ", which is captured");
    }
    if (!capture.fronts.containsKey(stream)) {
      capture.take(stream, nodes);
      return;
    }
    Set<GraphNode> front = new LinkedHashSet<>(capture.front(stream));
    front.addAll(nodes);
    capture.fronts.put(stream, front);
  }
}
