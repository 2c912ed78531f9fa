package dev.stretto.collective;

import dev.stretto.collective.TcpCarrier.DeviceEnd;
import dev.stretto.collective.mesh.Announcement;
import dev.stretto.collective.mesh.Line;
import dev.stretto.collective.mesh.Mesh;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What one rank sends to single ones and receives of them, all at the same time, over TCP. */
final class Messages {
  private final Mesh mesh;
  private final Pieces pieces;
  private final Sending sending = new Sending();

  private Messages(Mesh mesh, Pieces pieces) {
    this.mesh = mesh;
    this.pieces = pieces;
  }

  /**
   * Sends and receives.
   *
   * @param pieces of host memory
   * @param ends makes the host's view of an array
   * @param held the arrays by those of the program
   */
  static void of(
      Mesh mesh,
      Pieces pieces,
      Function<@Nullable GlobalBytes, DeviceEnd> ends,
      List<Part.Send> sends,
      List<Part.Receive> receives,
      Map<GlobalArray, GlobalBytes> held) {
    Messages messages = new Messages(mesh, pieces);
    for (int peer = 0; peer < mesh.ranks().size(); peer++) {
      List<Part.Send> out = new ArrayList<>(sends);
      List<Part.Receive> in = new ArrayList<>(receives);
      int rank = peer;
      out.removeIf(send -> send.peer() != rank);
      in.removeIf(receive -> receive.peer() != rank);
      if (peer == mesh.own().rank()) {
        for (int i = 0; i < out.size(); i++) {
          within(ends.apply(held.get(out.get(i).array())), ends.apply(held.get(in.get(i).array())));
        }
      } else if (!out.isEmpty() || !in.isEmpty()) {
        messages.begin(mesh.line(peer), out, in, ends, held);
      }
    }
    messages.sending.join();
    messages.sending.throwFailure();
  }

  private static void within(DeviceEnd from, DeviceEnd to) {
    if (from.array() != null && to.array() != null) {
      from.stream().copy(from.array(), to.array()).await();
    }
  }

  private void begin(
      Line line,
      List<Part.Send> out,
      List<Part.Receive> in,
      Function<@Nullable GlobalBytes, DeviceEnd> ends,
      Map<GlobalArray, GlobalBytes> held) {
    line.announce(
        new Announcement(
            "", out.stream().map(Part::words).toList(), in.stream().map(Part::words).toList()));
    if (!out.isEmpty()) {
      sending.start(
          () ->
              failingAll(
                  () -> {
                    for (Part.Send send : out) {
                      line.awaitReceiver(send.words(), !in.isEmpty());
                      send(line, pieces, ends.apply(held.get(send.array())));
                    }
                  }));
    }
    if (!in.isEmpty()) {
      sending.start(
          () ->
              failingAll(
                  () -> {
                    for (Part.Receive receive : in) {
                      line.awaitSender(receive.words(), !out.isEmpty());
                      receive(line, pieces, ends.apply(held.get(receive.array())));
                    }
                  }));
    }
  }

  /** The first failure ends all. */
  private void failingAll(Runnable body) {
    try {
      body.run();
    } catch (RuntimeException e) {
      mesh.fail(e);
      throw e;
    }
  }

  private static void send(Line line, Pieces pieces, DeviceEnd from) {
    for (long at = 0; at < from.bytes(); at += Pieces.BYTES) {
      MemorySegment piece =
          pieces.to(line.other().rank(), Math.min(Pieces.BYTES, from.bytes() - at));
      from.read(at, piece);
      line.send(piece.asByteBuffer());
    }
  }

  private static void receive(Line line, Pieces pieces, DeviceEnd to) {
    for (long at = 0; at < to.bytes(); at += Pieces.BYTES) {
      MemorySegment piece =
          pieces.from(line.other().rank(), Math.min(Pieces.BYTES, to.bytes() - at));
      line.receive(piece.asByteBuffer());
      to.write(piece, at);
    }
  }
}
