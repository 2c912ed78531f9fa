package dev.stretto;

import dev.stretto.fault.ClosedException;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.OpenStream;
import org.jspecify.annotations.Nullable;

/** The capture that a stream takes part in, if any. */
final class StreamCapture {
  private final OpenStream stream;

  /** The capture that records the operations of this stream instead of enqueuing them. */
  private volatile @Nullable Capture capture;

  StreamCapture(OpenStream stream) {
    this.stream = stream;
  }

  DeviceRuntime engine() {
    return stream.engine();
  }

  OpenStream stream() {
    return stream;
  }

  /** {@return whether the stream has joined the capture; false if it is already being captured} */
  synchronized boolean begin(Capture begun) {
    if (capture != null) {
      return false;
    }
    capture = begun;
    return true;
  }

  /** Passes the stream to the capture of a body, or back to the one around it. */
  synchronized void continueAs(Capture other) {
    capture = other;
  }

  void end() {
    capture = null;
  }

  /** {@return whether any thread captures the stream} */
  boolean isAny() {
    return capture != null;
  }

  /**
   * {@return the capture that records this thread's operations on the stream, or null}
   *
   * @throws dev.stretto.fault.GraphException if another thread is capturing the stream
   * @throws ClosedException if the stream is being captured and is closed
   */
  @Nullable Capture current() {
    Capture current = capture;
    if (current != null) {
      current.requireThread(stream);
      if (!stream.isOpen()) {
        throw new ClosedException(stream + " is closed: nothing more can be captured on it");
      }
    }
    return current;
  }

  @Override
  public String toString() {
    return stream.toString();
  }

  /** Refuses an operation that cannot be part of a graph. */
  void requireNone(String what) {
    if (current() != null) {
      throw Capture.refused(what + " cannot be captured, and " + stream + " is being captured");
    }
  }
}
