package dev.stretto.route;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * Who has to know of the launches of a graph that has its work: another library's call that is this
 * too is told of each. Works of one owner come one after the other in a graph, in the order in
 * which they were captured, whatever their streams.
 *
 * @param <S> what programs call a stream
 * @param <E> what programs call an event
 */
public interface GraphGuest<S, E> {
  /** {@return whose work it is} Compared by identity. */
  Object owner();

  /**
   * A launch of the graph is about to be enqueued. Then {@link #launched} is called on the same
   * thread.
   *
   * @param stream where; what is enqueued on it here comes before the launch
   * @param failed may be told, once and at any time until the launch is done, why what the work
   *     writes is not what it should be: awaiting the launch then throws this exception, as does
   *     the next wait for the stream
   * @throws RuntimeException to refuse the launch, which throws the exception; then {@code
   *     launched} is not called
   */
  void launching(S stream, Consumer<RuntimeException> failed);

  /**
   * A launch was enqueued, or was not.
   *
   * @param event happens when the whole launch is done; nothing if it was refused
   */
  void launched(Optional<E> event);

  /**
   * The graph is closed, as are all that have it as a node, and their launches are done; or it was
   * not made. Called on any thread; must not block.
   */
  void released();
}
