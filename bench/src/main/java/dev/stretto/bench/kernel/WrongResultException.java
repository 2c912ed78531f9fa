package dev.stretto.bench.kernel;

import java.io.Serial;

/** Thrown if a kernel's result differs from the host's. */
final class WrongResultException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  WrongResultException(String message) {
    super(message);
  }

  static void requireClose(String what, double found, double expected, double tolerance) {
    if (!(Math.abs(found - expected) <= tolerance)) {
      throw new WrongResultException(what + " is " + found + ", not " + expected);
    }
  }
}
