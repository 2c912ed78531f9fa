package dev.stretto.process;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** What goes over a socket: requests of one length, and answers. */
final class Wire {
  /** Opens something; the answer is a verdict, a length, and what opens it at the driver. */
  static final byte OPEN = 1;

  /** Ends one use; there is no answer. */
  static final byte CLOSE = 2;

  /**
   * Asks for a file descriptor; the number of its message follows. The answer is a verdict, after
   * which the message lies in the socket of {@link #receiver}.
   */
  static final byte DESCRIPTOR = 3;

  static final byte YES = 1;
  static final byte NO = 0;

  /** There is no descriptor, and none is needed. */
  static final byte NONE = 2;

  static final int REQUEST_BYTES = 1 + 2 * Long.BYTES;

  private Wire() {}

  /** {@return where a descriptor arrives that another process sends} */
  static Path receiver(Path socket, long number) {
    return socket.resolveSibling(Long.toHexString(number));
  }

  static void send(SocketChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      int _ = channel.write(bytes);
    }
  }

  /** {@return as many bytes as asked for} */
  static ByteBuffer receive(SocketChannel channel, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes) < 0) {
        throw new EOFException("the other process has closed the socket");
      }
    }
    return bytes.flip();
  }

  static ByteBuffer request(byte what, long number, long secret) {
    return ByteBuffer.allocate(REQUEST_BYTES).put(what).putLong(number).putLong(secret).flip();
  }
}
