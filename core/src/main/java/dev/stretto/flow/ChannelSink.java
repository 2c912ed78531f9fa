package dev.stretto.flow;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;

/** A channel, written in order. */
final class ChannelSink implements Sink {
  private final WritableByteChannel channel;
  private final ChannelPace pace = new ChannelPace("sink");

  ChannelSink(WritableByteChannel channel) {
    ChannelPace.requireBlocking("sink", channel);
    this.channel = channel;
  }

  @Override
  public boolean isPositional() {
    return false;
  }

  @Override
  public void write(long position, MemorySegment from) {
    Objects.requireNonNull(from, "from");
    ByteBuffer buffer = from.asByteBuffer();
    try {
      pace.begin();
      while (buffer.hasRemaining()) {
        int before = buffer.position();
        int written = channel.write(buffer);
        pace.moved(channel, written, buffer.position() - before, position + buffer.position());
      }
    } catch (IOException e) {
      throw new FlowException(
          "the sink channel failed after " + (position + buffer.position()) + " bytes: " + e, e);
    }
  }

  /** Makes a write return that waits for the receiver. */
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
      throw new FlowException("the sink channel cannot be closed: " + e, e);
    }
  }
}
