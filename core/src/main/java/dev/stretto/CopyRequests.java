package dev.stretto;

import dev.stretto.enqueue.BatchCopies;
import dev.stretto.enqueue.Enqueuer;
import dev.stretto.enqueue.SourceReading;
import dev.stretto.fault.SourceAccessException;
import dev.stretto.memory.GlobalArray;
import java.util.List;
import java.util.Objects;

/** Checks and plans the requests of a batch. */
final class CopyRequests {
  private CopyRequests() {}

  /** Enqueues a batch. */
  static <C> BatchCopies.Enqueued<C> enqueue(Enqueuer<C> on, List<CopyRequest> requests) {
    for (CopyRequest request : requests) {
      Objects.requireNonNull(request, "an element of copies");
    }
    List<CopyRequest> all = List.copyOf(requests);
    if (all.isEmpty()) {
      throw new IllegalArgumentException("a batch of 0 copies: there is nothing to copy");
    }
    BatchCopies<C> batch = new BatchCopies<>(on, all.size());
    for (int i = 0; i < all.size(); i++) {
      plan(batch, i, all.get(i));
    }
    return batch.enqueue();
  }

  private static SourceReading reading(SourceAccess access) {
    return switch (access) {
      case STREAM_ORDER -> SourceReading.STREAM_ORDER;
      case DURING_CALL -> SourceReading.DURING_CALL;
      case ANY -> SourceReading.ANY;
    };
  }

  private static void plan(BatchCopies<?> batch, int copy, CopyRequest request) {
    SourceReading reading = reading(request.access());
    switch (request) {
      case CopyRequest.ToDevice(var source, var destination, _) ->
          batch.toDevice(copy, source, destination, reading);
      case CopyRequest.ToHost(var source, var destination, var access) -> {
        requireDeviceSource(access, source);
        batch.toHost(copy, source, destination, reading);
      }
      case CopyRequest.OnDevices(var source, var destination, var access) -> {
        requireDeviceSource(access, source);
        batch.onDevices(copy, source, destination, reading);
      }
      case CopyRequest.OnHost(var source, var destination, _) ->
          batch.onHost(copy, source, destination, reading);
    }
  }

  /**
   * Refuses reading device memory during the call: the device reads it, in the order of the stream.
   */
  static void requireDeviceSource(SourceAccess access, GlobalArray source) {
    if (Objects.requireNonNull(access, "access") == SourceAccess.DURING_CALL) {
      throw new SourceAccessException(
          source
              + " cannot be read during the call: device memory is read by the device, in the"
              + " order of the stream");
    }
  }
}
