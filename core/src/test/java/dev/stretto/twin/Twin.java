package dev.stretto.twin;

/**
 * A small program with a counterpart of the same name in CUDA C++.
 *
 * @param name the name
 * @param kind what it takes
 * @param body what it does
 * @param needsHopper whether its kernels need compute capability 9.0
 */
record Twin(String name, Kind kind, Body body, boolean needsHopper) {
  /** What a twin takes. */
  enum Kind {
    /** One device, which goes on. */
    PLAIN,
    /** One device, which it loses. */
    ALONE,
    /** Two devices, which go on. */
    PAIR,
    /** Two devices, of which it loses one. */
    PAIR_ALONE;

    /** {@return whether the process that runs it can use the device no more} */
    boolean losesDevice() {
      return this == ALONE || this == PAIR_ALONE;
    }

    boolean needsPair() {
      return this == PAIR || this == PAIR_ALONE;
    }
  }

  /** What a twin does. */
  @FunctionalInterface
  interface Body {
    /**
     * Runs it.
     *
     * @param scene what it works with and prints to
     * @throws Exception what it did not expect
     */
    void run(Scene scene) throws Exception;
  }

  /** A twin that takes one device and leaves it well. */
  static Twin of(String name, Body body) {
    return new Twin(name, Kind.PLAIN, body, false);
  }

  /** A twin that loses the device. */
  static Twin alone(String name, Body body) {
    return new Twin(name, Kind.ALONE, body, false);
  }

  /** A twin that takes two devices. */
  static Twin pair(String name, Body body) {
    return new Twin(name, Kind.PAIR, body, false);
  }

  /** A twin that takes two devices and loses one. */
  static Twin pairAlone(String name, Body body) {
    return new Twin(name, Kind.PAIR_ALONE, body, false);
  }

  /** {@return the same twin, whose kernels need compute capability 9.0} */
  Twin onHopper() {
    return new Twin(name, kind, body, true);
  }

  @Override
  public String toString() {
    return name;
  }
}
