package dev.stretto.twin;

import dev.stretto.Device;
import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.GraphNode;
import dev.stretto.Stream;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.memory.GlobalInts;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Holds a stream up until the host opens it: a graph that goes round while an int on the device is
 * not 0. So what happens before it is opened is a fact, and no race, on a seeded device too. After
 * ten seconds it opens by itself, so that a call that waits for it, and should not, comes back.
 */
final class Latch implements AutoCloseable {
  private static final int EXPIRY_SECONDS = 10;
  private static final ScheduledExecutorService EXPIRIES =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());

  private final Stream opener;
  private final GlobalInts shut;
  private final Graph graph;
  private final ScheduledFuture<?> expiry;
  private volatile boolean open;

  Latch(Device device) {
    // More urgent than others, so that the driver does not queue it behind what is held up.
    opener = device.stream(device.properties().greatestPriority());
    shut = device.allocateInts(1);
    opener.fill(shut, 1).await();
    GraphBuilder builder = Graph.builder(device);
    addTo(builder);
    graph = builder.build().instantiate();
    graph.upload(opener).await();
    expiry = EXPIRIES.schedule(this::open, EXPIRY_SECONDS, TimeUnit.SECONDS);
  }

  /** Holds up everything that the stream is given from now on. */
  void hold(Stream stream) {
    stream.launch(graph);
  }

  /** Holds up what comes after the returned node of a graph. */
  GraphNode addTo(GraphBuilder builder, GraphNode... after) {
    return builder.whileNonZero(shut, GraphBuilder::join, after);
  }

  /** Lets everything go on; the first time only. */
  synchronized void open() {
    if (!open) {
      open = true;
      try {
        opener.fill(shut, 0);
      } catch (DeviceLostException _) {
        return; // which holds nothing up any more
      }
    }
  }

  boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    expiry.cancel(false);
    open();
    graph.close();
    shut.close();
    opener.close();
  }
}
