package dev.stretto.collective;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.collective.mesh.Mesh;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.route.GraphGuest;
import dev.stretto.route.HostStep;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;
import java.util.function.Function;
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
    return enqueue(stream, parts, held -> new OneStep(parts, held));
  }

  @Override
  public Event capture(Stream stream, List<Part> parts, Turns turns) {
    return enqueue(stream, parts, held -> new CapturedStep(parts, held, turns));
  }

  private Event enqueue(
      Stream stream, List<Part> parts, Function<Map<GlobalArray, GlobalBytes>, HostStep> step) {
    int rank = mesh.own().rank();
    List<GlobalArray> reads = Part.reads(parts, rank);
    List<GlobalArray> writes = Part.writes(parts, rank);
    Map<GlobalArray, GlobalBytes> held = new HashMap<>();
    try {
      reads.forEach(array -> held.computeIfAbsent(array, this::adopt));
      writes.forEach(array -> held.computeIfAbsent(array, this::adopt));
      return stream.then(step.apply(held), reads, writes);
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

  /** An operation that is done once. */
  private final class OneStep extends Step {
    OneStep(List<Part> parts, Map<GlobalArray, GlobalBytes> held) {
      super(parts, held);
    }

    @Override
    public void run() {
      try {
        super.run();
      } finally {
        close();
      }
    }
  }

  /** An operation that is done in each launch of a graph. */
  private final class CapturedStep extends Step implements GraphGuest<Stream, Event> {
    private final Turns turns;

    /** For each launch that has not done the step yet, who is told if it fails. */
    private final Deque<Consumer<RuntimeException>> launches = new ConcurrentLinkedDeque<>();

    CapturedStep(List<Part> parts, Map<GlobalArray, GlobalBytes> held, Turns turns) {
      super(parts, held);
      this.turns = turns;
    }

    @Override
    public Object owner() {
      return turns.owner();
    }

    @Override
    public void launching(Stream stream, Consumer<RuntimeException> failed) {
      turns.begin(stream);
      launches.addLast(failed);
    }

    /**
     * What a callback throws is told to those who await the stream; this is the launch's failure.
     */
    @Override
    public void run() {
      Consumer<RuntimeException> failed = launches.pollFirst();
      try {
        super.run();
      } catch (RuntimeException e) {
        if (failed == null) {
          throw e;
        }
        failed.accept(e);
      }
    }

    @Override
    public void launched(Optional<Event> event) {
      if (event.isEmpty()) {
        Consumer<RuntimeException> _ = launches.pollLast();
      }
      turns.end(event);
    }

    @Override
    public void released() {
      close();
      turns.released();
    }
  }

  private class Step implements HostStep {
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
      }
    }

    final void close() {
      held.values().forEach(GlobalArray::close);
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
  public WindowMemory windowMemory(long bytes, Runnable released) {
    WindowMemory memory = new PlainMemory(device, bytes);
    released.run();
    return memory;
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
