package dev.stretto.contract;

import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverException;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes the n-th call of a kind fail; with a loss of the device, every later call fails too. */
final class FaultyDriver extends DriverTap {
  private final Call failing;
  private final int number;
  private final DriverException.Kind kind;
  private final AtomicInteger calls = new AtomicInteger();
  private volatile boolean armed;
  private volatile boolean failed;

  /**
   * Fails nothing before {@link #arm()}.
   *
   * @param failing which call
   * @param number which one of them, from 1 on
   * @param kind how
   */
  FaultyDriver(Driver driver, Call failing, int number, DriverException.Kind kind) {
    super(driver);
    this.failing = failing;
    this.number = number;
    this.kind = kind;
  }

  /** From now on the calls are counted. */
  void arm() {
    armed = true;
  }

  /** {@return whether a call was made to fail} */
  boolean hasFailed() {
    return failed;
  }

  @Override
  void before(Call call) {
    if (!armed) {
      return;
    }
    boolean now = call == failing && calls.incrementAndGet() == number;
    if (now || (failed && kind == DriverException.Kind.LOST && call != Call.CLOSE)) {
      failed = true;
      throw new DriverException(kind, 999, "injected into " + call + " number " + number);
    }
  }
}
