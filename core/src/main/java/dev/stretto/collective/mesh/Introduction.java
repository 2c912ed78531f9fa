package dev.stretto.collective.mesh;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * What each rank tells the others about itself when they meet.
 *
 * @param rank its number
 * @param size how many ranks it believes there are
 * @param process its number, as its operating system counts
 * @param device the name of its device, for messages
 * @param gpu what tells its GPU from all others of all machines; nothing for a virtual device
 * @param library the version of its library for collective operations, as that counts; 0 if it has
 *     none that it can use
 * @param why why it has none
 * @param key what rank 0 has drawn for all, in hexadecimal digits; of others, nothing
 * @param invitation where it is reached
 */
public record Introduction(
    int rank,
    int size,
    long process,
    String device,
    String gpu,
    int library,
    String why,
    String key,
    Invitation invitation) {
  /** {@return the rank in words, for messages} */
  public String title() {
    return "rank %d (process %d on %s, %s)"
        .formatted(rank, process, invitation.addresses().getFirst(), device);
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(rank);
    out.writeInt(size);
    out.writeLong(process);
    out.writeUTF(device);
    out.writeUTF(gpu);
    out.writeInt(library);
    out.writeUTF(why);
    out.writeUTF(key);
    invitation.write(out);
  }

  static Introduction read(DataInputStream in) throws IOException {
    int rank = in.readInt();
    int size = in.readInt();
    long process = in.readLong();
    String device = in.readUTF();
    String gpu = in.readUTF();
    int library = in.readInt();
    String why = in.readUTF();
    String key = in.readUTF();
    return new Introduction(
        rank, size, process, device, gpu, library, why, key, Invitation.read(in));
  }
}
