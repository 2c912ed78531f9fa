package dev.stretto.flow;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow.Publisher;
import java.util.concurrent.Flow.Subscriber;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the output of a flow, chunk by chunk, to its only subscriber. The flow begins with the
 * subscription, and its chunks wait in their slots as long as nothing is requested.
 */
final class ChunkPublisher implements Publisher<ByteBuffer> {
  private final FlowPlan plan;
  private final Executor executor;
  private final AtomicBoolean subscribed = new AtomicBoolean();

  ChunkPublisher(FlowPlan plan, Executor executor) {
    this.plan = plan;
    this.executor = executor;
  }

  @Override
  public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
    Signals signals = new Signals(Objects.requireNonNull(subscriber, "subscriber"), executor);
    if (!subscribed.compareAndSet(false, true)) {
      signals.begin(new Refused());
      signals.fail(
          new IllegalStateException(
              "the flow already has a subscriber, and its source can be read only "
                  + "once: make another plan with another source"));
      return;
    }
    Delivery delivery = new Delivery(signals);
    signals.whenBroken(delivery::cancel);
    signals.begin(delivery);
    // A thread awaits the flow, since a seeded device advances only while one waits.
    Thread thread =
        Thread.ofVirtual().name("stretto-publisher").unstarted(() -> delivery.run(plan));
    try {
      thread.start();
    } catch (
        Throwable e) { // no thread could be started: the machine or its memory has no room for one
      plan.closeSource(e);
      signals.fail(e);
    }
  }

  /** The subscription of a second subscriber. */
  private static final class Refused implements Subscription {
    @Override
    public void request(long n) {}

    @Override
    public void cancel() {}
  }

  /** The sink whose writes wait for requests. */
  private static final class Delivery implements Sink, Subscription {
    private final Signals signals;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long requested;
    private boolean stopped;
    private @Nullable Flow flow;

    Delivery(Signals signals) {
      this.signals = signals;
    }

    void run(FlowPlan plan) {
      try {
        Flow started = plan.to(this).start();
        if (!begun(started)) {
          started.cancel();
        }
        FlowReport _ = started.await();
        signals.complete();
      } catch (Throwable e) {
        signals.fail(e);
      }
    }

    /** Returns false if the subscription was cancelled before. */
    private boolean begun(Flow started) {
      lock.lock();
      try {
        flow = started;
        return !stopped;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void request(long n) {
      if (n <= 0) {
        signals.fail(
            new IllegalArgumentException(
                "§3.9: " + n + " chunks were requested: must be 1 or more"));
        endFlow();
        return;
      }
      lock.lock();
      try {
        requested = n > Long.MAX_VALUE - requested ? Long.MAX_VALUE : requested + n;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void cancel() {
      signals.drop();
      endFlow();
    }

    private void endFlow() {
      Flow running;
      lock.lock();
      try {
        running = flow;
      } finally {
        lock.unlock();
      }
      stop();
      if (running != null) {
        running.cancel();
      }
    }

    @Override
    public void stop() {
      lock.lock();
      try {
        stopped = true;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public boolean isPositional() {
      return false;
    }

    @Override
    public void write(long position, MemorySegment from) {
      awaitRequest(position);
      ByteBuffer chunk = ByteBuffer.allocate(Math.toIntExact(from.byteSize()));
      MemorySegment.ofBuffer(chunk).copyFrom(from);
      signals.next(chunk);
    }

    private void awaitRequest(long position) {
      lock.lock();
      try {
        while (requested == 0 && !stopped) {
          changed.awaitUninterruptibly();
        }
        if (stopped) {
          throw new CancellationException("the publisher was stopped after " + position + " bytes");
        }
        if (requested < Long.MAX_VALUE) {
          requested--;
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {}
  }

  /**
   * Signals the subscriber on the executor, one signal after the other, with nothing after the last
   * one.
   */
  private static final class Signals implements Runnable {
    private final Executor executor;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private Runnable broken = () -> {};
    private @Nullable Subscriber<? super ByteBuffer> subscriber;
    private boolean busy;
    private boolean over;

    Signals(Subscriber<? super ByteBuffer> subscriber, Executor executor) {
      this.subscriber = subscriber;
      this.executor = executor;
    }

    /** Sets an action for the case that the subscriber can no longer be signalled. */
    void whenBroken(Runnable action) {
      broken = action;
    }

    void begin(Subscription subscription) {
      tell(false, told -> told.onSubscribe(subscription));
    }

    void next(ByteBuffer chunk) {
      tell(false, told -> told.onNext(chunk));
    }

    void complete() {
      tell(true, Subscriber::onComplete);
    }

    void fail(Throwable cause) {
      tell(true, told -> told.onError(cause));
    }

    /** Forgets the subscriber, which wants no more signals. */
    synchronized void drop() {
      over = true;
      subscriber = null;
      waiting.clear();
    }

    private interface Signal {
      void tell(Subscriber<? super ByteBuffer> subscriber);
    }

    private void tell(boolean last, Signal signal) {
      synchronized (this) {
        if (over) {
          return;
        }
        over = last;
        waiting.add(() -> tellNow(last, signal));
        if (busy) {
          return;
        }
        busy = true;
      }
      schedule();
    }

    private void schedule() {
      try {
        executor.execute(this);
      } catch (Throwable e) {
        giveUp("an executor has refused to run a signal to the subscriber of a flow", e);
      }
    }

    /** Sends the pending signals; one thread at a time calls it. */
    @Override
    public void run() {
      for (Runnable next = next(); next != null; next = next()) {
        next.run();
      }
    }

    private synchronized @Nullable Runnable next() {
      Runnable next = waiting.poll();
      busy = next != null;
      return next;
    }

    private void tellNow(boolean last, Signal signal) {
      Subscriber<? super ByteBuffer> told;
      synchronized (this) {
        told = subscriber;
        if (last) {
          subscriber = null;
        }
      }
      if (told == null) {
        return;
      }
      try {
        signal.tell(told);
      } catch (Throwable e) { // including checked exceptions
        giveUp("the subscriber of a flow threw, which counts as if it had cancelled", e);
      }
    }

    private void giveUp(String what, Throwable thrown) {
      drop();
      System.getLogger("dev.stretto").log(System.Logger.Level.WARNING, what, thrown);
      broken.run();
    }
  }
}
