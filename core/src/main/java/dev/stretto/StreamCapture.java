package dev.stretto;

import dev.stretto.fault.ClosedException;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.OpenStream;
import org.jspecify.annotations.Nullable;

/** The capture that an opening of a stream takes part in, if any. */
final class StreamCapture {
  private final OpenStream stream;

  /** The capture that the operations of this stream go to, instead of being enqueued. */
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

  /** {@return whether the stream belongs to the capture from now on; not if it is captured} */
  synchronized boolean begin(Capture begun) {
    if (capture != null) {
      return false;
    }
    capture = begun;
    return true;
  }

  void end() {
    capture = null;
  }

  /**
   * {@return the capture that an operation of this thread goes to, or null}
   *
   * @throws dev.stretto.fault.GraphException if another thread captures the stream
   * @throws ClosedException if the stream is captured and closed
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

  /** Refuses what no graph can have. */
  void requireNone(String what) {
    if (current() != null) {
      throw Capture.refused(what + " cannot be captured, and " + stream + " is");
    }
  }
}
