package dev.stretto.route;

import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;

/**
 * How often threads have asked a seeded device in vain. A question does not advance the device, so
 * that a program can see which work is not done yet. But a loop that only asks has to come to its
 * end. So if a thread has asked the same question very often, or for a while, its questions count
 * as waits: each of them steps the device, at least once, until the answer is yes. The device stops
 * there, so for a program that only asks, the seed alone decides the order, however often it asks.
 */
final class Questions {
  /** After this many repetitions a question is a wait. */
  private static final int OFTEN = 1000;

  /** The same for questions so far apart that many would take for ever. */
  private static final int SEVERAL = 20;

  private static final long A_WHILE_NANOS = 200_000_000;

  /** After this many questions of a thread in a row, of any kind, each is a wait. */
  private static final int VERY_OFTEN = 100_000;

  /**
   * A thread that seldom asks takes one step for each interval of this length since its last
   * question.
   */
  private static final long STEP_NANOS = 1_000_000;

  private static final int MOST_STEPS = 1000;
  private static final int MOST_QUESTIONS = 4096;

  private record Question(Object about, long point) {}

  private static final class Asked {
    int times;
    long firstNanos;
    long lastNanos;
  }

  /** A thread's questions since anything happened, apart from the effects of these questions. */
  private static final class Row {
    final Map<Question, Asked> asked = new HashMap<>();
    int times;
    long news;
  }

  @GuardedBy("this")
  private final Map<Thread, Row> rows = new WeakHashMap<>();

  /**
   * {@return the answer to a question, after as many steps as are due}
   *
   * @param about the subject of the question
   * @param point the point of the subject
   * @param answer answers the question, without a step
   * @param step lets one thing happen, and returns whether anything could happen
   * @param lock knows whether anything has happened
   */
  boolean ask(
      Object about, long point, BooleanSupplier answer, LongPredicate step, DriverLock lock) {
    if (answer.getAsBoolean()) {
      forget(about, point);
      return true;
    }
    int steps = steps(about, point, lock.news());
    boolean yes = false;
    boolean stepped = true;
    for (int i = 0; i < steps && stepped && !yes; i++) {
      long now = System.nanoTime(); // a thread that asks does not want to wait
      boolean ours = step.test(now);
      boolean theirs = lock.stepStrangers(now);
      stepped = ours || theirs;
      yes = answer.getAsBoolean();
    }
    if (yes) {
      forget(about, point);
    } else if (steps > 0) {
      goOn(lock.news());
    }
    return yes;
  }

  private synchronized void forget(Object about, long point) {
    Row row = rows.get(Thread.currentThread());
    if (row != null && row.asked.remove(new Question(about, point)) != null) {
      row.times = 0; // the awaited thing has happened
    }
  }

  /** {@return how many steps to take for a question that was answered with no} */
  private synchronized int steps(Object about, long point, long news) {
    long now = System.nanoTime();
    Row row = rows.computeIfAbsent(Thread.currentThread(), thread -> new Row());
    if (row.news != news || row.asked.size() >= MOST_QUESTIONS) {
      row.times = row.news != news ? 0 : row.times;
      row.asked.clear();
      row.news = news;
    }
    Asked asked = row.asked.computeIfAbsent(new Question(about, point), question -> new Asked());
    if (asked.times == 0) {
      asked.firstNanos = now;
      asked.lastNanos = now;
    }
    asked.times++;
    row.times++;
    long pause = now - asked.lastNanos;
    asked.lastNanos = now;
    boolean waits =
        asked.times > OFTEN
            || row.times > VERY_OFTEN
            || (asked.times > SEVERAL && now - asked.firstNanos > A_WHILE_NANOS);
    return waits ? 1 + (int) Math.min(MOST_STEPS, pause / STEP_NANOS) : 0;
  }

  /** Continues a thread's row of questions, because the news came from its own questions. */
  private synchronized void goOn(long news) {
    Row row = rows.get(Thread.currentThread());
    if (row != null) {
      row.news = news;
    }
  }
}
