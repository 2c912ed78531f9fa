package dev.stretto.collective;

import dev.stretto.Event;
import dev.stretto.Stream;
import java.util.List;

/** Brings the data of a communicator from rank to rank. Its operations come in order. */
interface Carrier {
  /**
   * Enqueues an operation on a stream.
   *
   * @param parts what it consists of
   * @return an event that happens when it is done here
   */
  Event enqueue(Stream stream, List<Part> parts);

  /**
   * Makes an operation part of the graph that is captured on a stream.
   *
   * @param parts what it consists of
   * @param turns when its launches come
   * @return the captured event
   */
  Event capture(Stream stream, List<Part> parts, Turns turns);

  /**
   * Takes memory of the device for a window. Waits for nobody.
   *
   * @param released runs when the memory is given back
   */
  WindowMemory windowMemory(long bytes, Runnable released);

  /** A rank has failed: ends what is under way. */
  void fail(RuntimeException why);

  /** Gives everything back; nothing is under way. */
  void close();
}
