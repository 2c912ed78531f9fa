package dev.stretto.collective;

import dev.stretto.collective.mesh.Invitation;
import java.io.Serial;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;

/**
 * What all ranks of one {@link Communicator} have to know to find each other. One process makes it
 * with {@link Communicator#id()}, and it reaches the others by any way: a file, a socket, an
 * argument, the {@code allGather} of a Spark barrier stage. It says at which addresses and port
 * that process listens, and holds a secret without which nobody is let in. It is sent as it is, so,
 * as with NCCL's own, keep it within a network that is trusted.
 */
public final class CommunicatorId implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  /** The invitation to where the ranks meet. */
  private final byte[] bytes;

  private CommunicatorId(byte[] bytes) {
    this.bytes = bytes;
  }

  static CommunicatorId of(Invitation invitation) {
    return new CommunicatorId(invitation.toBytes());
  }

  /**
   * {@return the id that {@link #bytes()} has returned, in this process or another one}
   *
   * @param bytes of the id
   * @throws IllegalArgumentException if they are of no id
   */
  public static CommunicatorId of(byte[] bytes) {
    return of(Invitation.of(Objects.requireNonNull(bytes, "bytes")));
  }

  /**
   * {@return the id that {@link #toString()} has returned, in this process or another one}
   *
   * @param text of the id
   * @throws IllegalArgumentException if it is of no id
   */
  public static CommunicatorId parse(String text) {
    return of(Base64.getUrlDecoder().decode(Objects.requireNonNull(text, "text")));
  }

  /** {@return the id as bytes: some hundred} */
  public byte[] bytes() {
    return bytes.clone();
  }

  Invitation invitation() {
    return Invitation.of(bytes);
  }

  /** {@return the id as one word of letters, digits, hyphens and underscores} */
  @Override
  public String toString() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CommunicatorId id && Arrays.equals(bytes, id.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
