package dev.stretto.route;

import dev.stretto.order.OrderedStream;

/** A queue as the order of operations sees it. */
final class OrderedQueue implements OrderedStream {
  private final StreamQueue queue;
  private volatile long last;

  OrderedQueue(StreamQueue queue) {
    this.queue = queue;
  }

  boolean isOf(StreamQueue other) {
    return queue == other;
  }

  /** The number of the last operation whose order is known; 0 if there is none. */
  long last() {
    return last;
  }

  @Override
  public void waitFor(OrderedStream other, long sequence) {
    StreamWaits.enqueue(queue, ((OrderedQueue) other).queue, sequence);
  }

  @Override
  public void mark(long sequence) {
    last = sequence;
    synchronized (queue.device.lock) {
      Completion completion = queue.completion;
      if (queue.device.isUsable()
          && completion.isHandedOver(sequence)
          && completion.marked() < sequence) {
        try {
          completion.markNow(completion.submitted());
        } catch (RuntimeException e) {
          Loss.kept(e);
          completion.markLater(); // the operation was enqueued all the same
        }
      }
    }
  }

  @Override
  public boolean isOver(long sequence) {
    return !queue.driver.clock().isModelled()
        && queue.completion.isKnownDone(sequence)
        && queue.completion.hasArrived(sequence);
  }

  @Override
  public Object device() {
    return queue.device;
  }

  @Override
  public String title() {
    return queue.fullTitle();
  }
}
