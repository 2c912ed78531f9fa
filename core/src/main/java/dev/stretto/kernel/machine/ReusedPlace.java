package dev.stretto.kernel.machine;

import org.jspecify.annotations.Nullable;

/**
 * What is known of memory that a copy fills, at the moment when it was begun: what the memory held
 * before, and what the thread that began the copy knew of the others. By that a report tells a
 * thread that still reads what was there before (the copy came too early) from one that wants what
 * the copy brings (it has not waited).
 *
 * @param first the first copy that has filled it, if one has
 * @param before the last copy that has filled it, if one has
 * @param writer the thread that has stored there since, or -1
 * @param written when, by that thread's clock
 * @param known what the thread that began the copy knew of the others' clocks
 * @param line where the copy was begun
 * @param visit how often its thread had come to that line
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
   * Whether a thread that reads means what was there before.
   *
   * @param reader the thread's rank
   * @param round in which of its rounds it reads
   */
  boolean isWantedBy(int reader, int round, LearningHistory history, CopyVisits visits) {
    int learned = learned(reader, history);
    if (learned == Integer.MAX_VALUE) {
      // It does not know of what was there last: is it further behind, or not there yet?
      return first != null && first.learnedBy(history, reader) != Integer.MAX_VALUE;
    }
    int visited = visits.until(line, reader, round);
    if (visited > 0) {
      // It begins such copies itself: is it already in the round of this one?
      return visited < visit;
    }
    // Has it given the memory away since it got it?
    return LearningHistory.at(known, reader) < learned;
  }

  /** When a thread came to know what was there before, by its own clock. */
  private int learned(int reader, LearningHistory history) {
    if (writer >= 0) {
      return history.learned(reader, writer, written);
    }
    return before == null ? Integer.MAX_VALUE : before.learnedBy(history, reader);
  }
}
