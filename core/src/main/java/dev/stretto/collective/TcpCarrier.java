package dev.stretto.collective;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.collective.mesh.Mesh;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.route.HostStep;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Brings data from rank to rank over TCP: in the stream's turn, a thread of the host copies it
 * piece by piece from the device, sends and receives, and copies what has come to the device.
 */
final class TcpCarrier implements Carrier {
  private static final String ADVICE =
      "the operation goes on by itself: await it from the program's own thread";

  private final Mesh mesh;
  private final Device device;

  /** For the copies of the operations, one after the other. */
  private final Stream copies;

  private final Arena arena = Arena.ofShared();
  private final Pieces pieces;

  TcpCarrier(Mesh mesh, Device device) {
    this.mesh = mesh;
    this.device = device;
    this.copies = device.stream("communicator, rank " + mesh.own().rank());
    this.pieces = new Pieces(arena, mesh.ranks().size());
  }

  @Override
  public Event enqueue(Stream stream, List<Part> parts) {
    int rank = mesh.own().rank();
    List<GlobalArray> reads = Part.reads(parts, rank);
    List<GlobalArray> writes = Part.writes(parts, rank);
    Map<GlobalArray, GlobalBytes> held = new HashMap<>();
    try {
      reads.forEach(array -> held.computeIfAbsent(array, this::adopt));
      writes.forEach(array -> held.computeIfAbsent(array, this::adopt));
      return stream.then(new Step(parts, held), reads, writes);
    } catch (RuntimeException e) {
      held.values().forEach(GlobalArray::close);
      throw e;
    }
  }

  /** The memory of an array, which stays usable here when the program closes the array. */
  private @Nullable GlobalBytes adopt(GlobalArray array) {
    return array.length() == 0
        ? null
        : device.adopt(array.address(), array.byteSize(), GlobalBytes::of);
  }

  private final class Step implements HostStep {
    private final List<Part> parts;
    private final Map<GlobalArray, GlobalBytes> held;

    Step(List<Part> parts, Map<GlobalArray, GlobalBytes> held) {
      this.parts = parts;
      this.held = held;
    }

    @Override
    public void run() {
      try {
        List<Part.Send> sends = new ArrayList<>();
        List<Part.Receive> receives = new ArrayList<>();
        List<Part.All> collectives = new ArrayList<>();
        for (Part part : parts) {
          switch (part) {
            case Part.Send send -> sends.add(send);
            case Part.Receive receive -> receives.add(receive);
            case Part.All all -> collectives.add(all);
          }
        }
        Messages.of(mesh, pieces, TcpCarrier.this::end, sends, receives, held);
        for (Part.All all : collectives) {
          new Rounds(mesh, pieces, end(held.get(all.source())), end(held.get(all.destination())))
              .run(all);
        }
      } catch (RuntimeException e) {
        mesh.fail(e);
        throw e;
      } finally {
        held.values().forEach(GlobalArray::close);
      }
    }

    @Override
    public String advice() {
      return ADVICE;
    }

    @Override
    public boolean bringsData() {
      return true;
    }
  }

  private DeviceEnd end(@Nullable GlobalBytes array) {
    return new DeviceEnd(array, copies);
  }

  /**
   * An array of the device, as the host reads and writes it.
   *
   * @param array the array, or null if it has no elements
   * @param stream for the copies
   */
  record DeviceEnd(@Nullable GlobalBytes array, Stream stream) {
    long bytes() {
      return array == null ? 0 : array.byteSize();
    }

    /** Waits until a part is in host memory. */
    void read(long from, MemorySegment to) {
      if (array != null && to.byteSize() > 0) {
        stream.copy(array.slice(from, to.byteSize()), to).await();
      }
    }

    /** Waits until a part is written. */
    void write(MemorySegment from, long to) {
      if (array != null && from.byteSize() > 0) {
        stream.copy(from, array.slice(to, from.byteSize())).await();
      }
    }
  }

  @Override
  public void fail(RuntimeException why) {
    // Every wait of a step for another rank has ended, and the step throws.
  }

  @Override
  public void close() {
    copies.close();
    arena.close();
  }
}
