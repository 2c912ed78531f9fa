package dev.stretto.bench.kernel;

import dev.stretto.Launch;
import java.util.List;

/**
 * A benchmark's work.
 *
 * @param launches one run of it; the figures are about the first kernel
 * @param unit the unit of the work
 * @param work how much work one run does
 * @param check checks the result
 */
record Job(List<Launch> launches, Unit unit, double work, Check check) {
  /** The unit of work: bytes of device memory, or floating-point operations. */
  enum Unit {
    BYTES("gigabytesPerSecond"),
    OPERATIONS("gigaflopsPerSecond");

    final String rate;

    Unit(String rate) {
      this.rate = rate;
    }
  }

  /** A launch that moves so many bytes. */
  static Job ofBytes(Launch launch, double bytes, Check check) {
    return new Job(List.of(launch), Unit.BYTES, bytes, check);
  }

  /** A launch that does so many operations. */
  static Job ofOperations(Launch launch, double operations, Check check) {
    return new Job(List.of(launch), Unit.OPERATIONS, operations, check);
  }

  /** Checks the result of all runs. */
  @FunctionalInterface
  interface Check {
    /**
     * Returns a checksum, which is the same in C++.
     *
     * @throws WrongResultException if the result is wrong
     */
    double sum();
  }
}
