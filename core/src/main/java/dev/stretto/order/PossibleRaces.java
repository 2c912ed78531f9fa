package dev.stretto.order;

import dev.stretto.fault.RaceException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Races that there are only if an operation does all that it may do: each is reported once, and the
 * program goes on.
 */
final class PossibleRaces {
  private static final int MOST = 1 << 10;
  private static final System.Logger LOG = System.getLogger("dev.stretto");

  private record Pair(@Nullable StackTraceElement first, @Nullable StackTraceElement second) {}

  private final Set<Pair> reported = new HashSet<>();

  /** {@return the race, or nothing if one between the same lines was reported} */
  Optional<RaceException> add(Accesses memory, Access first, Access second) {
    Pair pair = new Pair(first.work().line(), second.work().line());
    return reported.size() < MOST && reported.add(pair)
        ? Optional.of(Race.of(memory, first, second))
        : Optional.empty();
  }

  /** Reports a race. Not with a lock held: a logger may call foreign code. */
  static void report(RaceException race) {
    LOG.log(
        System.Logger.Level.WARNING,
        "possible "
            + race.getMessage()
            + ". Nobody knows what the kernel does with its arrays: declare it by"
            + " DeviceKernel.withUses");
  }
}
