package dev.stretto.bindings;

import dev.stretto.Device;
import dev.stretto.flow.Flow;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import java.lang.foreign.MemorySegment;

/** Stretto's flow from array to array. */
final class StrettoFlow implements Pipeline {
  private final Device device;

  StrettoFlow(Device device) {
    this.device = device;
  }

  @Override
  public void through(long[] source, long[] target, int chunkWords) {
    Flow.on(device)
        .from(Source.of(MemorySegment.ofArray(source)))
        .through(
            (stream, chunk) ->
                StrettoKernels.encipher(stream, chunk.in(), chunk.out(), chunk.position()))
        .inPlace()
        .chunkBytes((long) chunkWords * Long.BYTES)
        .to(Sink.of(MemorySegment.ofArray(target)))
        .start()
        .await();
  }
}
