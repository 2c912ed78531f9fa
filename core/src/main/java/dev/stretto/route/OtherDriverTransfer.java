package dev.stretto.route;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A copy between devices of two drivers that know nothing about each other. It moves piece by piece
 * through a ring of ordinary host memory, which the staging of one driver fills and that of the
 * other one empties. One of the two streams is the program's; the other one is borrowed.
 */
public final class OtherDriverTransfer implements Outcome {
  private static final long PIECE_BYTES = 16L << 20;
  private static final int RING = 3;
  private static final long ALIGNMENT = 64;

  private final List<Transfer> parts;
  private final long sequence;

  private OtherDriverTransfer(List<Transfer> parts, long sequence) {
    this.parts = parts;
    this.sequence = sequence;
  }

  /**
   * {@return a copy that is enqueued on a stream}
   *
   * @param user the stream, of the sending or the receiving device
   * @param to the block that is written
   * @param dst the address in it
   * @param from the block that is read
   * @param src the address in it
   * @param bytes how many
   */
  public static OtherDriverTransfer enqueue(
      StreamQueue user, DeviceBlock to, long dst, DeviceBlock from, long src, long bytes) {
    PeerCopies.require(user);
    boolean sends = user.device == from.engine().device();
    DeviceRuntime other = (sends ? to : from).engine();
    DeviceRuntime engine = (sends ? from : to).engine();
    engine.requireUsable();
    StreamQueue helper = other.peers().borrow();
    StreamQueue sender = sends ? user : helper;
    StreamQueue receiver = sends ? helper : user;
    List<Transfer> parts = new ArrayList<>();
    try {
      if (!sends) {
        StreamWaits.enqueue(helper, user, user.mark());
      }
      MemorySegment[] ring = ring(bytes);
      long[] emptied = new long[ring.length];
      for (long at = 0, piece = 0; at < bytes; at += PIECE_BYTES, piece++) {
        int slot = (int) (piece % ring.length);
        long length = Math.min(PIECE_BYTES, bytes - at);
        MemorySegment memory = ring[slot].asSlice(0, length);
        if (piece >= ring.length) {
          StreamWaits.enqueue(sender, receiver, emptied[slot]);
        }
        Transfer out = part(sends ? engine : other, sender, from, src + at, memory, false);
        parts.add(out);
        StreamWaits.enqueue(receiver, sender, out.sequence());
        Transfer in = part(sends ? other : engine, receiver, to, dst + at, memory, true);
        parts.add(in);
        emptied[slot] = in.sequence();
      }
      if (sends) {
        StreamWaits.enqueue(user, helper, helper.mark());
      }
      return new OtherDriverTransfer(List.copyOf(parts), user.mark());
    } finally {
      helper.completion.whenReached(helper.lastIssued(), () -> other.peers().giveBack(helper));
    }
  }

  /**
   * The garbage collector frees it, because transfers that fail may hold it for longer than the
   * copy lasts.
   */
  private static MemorySegment[] ring(long bytes) {
    int slots = (int) Math.min(RING, (bytes + PIECE_BYTES - 1) / PIECE_BYTES);
    MemorySegment[] ring = new MemorySegment[slots];
    for (int i = 0; i < slots; i++) {
      ring[i] = Arena.ofAuto().allocate(Math.min(bytes, PIECE_BYTES), ALIGNMENT);
    }
    return ring;
  }

  private static Transfer part(
      DeviceRuntime engine,
      StreamQueue queue,
      DeviceBlock block,
      long address,
      MemorySegment host,
      boolean toDevice) {
    long bytes = host.byteSize();
    return Transfer.enqueue(engine, queue, block, address, bytes, host, bytes, bytes, 1, toDevice);
  }

  /** {@return the number, on the program's stream, at which the copy is done} */
  public long sequence() {
    return sequence;
  }

  @Override
  public @Nullable RuntimeException failure() {
    for (Transfer part : parts) {
      RuntimeException failure = part.failure();
      if (failure != null) {
        return failure;
      }
    }
    return null;
  }
}
