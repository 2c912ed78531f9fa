package dev.stretto.bench.kernel;

import dev.stretto.Launch;
import java.util.List;

/**
 * What a benchmark does.
 *
 * @param launches one run of it; the first is the kernel that the figures are about
 * @param unit what is counted
 * @param work how much of that one run does
 * @param check whether the result is right
 */
record Job(List<Launch> launches, Unit unit, double work, Check check) {
  /** What is counted: bytes of device memory, or floating-point operations. */
  enum Unit {
    BYTES("gigabytesPerSecond"),
    OPERATIONS("gigaflopsPerSecond");

    final String rate;

    Unit(String rate) {
      this.rate = rate;
    }
  }

  /** Looks at the result of all runs. */
  @FunctionalInterface
  interface Check {
    /**
     * Returns a checksum, which says the same in C++.
     *
     * @throws WrongResultException if the result is wrong
     */
    double sum();
  }
}
