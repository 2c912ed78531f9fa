package dev.stretto.bench.nccl;

/** One rank that calls an all-reduce of {@link NcclCost#FLOATS} floats on a stream of its own. */
interface Calls extends AutoCloseable {
  /** Calls as often in a row. Returns microseconds a call. */
  double micros(int calls);

  /** Waits until the device has done all of them. */
  void awaitDone();

  @Override
  void close();
}
