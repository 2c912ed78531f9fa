package dev.stretto.route;

import dev.stretto.driver.Volume;
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

  /**
   * Rows of a plane, or whole planes.
   *
   * @param read where they begin at the source
   * @param written where they begin at the destination
   * @param width bytes of a row
   * @param rows how many
   */
  private record Run(long read, long written, long width, long rows) {
    Transfer part(
        DeviceRuntime engine,
        StreamQueue queue,
        DeviceBlock block,
        long address,
        Layout layout,
        MemorySegment host,
        boolean toDevice) {
      if (rows > layout.planeRows()) {
        Volume planes = layout.planes(rows / layout.planeRows(), toDevice);
        return Transfer.enqueue(engine, queue, block, address, host, planes, toDevice);
      }
      long pitch = rows == 1 ? width : layout.device().row();
      return Transfer.enqueue(
          engine, queue, block, address, pitch, host, width, width, rows, toDevice);
    }
  }

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
   * @param shape the shape of the copy
   */
  public static OtherDriverTransfer enqueue(
      StreamQueue user, DeviceBlock to, long dst, DeviceBlock from, long src, Volume shape) {
    PeerCopies.require(user);
    boolean sends = user.device == from.engine().device();
    DeviceRuntime other = (sends ? to : from).engine();
    DeviceRuntime engine = (sends ? from : to).engine();
    engine.requireUsable();
    StreamQueue helper = other.peers().borrow();
    StreamQueue sender = sends ? user : helper;
    StreamQueue receiver = sends ? helper : user;
    Layout layout = Layout.between(shape, PIECE_BYTES);
    List<Run> runs = runs(layout);
    List<Transfer> parts = new ArrayList<>();
    try {
      if (!sends) {
        StreamWaits.enqueue(helper, user, user.mark());
      }
      MemorySegment[] ring = ring(runs.size(), layout.mostBytes());
      long[] emptied = new long[ring.length];
      for (int i = 0; i < runs.size(); i++) {
        Run run = runs.get(i);
        int slot = i % ring.length;
        MemorySegment memory = ring[slot].asSlice(0, run.rows * run.width);
        if (i >= ring.length) {
          StreamWaits.enqueue(sender, receiver, emptied[slot]);
        }
        Transfer out =
            run.part(
                sends ? engine : other,
                sender,
                from,
                src + run.read,
                layout.swapped(),
                memory,
                false);
        parts.add(out);
        StreamWaits.enqueue(receiver, sender, out.sequence());
        Transfer in =
            run.part(sends ? other : engine, receiver, to, dst + run.written, layout, memory, true);
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

  /** {@return the rows that are copied together, which lie side by side in host memory} */
  private static List<Run> runs(Layout layout) {
    List<Run> runs = new ArrayList<>();
    for (long piece = 0; piece < layout.pieces(); piece++) {
      long atOnce;
      for (long row = 0; row < layout.rowsOf(piece); row += atOnce) {
        atOnce = layout.rowsAtOnce(piece, row);
        runs.add(
            new Run(
                layout.hostOffset(piece, row),
                layout.deviceOffset(piece, row),
                layout.widthOf(piece),
                atOnce));
      }
    }
    return runs;
  }

  /**
   * The garbage collector frees it, because transfers that fail may hold it for longer than the
   * copy lasts.
   */
  private static MemorySegment[] ring(int runs, long mostBytes) {
    MemorySegment[] ring = new MemorySegment[Math.min(RING, runs)];
    for (int i = 0; i < ring.length; i++) {
      ring[i] = Arena.ofAuto().allocate(mostBytes, ALIGNMENT);
    }
    return ring;
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
