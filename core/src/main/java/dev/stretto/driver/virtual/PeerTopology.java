package dev.stretto.driver.virtual;

/** Which devices of a virtual machine reach each other's memory. */
enum PeerTopology {
  /** Every device reaches every other, as through an NVLink switch, where the product can. */
  ALL("peers"),
  /** Each device reaches the one before it and the one behind it. */
  RING("ring"),
  /** None reaches any. */
  NONE("no-peer");

  private final String word;

  PeerTopology(String word) {
    this.word = word;
  }

  /** {@return what names it in a configuration} */
  String word() {
    return word;
  }

  /** {@return whether one of so many devices may reach another} */
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
