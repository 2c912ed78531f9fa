package dev.stretto.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * How often an event was recorded, and how many of its recordings have happened: two numbers in a
 * file that processes map. Streams write and wait for the second one. One process records.
 */
public final class Recordings {
  /** The size of the file. */
  public static final long BYTES = 4_096;

  private static final long RECORDED = 0;
  private static final long HAPPENED = 64;

  /** Whether it is known that no further one can happen. */
  private static final long ABANDONED = 128;

  /** How many had happened then. */
  private static final long HAD_HAPPENED = 136;

  /** What has happened when nothing more can. */
  private static final long ALL = Long.MAX_VALUE;

  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  private final SharedFile file;

  /** Guarded by this. */
  private boolean isClosed;

  private Recordings(SharedFile file) {
    this.file = file;
  }

  /** {@return those of a new event} */
  public static Recordings create() {
    try {
      return new Recordings(SharedFile.createPinnable(BYTES));
    } catch (IOException e) {
      throw new UncheckedIOException("there is no file for an event of several processes", e);
    }
  }

  /**
   * {@return those of another process's event}
   *
   * @param opens of {@link #opens}
   */
  public static Recordings open(byte[] opens) {
    Path path = Path.of(new String(opens, StandardCharsets.UTF_8));
    try {
      return new Recordings(SharedFile.open(path, BYTES));
    } catch (IOException e) {
      throw new UncheckedIOException("the event of another process cannot be mapped", e);
    }
  }

  /** {@return what opens them in another process} */
  public byte[] opens() {
    return file.path().toString().getBytes(StandardCharsets.UTF_8);
  }

  /** {@return the address of the page} */
  public long page() {
    return file.memory().address();
  }

  /** {@return the address of the number of recordings that have happened} */
  public long happenedAt() {
    return page() + HAPPENED;
  }

  /** Notes that a stream is going to write a number, one more than the last. */
  public void recorded(long number) {
    WORD.setRelease(file.memory(), RECORDED, number);
  }

  /** {@return how often it was recorded} */
  public long recorded() {
    return (long) WORD.getAcquire(file.memory(), RECORDED);
  }

  /** {@return how many recordings have happened, or more than any number if no further one can} */
  public long happened() {
    return (long) WORD.getAcquire(file.memory(), HAPPENED);
  }

  /**
   * Ends all waits, because what they wait for cannot happen any more. While the process that
   * records is ending, its device may still write a number, so this is to be repeated until it has
   * ended. Has no effect after {@link #close}.
   */
  public synchronized void abandon() {
    if (isClosed) {
      return;
    }
    if (WORD.compareAndSet(file.memory(), ABANDONED, 0L, 1L)) {
      WORD.setRelease(file.memory(), HAD_HAPPENED, happened());
    }
    WORD.setRelease(file.memory(), HAPPENED, ALL);
  }

  /**
   * {@return whether a wait for a recording may have ended although it had not happened} Numbers
   * are true as long as nobody has given up: a stream that ends with its process writes none. One
   * that comes later still may be true or not: it may have come after the wait.
   */
  public boolean isAbandoned(long number) {
    return (long) WORD.getAcquire(file.memory(), ABANDONED) != 0
        && number > (long) WORD.getAcquire(file.memory(), HAD_HAPPENED);
  }

  /** Ends their use here. */
  public synchronized void close() {
    isClosed = true;
    file.close();
  }
}
