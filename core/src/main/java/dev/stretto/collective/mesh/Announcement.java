package dev.stretto.collective.mesh;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a rank is about to do together with another one, in words that both must use.
 *
 * @param collective the operation of all ranks; nothing if it only sends or receives
 * @param sends what it sends to the other rank, in order
 * @param receives what it receives from the other rank, in order
 */
public record Announcement(String collective, List<String> sends, List<String> receives) {
  private static final int MOST = 1 << 20;

  /** Keeps the lists as they are now. */
  public Announcement {
    sends = List.copyOf(sends);
    receives = List.copyOf(receives);
  }

  /** {@return that a rank takes part in an operation of all} */
  public static Announcement of(String collective) {
    return new Announcement(collective, List.of(), List.of());
  }

  void write(DataOutputStream out) throws IOException {
    out.writeUTF(collective);
    write(out, sends);
    write(out, receives);
  }

  private static void write(DataOutputStream out, List<String> texts) throws IOException {
    out.writeInt(texts.size());
    for (String text : texts) {
      out.writeUTF(text);
    }
  }

  static Announcement read(DataInputStream in) throws IOException {
    return new Announcement(in.readUTF(), texts(in), texts(in));
  }

  private static List<String> texts(DataInputStream in) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > MOST) {
      throw new IOException(count + " messages");
    }
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add(in.readUTF());
    }
    return texts;
  }
}
