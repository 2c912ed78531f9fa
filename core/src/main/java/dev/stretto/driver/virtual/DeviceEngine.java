package dev.stretto.driver.virtual;

/** The engine that an operation occupies while it runs. */
enum DeviceEngine {
  /** The copy engine from host to device. */
  TO_DEVICE("h2d"),
  /** The copy engine from device to host; the same as the other one if a device has only one. */
  TO_HOST("d2h"),
  /** The multiprocessors: kernels. */
  COMPUTE("compute"),
  /** Fills and local copies, which wait for no kernel. */
  LOCAL("local"),
  /** The copy engine between devices. */
  PEER("p2p"),
  /** No engine: numbers that streams write and wait for. */
  VALUES("values"),
  /** Nothing: records and waits. */
  NONE("none");

  private final String word;

  DeviceEngine(String word) {
    this.word = word;
  }

  /** {@return its name as part of a thread's name} */
  String word() {
    return word;
  }
}
