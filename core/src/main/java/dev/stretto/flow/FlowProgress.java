package dev.stretto.flow;

import java.time.Duration;
import java.util.Optional;

/**
 * The progress of a flow.
 *
 * @param bytesDone of the source, whose results are in the sink
 * @param bytesTotal of the source, or -1 if that is known only at the end
 * @param elapsedNanos since the flow began, without the time that it was paused; on virtual devices
 *     modelled time
 */
public record FlowProgress(long bytesDone, long bytesTotal, long elapsedNanos) {
  /**
   * {@return an estimate of the time that is left, if the flow goes on at the rate that it had so
   * far} Empty before the first chunk is done, and if the size of the source is not known.
   */
  public Optional<Duration> remaining() {
    if (bytesTotal < 0 || bytesDone <= 0) {
      return Optional.empty();
    }
    double left = (double) (bytesTotal - bytesDone) / bytesDone;
    return Optional.of(Duration.ofNanos(Math.round(left * elapsedNanos)));
  }
}
