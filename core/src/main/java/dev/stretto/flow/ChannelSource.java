package dev.stretto.flow;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/** What a channel delivers, one read after the other. */
final class ChannelSource implements Source {
  private final ReadableByteChannel channel;

  ChannelSource(ReadableByteChannel channel) {
    this.channel = channel;
  }

  @Override
  public long size() {
    return -1;
  }

  @Override
  public boolean isPositional() {
    return false;
  }

  @Override
  public long read(long position, MemorySegment into) {
    ByteBuffer buffer = into.asByteBuffer();
    try {
      while (buffer.hasRemaining()) {
        if (channel.read(buffer) < 0) {
          break;
        }
      }
    } catch (IOException e) {
      throw new FlowException(
          "the source channel failed after "
              + (position + buffer.position())
              + " bytes: "
              + e.getMessage(),
          e);
    }
    return buffer.position();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new FlowException("the source channel cannot be closed: " + e.getMessage(), e);
    }
  }
}
