package dev.stretto;

import dev.stretto.driver.GraphWork;
import dev.stretto.fault.GraphException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.route.Resource;
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

  private final Stream origin;
  private final Thread thread = Thread.currentThread();
  private final GraphDraft draft = new GraphDraft();

  /** For each stream of the capture, after what its next operation comes. */
  private final Map<Stream, Set<GraphNode>> fronts = new LinkedHashMap<>();

  /** What was recorded, by its number; other threads may look. */
  private final Map<Long, Set<GraphNode>> events = new ConcurrentHashMap<>();

  /** What was refused first, on whichever thread. */
  private final AtomicReference<@Nullable GraphException> refusal = new AtomicReference<>();

  private Capture(Stream origin) {
    this.origin = origin;
  }

  // --- beginning and end
  // ------------------------------------------------------------------------------------------------------

  /** {@return what the body enqueues} */
  static GraphDraft of(Stream origin, Runnable body) {
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
      capture.fronts.keySet().forEach(Stream::endCapture);
    }
    GraphException refused = capture.refusal.get();
    if (refused != null) {
      throw refused; // the body may have caught it
    }
    return capture.draft;
  }

  private void take(Stream stream, Set<GraphNode> front) {
    if (!stream.queue().isDeferrable()) {
      throw refused(
          stream
              + " cannot be captured, for other libraries enqueue on it too: use"
              + " device.stream()");
    }
    if (!stream.beginCapture(this)) {
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

  private Set<GraphNode> front(Stream stream) {
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
  static void requireNone(Device device, String what) {
    if (UNDER_WAY.get() > 0) {
      Capture capture = OF_THREAD.get();
      if (capture != null && capture.origin.device().engine() == device.engine()) {
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
  void requireThread(Stream stream) {
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
  long add(Stream stream, NodeWork work) {
    GraphNode node = draft.add(work, front(stream));
    fronts.put(stream, Set.of(node));
    return noted(Set.of(node));
  }

  private long noted(Set<GraphNode> nodes) {
    long number = -NUMBERS.incrementAndGet();
    events.put(number, nodes);
    return number;
  }

  Copy copy(
      Stream stream,
      Direction direction,
      MemorySegment host,
      GlobalArray array,
      Route.@Nullable Kind way) {
    if (way != null && way != Route.Kind.DIRECT) {
      throw refused("a copy that goes " + way + " cannot be captured: only DIRECT ones can");
    }
    NodeWork work = NodeWorks.copy(stream.device(), direction, host, array);
    return new Copy(stream, Route.DIRECT, add(stream, work), null);
  }

  Copy copy(Stream stream, GlobalArray source, GlobalArray destination, Route.@Nullable Kind way) {
    if (way != null && way != Route.Kind.LOCAL && way != Route.Kind.PEER) {
      throw refused("a copy that goes " + way + " cannot be captured: LOCAL and PEER ones can");
    }
    NodeWork.OnDevice work = NodeWorks.copy(stream.device(), source, destination);
    Route route = work.work() instanceof GraphWork.PeerCopy ? Route.PEER : Route.LOCAL;
    if (way != null && way != route.kind()) {
      throw refused("a copy that would go " + route.kind() + " cannot go " + way);
    }
    return new Copy(stream, route, add(stream, work), null);
  }

  Event then(Stream stream, Runnable callback, @Nullable Executor executor) {
    return new Event(stream, add(stream, new NodeWork.OnHost(callback, executor)));
  }

  Event record(Stream stream) {
    return new Event(stream, noted(front(stream)));
  }

  static void waitFor(Stream stream, Event event) {
    Capture capture = UNDER_WAY.get() == 0 ? null : OF_THREAD.get();
    Set<GraphNode> nodes = capture == null ? null : capture.events.get(event.sequence());
    if (capture == null || nodes == null) {
      Capture owner = event.sequence() < 0 ? ownerOf(event.sequence()) : null;
      if (owner != null && !owner.isOfThisThread()) {
        throw owner.refusedElsewhere(
            "the event is being captured by "
                + owner.thread
                + ": another thread cannot wait for it");
      }
      throw refused(
          event.sequence() < 0
              ? "the event was captured by a capture that is over, or another one: it is never done"
              : "the event was recorded outside of the capture: wait for it before the launch");
    }
    if (stream.device().engine() != capture.origin.device().engine()) {
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
