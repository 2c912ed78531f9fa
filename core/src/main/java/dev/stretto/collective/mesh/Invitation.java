package dev.stretto.collective.mesh;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Where somebody is to be reached, and what one has to know there.
 *
 * @param secret what a guest says first
 * @param machine names the machine
 * @param addresses of the machine
 * @param port at each of the addresses
 */
public record Invitation(long secret, String machine, List<String> addresses, int port) {
  /** Says that bytes are an invitation, of this form. */
  private static final int MAGIC = 0x53545231;

  private static final int MOST_ADDRESSES = 64;

  /** Keeps the addresses as they are now. */
  public Invitation {
    addresses = List.copyOf(addresses);
  }

  /** {@return the invitation as bytes} */
  public byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * {@return the invitation that bytes are}
   *
   * @throws IllegalArgumentException if they are none
   */
  public static Invitation of(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      Invitation read = read(in);
      if (in.available() > 0) {
        throw new IOException(in.available() + " bytes follow it");
      }
      return read;
    } catch (IOException e) {
      throw new IllegalArgumentException(
          bytes.length + " bytes that are no communicator's id: " + e.getMessage(), e);
    }
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(MAGIC);
    out.writeLong(secret);
    out.writeUTF(machine);
    out.writeInt(port);
    out.writeByte(addresses.size());
    for (String address : addresses) {
      out.writeUTF(address);
    }
  }

  static Invitation read(DataInputStream in) throws IOException {
    int magic = in.readInt();
    if (magic != MAGIC) {
      throw new IOException("they begin with %08x instead of %08x".formatted(magic, MAGIC));
    }
    long secret = in.readLong();
    String machine = in.readUTF();
    int port = in.readInt();
    int count = in.readByte();
    if (count < 0 || count > MOST_ADDRESSES || port < 1 || port > 0xFFFF) {
      throw new IOException("%d addresses, port %d".formatted(count, port));
    }
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      addresses.add(in.readUTF());
    }
    return new Invitation(secret, machine, addresses, port);
  }
}
