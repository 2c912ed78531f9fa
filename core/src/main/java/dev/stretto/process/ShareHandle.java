package dev.stretto.process;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * What opens something of another process: bytes that any channel can carry.
 *
 * @param kind what it is
 * @param process the number of the process that shares it
 * @param number its number there
 * @param secret what that process has to know it by: the number of another run is none
 * @param bytes the size of memory; 0 for an event
 * @param device names the device among those of the machine
 * @param socket where the process answers
 */
public record ShareHandle(
    Kind kind, long process, long number, long secret, long bytes, String device, String socket) {
  /** What can be shared. */
  public enum Kind {
    /** Device memory. */
    MEMORY("memory"),
    /** An event. */
    EVENT("an event"),
    /** Device memory out of a pool. */
    POOLED("memory of a pool"),
    /** A pool; its handles are never handed out, but go over a connection. */
    POOL("a memory pool");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    /** {@return the same in words} */
    public String words() {
      return words;
    }
  }

  private static final int MAGIC = 0x53_54_52_48; // STRH
  private static final byte VERSION = 1;
  private static final Kind[] KINDS = Kind.values();

  /** {@return the bytes} */
  public byte[] encode() {
    byte[] deviceName = device.getBytes(StandardCharsets.UTF_8);
    byte[] path = socket.getBytes(StandardCharsets.UTF_8);
    int length = Integer.BYTES + 2 + 4 * Long.BYTES + 2 * Short.BYTES;
    ByteBuffer out =
        ByteBuffer.allocate(length + deviceName.length + path.length + Integer.BYTES)
            .putInt(MAGIC)
            .put(VERSION)
            .put((byte) kind.ordinal())
            .putLong(process)
            .putLong(number)
            .putLong(secret)
            .putLong(bytes)
            .putShort((short) deviceName.length)
            .put(deviceName)
            .putShort((short) path.length)
            .put(path);
    return out.putInt(sum(out.array(), out.position())).array();
  }

  /**
   * {@return the handle that some bytes are}
   *
   * @throws IllegalArgumentException if they are none
   */
  public static ShareHandle decode(byte[] handle) {
    ByteBuffer in = ByteBuffer.wrap(handle);
    try {
      if (in.getInt() != MAGIC) {
        throw none(handle, "they do not begin as one");
      }
      byte version = in.get();
      if (version != VERSION) {
        throw none(handle, "they are of version " + version + ", and this is version " + VERSION);
      }
      int kind = in.get();
      ShareHandle known =
          new ShareHandle(
              KINDS[Math.floorMod(kind, KINDS.length)],
              in.getLong(),
              in.getLong(),
              in.getLong(),
              in.getLong(),
              text(in),
              text(in));
      int end = in.position();
      if (in.getInt() != sum(handle, end) || in.hasRemaining()) {
        throw none(handle, "they were changed on their way");
      }
      return known;
    } catch (BufferUnderflowException | IndexOutOfBoundsException _) {
      throw none(handle, "they are cut off");
    }
  }

  private static String text(ByteBuffer in) {
    byte[] bytes = new byte[Short.toUnsignedInt(in.getShort())];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static int sum(byte[] bytes, int length) {
    CRC32 sum = new CRC32();
    sum.update(bytes, 0, length);
    return (int) sum.getValue();
  }

  private static IllegalArgumentException none(byte[] handle, String why) {
    return new IllegalArgumentException(
        "%d bytes that are no handle: %s".formatted(handle.length, why));
  }

  /** {@return it in words} */
  public String describe() {
    return kind == Kind.EVENT
        ? "an event of process %d on %s".formatted(process, device)
        : "%d bytes of process %d on %s".formatted(bytes, process, device);
  }
}
