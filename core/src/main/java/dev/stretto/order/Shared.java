package dev.stretto.order;

/**
 * What is known of a stream that other code of the process uses as well: CUDA's default streams,
 * and streams that were adopted. CUDA Programming Guide, "Default Stream".
 *
 * @param device equal for all streams of one device
 * @param stream equal for all openings of one of the driver's streams
 * @param sort how it keeps step with others
 * @param isAdopted whether other code has created it: that code may make it wait without telling
 *     anybody, so what races with it is only possible
 */
public record Shared(Object device, Object stream, Sort sort, boolean isAdopted) {
  /** How a stream keeps step with the others of its device. */
  public enum Sort {
    /** The legacy default stream: each operation waits for all blocking streams. */
    LEGACY,
    /** Each operation waits for what was enqueued before on the legacy default stream. */
    BLOCKING,
    /** It waits for another stream only by an event. */
    NON_BLOCKING
  }

  /** Whether an operation of this stream waits for what another one was given before. */
  boolean waitsFor(Shared other) {
    return device.equals(other.device) && (stream.equals(other.stream) || keepsStepWith(other));
  }

  private boolean keepsStepWith(Shared other) {
    return sort != Sort.NON_BLOCKING
        && other.sort != Sort.NON_BLOCKING
        && (sort == Sort.LEGACY) != (other.sort == Sort.LEGACY);
  }
}
