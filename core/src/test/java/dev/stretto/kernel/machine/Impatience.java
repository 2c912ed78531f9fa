package dev.stretto.kernel.machine;

/** While it lasts it is logged at once, and not after a minute, that threads get nowhere. */
public final class Impatience implements AutoCloseable {
  private final long usual;

  private Impatience(long usual) {
    this.usual = usual;
  }

  /** Begins now. */
  public static Impatience begin() {
    Impatience impatience = new Impatience(CarriedThreads.longNanos);
    CarriedThreads.longNanos = 1;
    return impatience;
  }

  @Override
  public void close() {
    CarriedThreads.longNanos = usual;
  }
}
