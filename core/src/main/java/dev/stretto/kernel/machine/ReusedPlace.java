package dev.stretto.kernel.machine;

import org.jspecify.annotations.Nullable;

/**
 * The history of the memory that a copy fills, recorded when the copy was begun: the earlier
 * content of the memory, and what the thread that began the copy knew of the others. A report uses
 * this to distinguish a thread that still reads the old content (the copy came too early) from a
 * thread that wants the content that the copy brings (the thread has not waited).
 *
 * @param first the first copy that has filled it, if one has
 * @param before the last copy that has filled it, if one has
 * @param writer the thread that has stored there since, or -1
 * @param written when it did so, by its own clock
 * @param known what the thread that began the copy knew of the others' clocks
 * @param line where the copy was begun
 * @param visit how often the copy's thread had come to that line
 */
@SuppressWarnings("ArrayRecordComponent") // places are not compared
record ReusedPlace(
    @Nullable PendingCopy first,
    @Nullable PendingCopy before,
    int writer,
    int written,
    int[] known,
    @Nullable CallPath line,
    int visit) {

  /**
   * Whether a thread that reads wants the content from before the copy.
   *
   * @param reader the thread's rank
   * @param round the round of the thread in which it reads
   */
  boolean isWantedBy(int reader, int round, LearningHistory history, CopyVisits visits) {
    int learned = learned(reader, history);
    if (learned == Integer.MAX_VALUE) {
      // The thread does not know of the last content. Does it still use an older one, or none yet?
      return first != null && first.learnedBy(history, reader) != Integer.MAX_VALUE;
    }
    int visited = visits.until(line, reader, round);
    if (visited > 0) {
      // The thread begins such copies itself. Is it already in the round of this one?
      return visited < visit;
    }
    // Has the thread released the memory since it learned of the content?
    return LearningHistory.at(known, reader) < learned;
  }

  /** When a thread learned of the content from before the copy, by its own clock. */
  private int learned(int reader, LearningHistory history) {
    if (writer >= 0) {
      return history.learned(reader, writer, written);
    }
    return before == null ? Integer.MAX_VALUE : before.learnedBy(history, reader);
  }
}
