package dev.stretto.route;

import dev.stretto.driver.DriverException;
import org.jspecify.annotations.Nullable;

/** A small copy between two devices without access: out to a pinned buffer, and in from there. */
public final class SmallPeerCopy implements Outcome {
  private final long sequence;
  private final StreamQueue arrivalQueue;
  private final long arrivalSequence;
  private final PeerOutcome outcome;

  SmallPeerCopy(
      long sequence, StreamQueue arrivalQueue, long arrivalSequence, PeerOutcome outcome) {
    this.sequence = sequence;
    this.arrivalQueue = arrivalQueue;
    this.arrivalSequence = arrivalSequence;
    this.outcome = outcome;
  }

  /**
   * Hands both parts over, the receiver's after the sender's.
   *
   * @param rows one piece
   */
  void submit(
      StreamQueue sender,
      long number,
      StreamQueue receiver,
      long dst,
      long src,
      long slot,
      Layout rows) {
    try {
      Pieces.handOver(sender, rows.swapped(), 0, src, slot, false);
    } catch (DriverException e) {
      throw sender.device().raised(e);
    }
    long sent = sender.completion.markWithin(number);
    try {
      receiver.driver.waitEvent(receiver.handle, sender.completion.eventOfMark(sent));
      Pieces.handOver(receiver, rows, 0, dst, slot, true);
    } catch (DriverException e) {
      throw receiver.device().raised(e, sender.device());
    }
  }

  /** {@return the operation's sequence number on the program's stream} */
  public long sequence() {
    return sequence;
  }

  @Override
  public StreamQueue arrivalQueue() {
    return arrivalQueue;
  }

  @Override
  public long arrivalSequence() {
    return arrivalSequence;
  }

  @Override
  public @Nullable RuntimeException failure() {
    return outcome.failure();
  }
}
