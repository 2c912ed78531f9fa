package dev.stretto.enqueue;

import dev.stretto.route.Outcome;
import dev.stretto.route.Way;
import org.jspecify.annotations.Nullable;

/**
 * Makes the object that a program gets for an enqueued copy. It is made in its final form at once,
 * so that an enqueue allocates one object.
 *
 * @param <C> the form
 */
public interface CopyForm<C> {
  /**
   * {@return a copy that was enqueued}
   *
   * @param way the way that it takes
   * @param sequence its number in its stream
   * @param outcome further facts about it, or null
   */
  C copy(Way way, long sequence, @Nullable Outcome outcome);

  /** {@return the way that a copy takes} */
  Way way(C copy);

  /** {@return the number of a copy in its stream} */
  long sequence(C copy);
}
