package dev.stretto.enqueue;

import dev.stretto.route.Outcome;
import dev.stretto.route.Way;
import org.jspecify.annotations.Nullable;

/**
 * What a program gets of a copy that was enqueued. It is made at once in its final form, so that an
 * enqueue allocates one object.
 *
 * @param <C> the form
 */
public interface CopyForm<C> {
  /**
   * {@return a copy that was enqueued}
   *
   * @param way it takes
   * @param sequence its number in its stream
   * @param outcome what is known of it beyond its number, or null
   */
  C copy(Way way, long sequence, @Nullable Outcome outcome);

  /** {@return the way that a copy takes} */
  Way way(C copy);

  /** {@return the number of a copy in its stream} */
  long sequence(C copy);
}
