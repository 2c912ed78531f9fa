package dev.stretto.spark;

import dev.stretto.Stream;
import dev.stretto.flow.Chunk;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;

/** The elements of an RDD, one after the other in each chunk. */
record ElementEnds<T, R>(Iterator<T> elements, Rows<T> in, Rows<R> out, SparkStage stage)
    implements ChunkEnds<R> {
  @Override
  public int bytesIn() {
    return in.byteSize();
  }

  @Override
  public int bytesOut() {
    return out.byteSize();
  }

  @Override
  public long fill(MemorySegment into) {
    long offset = 0;
    while (offset < into.byteSize() && elements.hasNext()) {
      in.write(elements.next(), into, offset);
      offset += in.byteSize();
    }
    return offset;
  }

  @Override
  public void enqueue(Stream stream, Chunk chunk) {
    stage.enqueue(stream, chunk);
  }

  @Override
  public R take(MemorySegment from, long row) {
    return out.read(from, row * out.byteSize());
  }
}
