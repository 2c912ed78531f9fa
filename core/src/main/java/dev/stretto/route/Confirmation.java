package dev.stretto.route;

import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Tells whether what another process has told was true. */
@FunctionalInterface
public interface Confirmation {
  /**
   * {@return why it may not be true, or null if it is} Asks the process, so no lock is held here.
   *
   * @param nanos how long to wait for an answer
   * @throws TimeoutException if there is none for so long
   */
  @Nullable RuntimeException failure(long nanos) throws TimeoutException;
}
