package dev.stretto.diagnosis.tally;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way on which the program came here. To take it down costs a third of finding the line at
 * once; to find the line in it, which is needed for reports only, costs much more.
 */
@SuppressWarnings({"serial", "OverrideThrowableToString"}) // never thrown
public final class Trail extends Throwable implements Supplier<@Nullable StackTraceElement> {
  /** Takes down how the program came here. */
  public Trail() {
    super(null, null, false, true);
  }

  /** {@return the program's frame nearest to the library, as {@link Places#caller()} finds it} */
  @Override
  public @Nullable StackTraceElement get() {
    return Places.nearest(getStackTrace());
  }
}
