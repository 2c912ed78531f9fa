package dev.stretto.flow;

/**
 * Where the chunks of a flow were, added up over all of them. As many chunks as are in flight are
 * somewhere at the same time, so the sum of these is up to that many times the time that the flow
 * took; on virtual devices it is modelled time. The threads of staged copies read files and mapped
 * files, except on modelled and seeded devices: their time counts as reading, and also as a part of
 * that with the device.
 *
 * @param totalNanos from the begin of the flow until the last chunk was in the sink, not added up
 * @param toReadNanos with a slot, before a thread read them
 * @param readNanos while a thread read them
 * @param deviceNanos with the device: from the first operation that was enqueued until the last one
 *     was known to be done
 * @param toWriteNanos before a thread wrote them
 * @param writeNanos while a thread wrote them
 * @param readers how many threads read at a time at most
 * @param writers how many threads wrote at a time at most
 */
public record FlowTimes(
    long totalNanos,
    long toReadNanos,
    long readNanos,
    long deviceNanos,
    long toWriteNanos,
    long writeNanos,
    int readers,
    int writers) {
  static final FlowTimes NONE = new FlowTimes(0, 0, 0, 0, 0, 0, 0, 0);

  FlowTimes plus(FlowTimes other) {
    return new FlowTimes(
        Math.max(totalNanos, other.totalNanos),
        toReadNanos + other.toReadNanos,
        readNanos + other.readNanos,
        deviceNanos + other.deviceNanos,
        toWriteNanos + other.toWriteNanos,
        writeNanos + other.writeNanos,
        Math.max(readers, other.readers),
        Math.max(writers, other.writers));
  }
}
