package dev.stretto.collective;

import dev.stretto.collective.TcpCarrier.DeviceEnd;
import dev.stretto.collective.mesh.Announcement;
import dev.stretto.collective.mesh.Line;
import dev.stretto.collective.mesh.Mesh;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * One operation of all ranks over TCP, in rounds: in each, every rank sends a piece to each other
 * one and receives a piece of each.
 */
final class Rounds {
  private static final MemorySegment NOTHING = MemorySegment.NULL;

  private final Mesh mesh;
  private final Pieces pieces;
  private final DeviceEnd source;
  private final DeviceEnd destination;
  private final int rank;
  private final int size;

  Rounds(Mesh mesh, Pieces pieces, DeviceEnd source, DeviceEnd destination) {
    this.mesh = mesh;
    this.pieces = pieces;
    this.source = source;
    this.destination = destination;
    this.rank = mesh.own().rank();
    this.size = mesh.ranks().size();
  }

  void run(Part.All all) {
    agree(all.words());
    switch (all.kind()) {
      case BROADCAST -> broadcast(all.root());
      case ALL_GATHER -> allGather();
      case ALL_TO_ALL -> allToAll();
      case REDUCE_SCATTER -> reduce(all, false);
      case ALL_REDUCE -> reduce(all, true);
    }
  }

  /** Waits until all ranks are about to do the same. */
  private void agree(String words) {
    Announcement mine = Announcement.of(words);
    for (int i = 0; i < size; i++) {
      if (i != rank) {
        mesh.line(i).announce(mine);
      }
    }
    for (int i = 0; i < size; i++) {
      if (i != rank) {
        mesh.line(i).awaitCollective(words);
      }
    }
  }

  private void broadcast(int root) {
    boolean isRoot = root == rank;
    long bytes = isRoot ? source.bytes() : destination.bytes();
    for (long at = 0; at < bytes; at += Pieces.BYTES) {
      long count = Math.min(Pieces.BYTES, bytes - at);
      List<MemorySegment> out = nothing();
      List<MemorySegment> in = nothing();
      if (isRoot) {
        MemorySegment piece = pieces.to(rank, count);
        source.read(at, piece);
        out.replaceAll(_ -> piece);
      } else {
        in.set(root, pieces.from(root, count));
      }
      exchange(out, in);
      if (!isRoot) {
        destination.write(in.get(root), at);
      }
    }
  }

  private void allGather() {
    long part = source.bytes();
    for (long at = 0; at < part; at += Pieces.BYTES) {
      long count = Math.min(Pieces.BYTES, part - at);
      MemorySegment piece = pieces.to(rank, count);
      source.read(at, piece);
      List<MemorySegment> out = nothing();
      List<MemorySegment> in = nothing();
      for (int i = 0; i < size; i++) {
        out.set(i, piece);
        in.set(i, pieces.from(i, count));
      }
      exchange(out, in);
      for (int i = 0; i < size; i++) {
        destination.write(i == rank ? piece : in.get(i), i * part + at);
      }
    }
  }

  private void allToAll() {
    long part = source.bytes() / size;
    for (long at = 0; at < part; at += Pieces.BYTES) {
      long count = Math.min(Pieces.BYTES, part - at);
      List<MemorySegment> out = nothing();
      List<MemorySegment> in = nothing();
      for (int i = 0; i < size; i++) {
        MemorySegment piece = pieces.to(i, count);
        source.read(i * part + at, piece);
        out.set(i, piece);
        in.set(i, pieces.from(i, count));
      }
      exchange(out, in);
      for (int i = 0; i < size; i++) {
        destination.write(i == rank ? out.get(i) : in.get(i), i * part + at);
      }
    }
  }

  /**
   * Each rank combines one segment of all arrays; then all send theirs to all, or keep theirs.
   *
   * @param toAll whether all ranks get all segments
   */
  private void reduce(Part.All all, boolean toAll) {
    Element element = Element.of(all.source());
    long elements = source.bytes() / element.bytes();
    long segment = (elements + size - 1) / size * element.bytes();
    for (long at = 0; at < segment; at += Pieces.BYTES) {
      long most = Math.min(Pieces.BYTES, segment - at);
      List<MemorySegment> out = nothing();
      List<MemorySegment> in = nothing();
      for (int i = 0; i < size; i++) {
        MemorySegment piece = pieces.to(i, left(i, segment, at, most));
        source.read(i * segment + at, piece);
        out.set(i, piece);
        in.set(i, pieces.from(i, left(rank, segment, at, most)));
      }
      exchange(out, in);
      MemorySegment own = out.get(rank);
      in.set(rank, own);
      Sums.of(element, all.reduction(), in, own);
      if (toAll) {
        passOn(own, segment, at, most);
      } else {
        destination.write(own, at);
      }
    }
  }

  private void passOn(MemorySegment own, long segment, long at, long most) {
    List<MemorySegment> out = nothing();
    List<MemorySegment> in = nothing();
    for (int i = 0; i < size; i++) {
      out.set(i, own);
      in.set(i, pieces.from(i, left(i, segment, at, most)));
    }
    exchange(out, in);
    for (int i = 0; i < size; i++) {
      destination.write(i == rank ? own : in.get(i), i * segment + at);
    }
  }

  /** How much of a piece a segment has: the last ones may be shorter, or empty. */
  private long left(int owner, long segment, long at, long most) {
    return Math.clamp(source.bytes() - owner * segment - at, 0, most);
  }

  private List<MemorySegment> nothing() {
    List<MemorySegment> none = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      none.add(NOTHING);
    }
    return none;
  }

  /** Sends to all other ranks and receives of all, at the same time. */
  private void exchange(List<MemorySegment> out, List<MemorySegment> in) {
    Sending sending = new Sending();
    for (int i = 0; i < size; i++) {
      MemorySegment piece = out.get(i);
      if (i != rank && piece.byteSize() > 0) {
        Line line = mesh.line(i);
        sending.start(() -> line.send(piece.asByteBuffer()));
      }
    }
    try {
      for (int i = 0; i < size; i++) {
        if (i != rank && in.get(i).byteSize() > 0) {
          mesh.line(i).receive(in.get(i).asByteBuffer());
        }
      }
    } catch (RuntimeException e) {
      mesh.fail(e); // ends the sending
      throw e;
    } finally {
      sending.join();
    }
    sending.throwFailure();
  }
}
