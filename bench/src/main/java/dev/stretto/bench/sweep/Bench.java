package dev.stretto.bench.sweep;

import dev.stretto.Device;
import dev.stretto.Stream;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * What every way gets.
 *
 * @param machine that the operations run on
 * @param meter measures and prints
 * @param plan sizes and numbers of operations
 */
record Bench(Machine machine, Meter meter, Plan plan) {
  Device device() {
    return machine.device();
  }

  /** For what lies in device memory. */
  DeviceData data() {
    return machine.data();
  }

  /** Runs something with so many new streams, and closes them. */
  void withStreams(int count, Consumer<List<Stream>> body) {
    List<Stream> streams = IntStream.range(0, count).mapToObj(_ -> device().stream()).toList();
    try {
      body.accept(streams);
    } finally {
      streams.forEach(Stream::close);
    }
  }

  static void await(List<Stream> streams) {
    for (Stream stream : streams) {
      stream.await();
    }
  }
}
