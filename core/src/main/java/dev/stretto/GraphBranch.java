package dev.stretto;

import dev.stretto.fault.ClosedException;
import dev.stretto.fault.GraphException;
import dev.stretto.memory.GlobalInts;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Conditional nodes in the middle of a {@linkplain Graph#capture capture}: the device decides in
 * each launch whether it runs a body, which one, and how often. The bodies are captured too: what
 * comes before the node on the stream is done before the bodies, and what comes after it begins
 * when they are done. CUDA C++ Programming Guide, "Conditional Graph Nodes".
 *
 * <pre>{@code
 * Graph graph =
 *     Graph.capture(
 *         stream,
 *         s -> {
 *           s.fill(left, 1);
 *           GraphBranch.whileNonZero(s, left, body -> body.launch(grid, Kernels::step, x, left));
 *           s.copy(x, result);
 *         });
 * }</pre>
 *
 * <p>A body may have what the body of {@link GraphBuilder#ifNonZero} may have. It is given the
 * stream of the capture; other streams take part if they wait for an event that was recorded in the
 * body, and have to be joined before it ends. Streams and events of the capture around it are
 * refused there. All methods have to be called by the capturing thread, within a capture.
 */
public final class GraphBranch {
  private GraphBranch() {}

  /**
   * Captures a node that runs a body if an int in device memory is not 0, as {@link
   * GraphBuilder#ifNonZero(GlobalInts, Consumer, GraphNode...)} does.
   *
   * @param stream a stream that is being captured
   * @param condition one int on the device; it is read when the node begins
   * @param body enqueues the operations of the body on the given stream
   * @throws GraphException if the stream is not being captured, the driver is older than CUDA 12.3,
   *     the condition lies on another device, or an operation is not allowed in a body
   * @throws IllegalArgumentException if the condition is not one int
   * @throws ClosedException if the stream, the device, the condition or something that the body
   *     uses is closed
   */
  public static void ifNonZero(Stream stream, GlobalInts condition, Consumer<? super Stream> body) {
    Objects.requireNonNull(stream, "stream");
    Objects.requireNonNull(condition, "condition");
    Objects.requireNonNull(body, "body");
    branch(stream, GraphNode.Kind.IF, condition, List.of(body));
  }

  /**
   * Captures a node that runs one of two bodies, as {@link GraphBuilder#ifNonZero(GlobalInts,
   * Consumer, Consumer, GraphNode...)} does.
   *
   * @param stream a stream that is being captured
   * @param condition one int on the device; it is read when the node begins
   * @param body enqueues the operations of the body that runs if the int is not 0
   * @param otherwise enqueues those of the body that runs if the int is 0
   * @throws GraphException if the stream is not being captured, the driver is older than CUDA 12.8,
   *     the condition lies on another device, or an operation is not allowed in a body
   * @throws IllegalArgumentException if the condition is not one int
   * @throws ClosedException as for one body
   */
  public static void ifNonZero(
      Stream stream,
      GlobalInts condition,
      Consumer<? super Stream> body,
      Consumer<? super Stream> otherwise) {
    Objects.requireNonNull(stream, "stream");
    Objects.requireNonNull(condition, "condition");
    Objects.requireNonNull(body, "body");
    Objects.requireNonNull(otherwise, "otherwise");
    branch(stream, GraphNode.Kind.IF, condition, List.of(body, otherwise));
  }

  /**
   * Captures a node that repeats a body while an int in device memory is not 0, as {@link
   * GraphBuilder#whileNonZero} does.
   *
   * @param stream a stream that is being captured
   * @param condition one int on the device; it is read when the node begins, and when the body is
   *     done
   * @param body enqueues the operations of the body on the given stream
   * @throws GraphException if the stream is not being captured, the driver is older than CUDA 12.3,
   *     the condition lies on another device, or an operation is not allowed in a body
   * @throws IllegalArgumentException if the condition is not one int
   * @throws ClosedException if the stream, the device, the condition or something that the body
   *     uses is closed
   */
  public static void whileNonZero(
      Stream stream, GlobalInts condition, Consumer<? super Stream> body) {
    Objects.requireNonNull(stream, "stream");
    Objects.requireNonNull(condition, "condition");
    Objects.requireNonNull(body, "body");
    branch(stream, GraphNode.Kind.WHILE, condition, List.of(body));
  }

  /**
   * Captures a node that runs the body whose number, counted from 0, is an int in device memory, as
   * {@link GraphBuilder#switchOn} does.
   *
   * @param stream a stream that is being captured
   * @param condition one int on the device; it is read when the node begins
   * @param bodies enqueue the operations of the bodies; at least one
   * @throws GraphException if the stream is not being captured, the driver is older than CUDA 12.8,
   *     the condition lies on another device, or an operation is not allowed in a body
   * @throws IllegalArgumentException if the condition is not one int, or there is no body
   * @throws ClosedException as for one body
   */
  public static void switchOn(
      Stream stream, GlobalInts condition, List<? extends Consumer<? super Stream>> bodies) {
    Objects.requireNonNull(stream, "stream");
    Objects.requireNonNull(condition, "condition");
    Objects.requireNonNull(bodies, "bodies");
    if (bodies.isEmpty()) {
      throw new IllegalArgumentException("a switch without bodies");
    }
    for (Consumer<? super Stream> body : bodies) {
      Objects.requireNonNull(body, "an element of bodies");
    }
    branch(stream, GraphNode.Kind.SWITCH, condition, bodies);
  }

  private static void branch(
      Stream stream,
      GraphNode.Kind kind,
      GlobalInts condition,
      List<? extends Consumer<? super Stream>> bodies) {
    List<Runnable> described = new ArrayList<>();
    for (Consumer<? super Stream> body : bodies) {
      described.add(() -> body.accept(stream));
    }
    Capture.branch(stream.captured(), kind, condition, described);
  }
}
