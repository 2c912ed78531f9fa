package dev.stretto.misuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Sample;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * That whatever is called, with whatever arguments, from whatever thread, there is no crash, no
 * hang and no exception that is not a typed one in words, and that right programs are right in
 * between.
 *
 * <p>The system property {@code stretto.fuzz.calls} says how many calls are made; {@code
 * stretto.fuzz.seed} is the seed of the first round, to see one again that was printed; {@code
 * stretto.fuzz.step} lies between the seeds of two rounds, 20 for the same kind of machine again.
 */
class MisuseFuzzTest {
  private static final long CALLS = Sample.of("stretto.fuzz.calls", 25_000, 100_000);
  private static final long SEED = Long.getLong("stretto.fuzz.seed", 0);
  private static final long STEP = Long.getLong("stretto.fuzz.step", 1);
  private static final int CALLS_OF_A_ROUND = 1000;

  /** Longer than a round may take on a machine that does many other things. */
  private static final long STANDSTILL = 240_000_000_000L;

  private final Findings findings = new Findings();
  private final AtomicLong rounds = new AtomicLong();

  @Test
  @Timeout(value = 24, unit = TimeUnit.HOURS) // of a long run; a round that stands still ends it
  void misuseIsRefusedInWordsAndRightProgramsStayRight() throws InterruptedException {
    Logger log = Logger.getLogger("dev.stretto"); // held, so that its level stays
    Level before = log.getLevel();
    Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
    int threads = Thread.activeCount();
    long begin = System.nanoTime();
    Thread.setDefaultUncaughtExceptionHandler((_, thrown) -> uncaught(thrown));
    log.setLevel(Level.OFF);
    try (Watchdog watchdog = new Watchdog(findings)) {
      Thread fuzz = Thread.ofPlatform().daemon().name("misuse").start(() -> rounds(watchdog));
      awaitEnd(fuzz);
    } finally {
      log.setLevel(before);
      Thread.setDefaultUncaughtExceptionHandler(handler);
    }
    System.out.println(
        findings.summary((System.nanoTime() - begin) / 1_000_000_000L, (int) rounds.get()));
    assertThat(findings.text()).isEmpty();
    assertThat(findings.right.get()).isGreaterThan(0);
    awaitThreads(threads + 20);
  }

  private void rounds(Watchdog watchdog) {
    PublicCalls calls = new PublicCalls();
    for (long seed = SEED; findings.calls.get() < CALLS; seed += STEP) {
      new Round(calls, findings, watchdog, seed).run(CALLS_OF_A_ROUND);
      rounds.incrementAndGet();
    }
  }

  private void awaitEnd(Thread fuzz) throws InterruptedException {
    long count = -1;
    long since = System.nanoTime();
    while (fuzz.isAlive()) {
      fuzz.join(500);
      if (rounds.get() != count) {
        count = rounds.get();
        since = System.nanoTime();
      }
      if (System.nanoTime() - since > STANDSTILL) {
        StringBuilder stack = new StringBuilder();
        for (StackTraceElement frame : fuzz.getStackTrace()) {
          stack.append("\n    at ").append(frame);
        }
        findings.add("a round does not end", "seed " + (SEED + STEP * rounds.get()) + stack);
        return;
      }
    }
  }

  private void uncaught(Throwable thrown) {
    if (!Planned.isBehind(thrown)) {
      StringWriter stack = new StringWriter();
      thrown.printStackTrace(new PrintWriter(stack));
      findings.add(
          "a thread ended with " + thrown.getClass(),
          "seed near " + (SEED + STEP * rounds.get()) + "\n" + stack);
    }
  }

  private static void awaitThreads(int most) throws InterruptedException {
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (Thread.activeCount() > most && System.nanoTime() < deadline) {
      Thread.sleep(20);
    }
    assertThat(Thread.activeCount()).as("threads").isLessThanOrEqualTo(most);
  }
}
