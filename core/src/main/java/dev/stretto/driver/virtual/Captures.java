package dev.stretto.driver.virtual;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The streams whose operations become work of graphs instead of being done, and what has become of
 * them. Guarded by the platform's lock.
 */
final class Captures {
  /** What is enqueued on one stream. */
  private static final class Recording {
    final List<Function<OpQueue, ? extends StreamOp>> operations = new ArrayList<>();

    /** The first call that cannot be captured. */
    @Nullable String broken;
  }

  private final Map<Long, Recording> underWay = new HashMap<>();
  private final Map<Long, List<Function<OpQueue, ? extends StreamOp>>> made = new HashMap<>();

  void begin(long stream) {
    underWay.put(stream, new Recording());
  }

  /** {@return whether an operation is recorded, because its stream is captured} */
  boolean takes(long stream, Function<OpQueue, ? extends StreamOp> operation) {
    Recording recording = underWay.isEmpty() ? null : underWay.get(stream);
    if (recording == null) {
      return false;
    }
    recording.operations.add(operation);
    return true;
  }

  /** Refuses what cannot be captured; then the capture fails too. */
  void requireNone(String call, long stream) {
    Recording recording = underWay.isEmpty() ? null : underWay.get(stream);
    if (recording != null) {
      recording.broken = recording.broken == null ? call : recording.broken;
      throw CudaResult.STREAM_CAPTURE_UNSUPPORTED.of(call, "the stream is being captured");
    }
  }

  /**
   * Ends a capture.
   *
   * @param handle of what was captured
   * @return how many operations
   */
  int end(long stream, long handle) {
    Recording recording = underWay.remove(stream);
    if (recording == null) {
      throw CudaResult.INVALID_VALUE.of("cuStreamEndCapture", "the stream is not captured");
    }
    if (recording.broken != null) {
      throw CudaResult.STREAM_CAPTURE_INVALIDATED.of(
          "cuStreamEndCapture", recording.broken + " cannot be captured");
    }
    made.put(handle, recording.operations);
    return recording.operations.size();
  }

  void abandon(long stream) {
    underWay.remove(stream);
  }

  /** {@return what was captured, in order} */
  List<Function<OpQueue, ? extends StreamOp>> get(String call, long handle) {
    List<Function<OpQueue, ? extends StreamOp>> operations = made.get(handle);
    if (operations == null) {
      throw CudaResult.INVALID_HANDLE.of(
          call, "nothing was captured as " + DeviceSpace.name(handle));
    }
    return operations;
  }

  void destroy(long handle) {
    if (made.remove(handle) == null) {
      throw CudaResult.INVALID_HANDLE.of(
          "cuGraphDestroy", "nothing was captured as " + DeviceSpace.name(handle));
    }
  }
}
