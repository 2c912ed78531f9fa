package dev.stretto.bench;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Route;
import dev.stretto.Stream;

/** A pattern on one device, its destination on another, and the route that it has to take. */
final class Transfer implements AutoCloseable {
  private final Words source;
  private final Words destination;
  private final Route.Kind way;

  Transfer(Device from, Device to, long bytes, long seed, Route.Kind way) {
    this.source = new Words(from, bytes, seed);
    this.destination = new Words(to, bytes, seed);
    this.way = way;
    source.fill();
  }

  Words destination() {
    return destination;
  }

  long bytes() {
    return source.array().byteSize();
  }

  Copy enqueue(Stream stream) {
    Copy copy = stream.copy(source.array(), destination.array());
    requireWay(copy, way);
    return copy;
  }

  /**
   * Also checks the route at the end: if staging gets no pinned memory, it leaves the copy to the
   * driver.
   */
  void await(Copy copy) {
    copy.await();
    requireWay(copy, way);
  }

  static void requireWay(Copy copy, Route.Kind way) {
    if (copy.route().kind() != way) {
      throw new IllegalStateException("not " + way + ": " + copy.route());
    }
  }

  @Override
  public void close() {
    source.close();
    destination.close();
  }
}
