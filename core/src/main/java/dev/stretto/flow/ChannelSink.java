package dev.stretto.flow;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** A channel, written in order. */
final class ChannelSink implements Sink {
  private final WritableByteChannel channel;

  ChannelSink(WritableByteChannel channel) {
    this.channel = channel;
  }

  @Override
  public boolean isPositional() {
    return false;
  }

  @Override
  public void write(long position, MemorySegment from) {
    ByteBuffer buffer = from.asByteBuffer();
    try {
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    } catch (IOException e) {
      throw new FlowException(
          "the sink channel failed after "
              + (position + buffer.position())
              + " bytes: "
              + e.getMessage(),
          e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new FlowException("the sink channel cannot be closed: " + e.getMessage(), e);
    }
  }
}
