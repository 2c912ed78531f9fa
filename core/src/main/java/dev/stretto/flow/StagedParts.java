package dev.stretto.flow;

import dev.stretto.Copy;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Zipped sources, all of which the threads of staged copies read. */
final class StagedParts implements StagedSource {
  private final ZippedSource all;
  private final List<StagedSource> parts;

  StagedParts(ZippedSource all, List<StagedSource> parts) {
    this.all = all;
    this.parts = parts;
  }

  @Override
  public List<Copy> copy(Stream stream, long position, GlobalBytes to) {
    return all.copy(parts, stream, position, to);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the same exception
  public Throwable cause(Throwable thrown) {
    for (StagedSource part : parts) {
      Throwable cause = part.cause(thrown);
      if (cause != thrown) {
        return cause;
      }
    }
    return thrown;
  }

  @Override
  public long size() {
    return all.size();
  }

  @Override
  public boolean isPositional() {
    return true;
  }

  @Override
  public long read(long position, MemorySegment into) {
    return all.read(position, into);
  }

  @Override
  public void close() {
    all.close();
  }
}
