package dev.stretto.driver.virtual;

/** Which devices of a virtual driver can access each other's memory. */
enum PeerTopology {
  /** Every device can access every other, as through an NVLink switch, if the product can. */
  ALL("peers"),
  /** Each device can access the one before it and the one after it. */
  RING("ring"),
  /** No device can access another. */
  NONE("no-peer");

  private final String word;

  PeerTopology(String word) {
    this.word = word;
  }

  /** {@return its name in a configuration} */
  String word() {
    return word;
  }

  /** {@return whether one of several devices can access another} */
  boolean joins(int from, int to, int devices) {
    if (from == to) {
      return false;
    }
    return switch (this) {
      case ALL -> true;
      case NONE -> false;
      case RING -> (from + 1) % devices == to || (to + 1) % devices == from;
    };
  }
}
