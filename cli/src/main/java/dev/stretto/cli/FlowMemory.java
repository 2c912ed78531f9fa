package dev.stretto.cli;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Both ends of a flow; checks whether the second end has received the content of the first. */
abstract sealed class FlowMemory implements AutoCloseable {
  private static final int WRONG = 0xCAFEBABE;

  private final String name;
  private final long bytes;
  final int seed;
  private final boolean byKernel;
  private final List<GlobalInts> arrays = new ArrayList<>();

  private FlowMemory(String name, long bytes, int seed, boolean byKernel) {
    this.name = name;
    this.byKernel = byKernel;
    this.bytes = bytes;
    this.seed = seed;
  }

  /**
   * Allocates the memory of a flow.
   *
   * @param bytes of a copy with {@code times} 1
   * @param number distinguishes flows that run at the same time
   */
  static FlowMemory of(Flow flow, List<Device> devices, HostMemory host, long bytes, int number) {
    String name = flow.describe(devices.stream().map(Device::name).toList());
    long all = bytes * flow.times();
    int seed = 0xBAADF00D + number;
    if (flow.from() == Flow.HOST) {
      return new Down(name, devices.get(flow.to()), host, all, seed, flow.byKernel());
    }
    if (flow.to() == Flow.HOST) {
      return new Up(name, devices.get(flow.from()), host, all, seed, flow.byKernel());
    }
    return new Across(
        name, devices.get(flow.from()), devices.get(flow.to()), all, seed, flow.byKernel());
  }

  long bytes() {
    return bytes;
  }

  /** Writes the pattern to the first end and another one to the second, and waits for both. */
  abstract void prepare();

  /** Enqueues one copy, and adds it to a list if it is none by a kernel. */
  final void enqueue(Stream stream, List<Copy> copies) {
    if (byKernel) {
      stream.launch(grid(stream.device()), BandwidthKernels::copy, source(), destination());
    } else {
      copies.add(copy(stream));
    }
  }

  /** Enqueues one copy by the copy engine. */
  abstract Copy copy(Stream stream);

  /** What a kernel reads. */
  abstract GlobalInts source();

  /** What a kernel writes. */
  abstract GlobalInts destination();

  /** Copies the received bytes into a device's array, if they are not in one. */
  abstract GlobalInts arrived();

  /**
   * Compares every byte, on the device.
   *
   * @throws CommandFailure if one is wrong
   */
  final void verify() {
    GlobalInts array = arrived();
    Device device = Device.of(array);
    long[] first = {Long.MAX_VALUE};
    try (Stream stream = device.stream();
        GlobalLongs found = device.allocateLongs(1)) {
      stream.copy(first, found);
      stream.launch(grid(device), BandwidthKernels::comparePattern, array, seed, found);
      stream.copy(found, first).await();
    }
    if (first[0] != Long.MAX_VALUE) {
      throw new CommandFailure(
          ("a copy from %s is wrong: byte %d or one of the next 3 of its %d differs "
                  + "from the source")
              .formatted(name, 4 * first[0], bytes));
    }
  }

  final GlobalInts allocate(Device device) {
    GlobalInts array = device.allocateInts(bytes / GlobalInts.ELEMENT_BYTES);
    arrays.add(array);
    return array;
  }

  /** Host memory as kernels of a device address it. */
  final GlobalInts view(Device device, MemorySegment host) {
    GlobalInts view = device.view(host, GlobalInts::of);
    arrays.add(view);
    return view;
  }

  final void pattern(Stream stream, GlobalInts array) {
    stream.launch(grid(stream.device()), BandwidthKernels::writePattern, array, seed);
  }

  static void clear(Stream stream, GlobalInts array) {
    stream.fill(array, WRONG);
  }

  /** Few threads on a virtual device, where each thread is a call. */
  private static Grid grid(Device device) {
    return device.isVirtual()
        ? Grid.of(64, 32)
        : Grid.of(8 * device.properties().multiprocessors(), 256);
  }

  @Override
  public void close() {
    arrays.forEach(GlobalInts::close);
  }

  /** From the host to a device. */
  private static final class Down extends FlowMemory {
    private final HostMemory pool;
    private final MemorySegment host;
    private final GlobalInts array;
    private final GlobalInts view;
    private boolean filled;

    Down(String name, Device device, HostMemory pool, long bytes, int seed, boolean byKernel) {
      super(name, bytes, seed, byKernel);
      this.pool = pool;
      this.array = allocate(device);
      this.host = pool.take(device, bytes);
      this.view = view(device, host);
    }

    @Override
    void prepare() {
      try (Stream stream = Device.of(array).stream()) {
        if (!filled) {
          pattern(stream, array);
          stream.copy(array, host);
          filled = true;
        }
        clear(stream, array);
        stream.await();
      }
    }

    @Override
    Copy copy(Stream stream) {
      return stream.copy(host, array);
    }

    @Override
    GlobalInts source() {
      return view;
    }

    @Override
    GlobalInts destination() {
      return array;
    }

    @Override
    GlobalInts arrived() {
      return array;
    }

    @Override
    public void close() {
      Device device = Device.of(array);
      super.close(); // the view of the memory too
      pool.giveBack(device, host);
    }
  }

  /** From a device to the host. */
  private static final class Up extends FlowMemory {
    private final HostMemory pool;
    private final MemorySegment host;
    private final GlobalInts array;
    private final GlobalInts view;

    Up(String name, Device device, HostMemory pool, long bytes, int seed, boolean byKernel) {
      super(name, bytes, seed, byKernel);
      this.pool = pool;
      this.array = allocate(device);
      this.host = pool.take(device, bytes);
      this.view = view(device, host);
    }

    @Override
    void prepare() {
      try (Stream stream = Device.of(array).stream()) {
        clear(stream, array);
        stream.copy(array, host);
        pattern(stream, array);
        stream.await();
      }
    }

    @Override
    Copy copy(Stream stream) {
      return stream.copy(array, host);
    }

    @Override
    GlobalInts source() {
      return array;
    }

    @Override
    GlobalInts destination() {
      return view;
    }

    @Override
    GlobalInts arrived() {
      try (Stream stream = Device.of(array).stream()) {
        clear(stream, array); // otherwise the pattern would still be there
        stream.copy(host, array).await();
      }
      return array;
    }

    @Override
    public void close() {
      Device device = Device.of(array);
      super.close(); // the view of the memory too
      pool.giveBack(device, host);
    }
  }

  /** From a device to a device, possibly the same one. */
  private static final class Across extends FlowMemory {
    private final GlobalInts sent;
    private final GlobalInts received;

    Across(String name, Device from, Device to, long bytes, int seed, boolean byKernel) {
      super(name, bytes, seed, byKernel);
      this.sent = allocate(from);
      this.received = allocate(to);
    }

    @Override
    void prepare() {
      try (Stream from = Device.of(sent).stream();
          Stream to = Device.of(received).stream()) {
        pattern(from, sent);
        clear(to, received);
        from.await();
        to.await();
      }
    }

    @Override
    Copy copy(Stream stream) {
      return stream.copy(sent, received);
    }

    @Override
    GlobalInts source() {
      return sent;
    }

    @Override
    GlobalInts destination() {
      return received;
    }

    @Override
    GlobalInts arrived() {
      return received;
    }
  }
}
