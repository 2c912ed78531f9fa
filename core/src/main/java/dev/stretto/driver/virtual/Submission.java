package dev.stretto.driver.virtual;

import java.util.List;
import java.util.function.Function;

/**
 * Puts operations into their streams: applies the launch queue's bound, the rule of the legacy
 * stream and the modelled times.
 */
final class Submission {
  private final PrimaryContext context;
  private final Platform platform;

  Submission(PrimaryContext context) {
    this.context = context;
    this.platform = context.platform();
  }

  /**
   * Enqueues an operation, blocking while its stream is full.
   *
   * @param create makes the operation when it is certain that it will be enqueued
   */
  <T extends StreamOp> T submit(String call, long handle, Function<OpQueue, T> create) {
    platform.lock().lock();
    try {
      T op = begin(call, handle, create);
      platform.scheduler().enqueued(op);
      return op;
    } finally {
      platform.lock().unlock();
    }
  }

  /**
   * The same for an operation that becomes a part of a graph instead if its stream is captured.
   *
   * @param create makes the operation, perhaps many times
   */
  void submitOrCapture(String call, long handle, Function<OpQueue, ? extends StreamOp> create) {
    platform.lock().lock();
    try {
      if (!context.captures().takes(handle, create)) {
        StreamOp _ = submit(call, handle, create);
      }
    } finally {
      platform.lock().unlock();
    }
  }

  /** Enqueues the beginning of something, after which more of the same call is enqueued. */
  <T extends StreamOp> T begin(String call, long handle, Function<OpQueue, T> create) {
    platform.lock().lock();
    try {
      context.checkAlive(call);
      context.captures().requireNone(call, handle);
      platform.scheduler().used();
      OpQueue stream = context.streams().get(call, handle);
      int limit = platform.config().queue();
      platform
          .scheduler()
          .await(call + " into a full stream", () -> stream.counted() < limit || context.isLost());
      context.checkAlive(call);
      T op = create.apply(stream);
      context.streams().order(op);
      context.timing().place(op, context.streams().before(stream));
      platform.order().append(op);
      return op;
    } finally {
      platform.lock().unlock();
    }
  }

  /** Enqueues a node of a graph whose launch has waited for room; called with the lock held. */
  <T extends StreamOp> T appendNode(T op) {
    context.timing().placeNode(op);
    platform.order().append(op);
    return op;
  }

  /** Makes an operation of a graph begin after additional ones; called with the lock held. */
  void putAfter(StreamOp op, StreamOp known, List<StreamOp> more) {
    if (!more.contains(known)) {
      op.after().remove(known);
    }
    platform.order().putAfter(op, more);
    for (StreamOp before : more) {
      platform.agenda().putAfter(op.moment(), before.moment());
    }
  }

  /** Blocks until an operation is done and no longer runs. */
  void await(String call, StreamOp op) {
    platform.lock().lock();
    try {
      platform.scheduler().await(call, () -> op.done && !op.running);
      context.checkAlive(call);
      platform.clock().atLeast(platform.agenda().endNanos(op.moment()));
    } finally {
      platform.lock().unlock();
    }
  }

  /** Blocks until everything that a stream holds now is done. */
  void awaitIdle(String call, long handle) {
    await(call, submit(call, handle, stream -> new RecordOp(stream, 0)));
  }
}
