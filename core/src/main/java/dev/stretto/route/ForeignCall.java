package dev.stretto.route;

import java.util.List;
import java.util.function.LongConsumer;

/**
 * Work that another CUDA library enqueues on a stream of Stretto by its raw handle. It holds the
 * stream during the call, so that it neither overtakes operations that are held back nor is
 * overtaken.
 */
public final class ForeignCall implements LongConsumer {
  private static final String ADVICE =
      "let the call return, and await what it has enqueued afterwards";

  private final StreamQueue queue;
  private final LateWork work;
  private boolean enqueuing = true;
  private boolean atOnce;

  /** The operation's number, before the work is called. */
  private volatile long sequence;

  private ForeignCall(StreamQueue queue, LateWork work) {
    this.queue = queue;
    this.work = work;
  }

  /**
   * Enqueues the work in the order of the stream: on the calling thread before this returns, if the
   * stream holds nothing back; otherwise on a thread of its own when its turn comes.
   *
   * @param queue the stream
   * @param used the resources that the work uses
   * @param work enqueues the work; it gets the driver's handle
   * @param numbered called before that with the operation's sequence number
   * @return the operation's sequence number
   */
  public static long enqueue(
      StreamQueue queue, List<? extends Resource> used, LateWork work, LongConsumer numbered) {
    ForeignCall call = new ForeignCall(queue, work);
    long sequence;
    synchronized (queue.device.lock) {
      queue.handover.requireOpen();
      for (Resource resource : used) {
        queue.handover.noteUse(resource, queue.completion.issued() + 1);
      }
      sequence = queue.handover.enqueueHolding(null, null, call);
      call.enqueuing = false;
    }
    if (call.atOnce) {
      boolean isEnqueued = true;
      try {
        numbered.accept(sequence);
        isEnqueued = call.make(sequence);
      } finally {
        if (isEnqueued) {
          call.resume(sequence);
        } else {
          call.start(() -> call.finish(sequence), sequence);
        }
      }
    }
    if (!call.atOnce) {
      numbered.accept(sequence);
    }
    return sequence;
  }

  private void failed(RuntimeException why) {
    queue.failures.add(sequence, why);
  }

  /** Runs the call when everything before it has been handed over. Called with the lock held. */
  @Override
  public void accept(long number) {
    sequence = number;
    queue.handover.hold("a call of another library that has not returned");
    if (enqueuing) {
      atOnce = true;
    } else if (queue.device.cooperation() != null) {
      queue.device.later(() -> makeLater(number));
    } else {
      start(() -> makeLater(number), number);
    }
  }

  private void start(Runnable rest, long number) {
    DriverLock lock = queue.device.lock;
    lock.beginElsewhere();
    try {
      Thread _ =
          Thread.ofVirtual()
              .name("stretto-foreign-call")
              .start(
                  () -> {
                    try {
                      rest.run();
                    } finally {
                      lock.endElsewhere();
                    }
                  });
    } catch (Throwable e) { // no more threads, or no memory for one
      notRun(number, e);
      lock.endElsewhere();
    }
  }

  private void notRun(long number, Throwable why) {
    queue.failures.add(
        number,
        new IllegalStateException(
            "a call of another library on " + queue.fullTitle() + " was not run", why));
    queue.device.later(() -> resume(number));
  }

  /**
   * Lets the stream go on. A mark of its own costs up to a microsecond, and work that waits for
   * nobody needs none, as no launch does. But if other work could follow before the mark, and wait
   * for a process that waits for this one, a wait for the one would wait for the other.
   */
  private void resume(long number) {
    boolean marked = true;
    try {
      marked = work.mayWaitForOthers();
    } catch (Throwable e) { // the stream goes on, whatever the program's code does
      queue.failures.add(number, told(e));
    } finally {
      queue.handover.resume(number, marked);
    }
  }

  private RuntimeException told(Throwable e) {
    return e instanceof RuntimeException its
        ? its
        : new IllegalStateException(
            "a call of another library on " + queue.fullTitle() + " threw " + e, e);
  }

  /** {@return whether everything is enqueued} */
  private boolean make(long number) {
    if (!queue.device.isUsable()) {
      return true;
    }
    DriverLock.assertNoneHeld("another library enqueues");
    OwnTurn turn = OwnTurn.begin(queue, number, ADVICE, null);
    try {
      return work.enqueue(queue.handOut(), this::failed);
    } finally {
      turn.end();
    }
  }

  private void makeLater(long number) {
    boolean isEnqueued = true;
    try {
      isEnqueued = make(number);
    } catch (Throwable e) {
      queue.failures.add(number, told(e));
    } finally {
      if (isEnqueued) {
        resume(number);
      }
    }
    if (isEnqueued) {
      return;
    }
    if (queue.device.cooperation() == null) { // this thread is the call's own
      finish(number);
    } else {
      BesideTheSteps.run(() -> finish(number), why -> notRun(number, why), queue.device.lock);
    }
  }

  /** Waits until everything is enqueued, and lets the stream go on. */
  private void finish(long number) {
    boolean isSeeded = queue.device.cooperation() != null;
    OwnTurn turn = OwnTurn.begin(queue, number, ADVICE, isSeeded ? queue.device.lock : null);
    try {
      work.awaitEnqueued();
    } catch (Throwable e) {
      queue.failures.add(number, told(e));
    } finally {
      turn.end();
      resume(number);
    }
  }
}
