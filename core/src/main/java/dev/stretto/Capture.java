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
 * A capture that is under way: notes what the program enqueues on the streams that belong to it,
 * and after what. Belongs to one thread. The numbers of captured operations are negative and given
 * out once in a process, so that nobody takes them for a point of the stream.
 */
final class Capture {
  private static final AtomicInteger UNDER_WAY = new AtomicInteger();
  private static final Set<Capture> ALL = ConcurrentHashMap.newKeySet();
  private static final ThreadLocal<@Nullable Capture> OF_THREAD = new ThreadLocal<>();
  private static final AtomicLong NUMBERS = new AtomicLong();

  private final StreamCapture origin;
  private final Thread thread = Thread.currentThread();
  private final GraphDraft draft = new GraphDraft();

  /** For each stream of the capture, after what its next operation comes. */
  private final Map<StreamCapture, Set<GraphNode>> fronts = new LinkedHashMap<>();

  /** What was recorded, by its number; other threads may look. */
  private final Map<Long, Set<GraphNode>> events = new ConcurrentHashMap<>();

  /** What was refused first, on whichever thread. */
  private final AtomicReference<@Nullable GraphException> refusal = new AtomicReference<>();

  private Capture(StreamCapture origin) {
    this.origin = origin;
  }

  // --- beginning and end
  // ------------------------------------------------------------------------------------------------------

  /** {@return what the body enqueues} */
  static GraphDraft of(StreamCapture origin, Runnable body) {
    if (OF_THREAD.get() != null) {
      throw refused("a capture within a capture: capture the inner graph before");
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
              + " cannot be captured, for other libraries enqueue on it too: use"
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
                  "%s is still to be done on %s when the capture ends: record an event there, and"
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

  /** {@return what a program is told; the capture that is under way is not to succeed any more} */
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
   * The same for another thread: that is told, and the capture fails by an exception of its own.
   */
  private GraphException refusedElsewhere(String what) {
    StackTraceElement place = GraphDraft.place();
    fail(new GraphException("on %s: %s".formatted(Thread.currentThread(), what), place));
    return new GraphException(what, place);
  }

  /** Refuses something that a thread cannot do while it captures streams of a device. */
  static void requireNone(DeviceRuntime engine, String what) {
    if (UNDER_WAY.get() > 0) {
      Capture capture = OF_THREAD.get();
      if (capture != null && capture.origin.engine() == engine) {
        throw refused(what + " cannot be captured: do it before the capture");
      }
    }
  }

  /** Refuses to ask for, or wait for, something that was captured. */
  static void requireEnqueued(long sequence) {
    if (sequence < 0) {
      String what =
          "what was captured is not enqueued, so it is never done: ask the event that"
              + " graph.launch returns";
      Capture owner = ownerOf(sequence);
      throw owner == null || owner.isOfThisThread() ? refused(what) : owner.refusedElsewhere(what);
    }
  }

  /** The capture that is under way and that something belongs to, or null. */
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

  /** Another thread's work would be missing from the graph: neither it nor the capture succeeds. */
  void requireThread(OpenStream stream) {
    if (!isOfThisThread()) {
      throw refusedElsewhere(
          stream + " is being captured by " + thread + ": another thread cannot use it meanwhile");
    }
  }

  /** Something is closed that a capture may have used: where, if the graph cannot be made of it. */
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
      throw refused("a copy that goes " + way + " cannot be captured: only DIRECT ones can");
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
      throw refused("a copy that goes " + way + " cannot be captured: LOCAL and PEER ones can");
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
              ? "the event was captured by a capture that is over, or another one: it is never done"
              : "the event was recorded outside of the capture: wait for it before the launch");
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
