package dev.stretto.compiler.bank;

import static java.util.stream.Collectors.joining;

import dev.stretto.compiler.ir.Line;
import java.util.List;
import java.util.OptionalLong;

/**
 * A place in a kernel at which the lanes of a warp access shared memory, and how long that takes.
 * Two values of the passes that differ are the least and the most that were found for different
 * values of what the addresses depend on.
 *
 * @param line the place
 * @param kind {@code load}, {@code store}, {@code ldmatrix} or {@code stmatrix}
 * @param bytes the size of a lane's access, or of a row of a matrix
 * @param lanes how many lanes of a warp take part, at most
 * @param needed the passes that a warp needs without conflicts
 * @param least the fewest passes of a warp; -1 if they are not known
 * @param most the most passes of a warp; -1 if they are not known
 * @param ways the most lanes that wait for one bank: 1 if there is no conflict; -1 if that is not
 *     known
 * @param distance the bytes from each lane's address to the next one's, if that is always the same
 * @param unknowns what the passes depend on; empty if they are always the same
 */
public record SharedAccess(
    Line line,
    String kind,
    int bytes,
    int lanes,
    int needed,
    int least,
    int most,
    int ways,
    OptionalLong distance,
    List<Unknown> unknowns) {
  private static final int WORD = 4;
  private static final int MOST_PADDING = 64;
  private static final int MOST_NAMED = 3;

  /** Lanes that are farther apart are taken for one in each row of a matrix. */
  private static final int LEAST_ROW = 32;

  /** {@return whether the passes were found} */
  public boolean isKnown() {
    return most >= 0;
  }

  /** {@return whether lanes wait for each other, in some cases at least} */
  public boolean hasConflict() {
    return isKnown() && ways > 1;
  }

  /** {@return the outcome in a few words} */
  public String title() {
    if (!isKnown()) {
      return "bank conflicts not known";
    }
    if (!hasConflict()) {
      return "no bank conflict";
    }
    return (least == most ? "" : "up to ") + ways + "-way bank conflict";
  }

  /** {@return what a warp does, how long it takes, why, and what would be better} */
  public String message() {
    String access =
        "%s of %d %s by each of %d lanes"
            .formatted(kind, bytes, bytes == 1 ? "byte" : "bytes", lanes);
    if (!isKnown()) {
      return access + ": the addresses depend on " + words();
    }
    String takes = least == most ? passes(most) : "%d to %s".formatted(least, passes(most));
    if (!hasConflict()) {
      return access + ": " + takes;
    }
    return access
        + ": "
        + takes
        + " instead of "
        + needed
        + (distance.isPresent() ? "; the lanes are " + words(distance.getAsLong()) + " apart" : "")
        + (least == most ? advice() : ", depending on " + words());
  }

  /** A distance of the lanes without conflicts, if a little more is enough. */
  private String advice() {
    if (distance.isEmpty()) {
      return "";
    }
    long apart = Math.abs(distance.getAsLong());
    int step = Math.max(WORD, bytes);
    for (int more = step; more <= MOST_PADDING; more += step) {
      int[] at = new int[Banks.LANES];
      for (int lane = 0; lane < at.length; lane++) {
        at[lane] = (int) (lane * (apart + more));
      }
      if (Banks.passes(at, -1, bytes).ways() == 1) {
        return apart < LEAST_ROW
            ? ", and would not conflict if they were %s apart".formatted(words(apart + more))
            : ": pad each row by %s".formatted(words(more));
      }
    }
    return "";
  }

  private static String passes(int count) {
    return count == 1 ? "1 pass" : count + " passes";
  }

  private String words() {
    if (unknowns.isEmpty()) {
      return "what is known only when it runs";
    }
    String first =
        unknowns.stream().limit(MOST_NAMED).map(Unknown::toString).collect(joining(" and "));
    int more = unknowns.size() - MOST_NAMED;
    return more > 0 ? "%s and %d more".formatted(first, more) : first;
  }

  /** A number of bytes, in words of 4 if it is a number of them. */
  private static String words(long bytes) {
    long apart = Math.abs(bytes);
    long count = apart % WORD == 0 ? apart / WORD : apart;
    return count + (apart % WORD == 0 ? " word" : " byte") + (count == 1 ? "" : "s");
  }
}
