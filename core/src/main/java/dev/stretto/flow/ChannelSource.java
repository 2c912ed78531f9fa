package dev.stretto.flow;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Objects;

/** The bytes that a channel delivers, read one call after the other. */
final class ChannelSource implements Source {
  private final ReadableByteChannel channel;
  private final ChannelPace pace = new ChannelPace("source");

  ChannelSource(ReadableByteChannel channel) {
    ChannelPace.requireBlocking("source", channel);
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
    Objects.requireNonNull(into, "into");
    ByteBuffer buffer = into.asByteBuffer();
    try {
      pace.begin();
      while (buffer.hasRemaining()) {
        int before = buffer.position();
        int read = channel.read(buffer);
        if (read < 0) {
          break;
        }
        pace.moved(channel, read, buffer.position() - before, position + buffer.position());
      }
    } catch (IOException e) {
      throw new FlowException(
          "the source channel failed after " + (position + buffer.position()) + " bytes: " + e, e);
    }
    return buffer.position();
  }

  /** Makes a read return that waits for the sender. */
  @Override
  public void stop() {
    pace.stop();
    close();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new FlowException("the source channel cannot be closed: " + e, e);
    }
  }
}
