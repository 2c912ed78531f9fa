package dev.stretto.driver.virtual;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.KernelTwin;
import dev.stretto.driver.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** One virtual device and what tests do with it again and again. */
final class Rig implements AutoCloseable {
  static final String PTX =
      """
      .version 8.0
      .target sm_80
      .address_size 64
      .visible .entry body(.param .u64 p) { ret; }
      """;

  final VirtualDriver driver;
  final DriverDevice device;

  Rig(String config) {
    this.driver = new VirtualDriver(VirtualConfig.parse(config));
    this.device = driver.open(0);
  }

  static MemorySegment view(long hostAddress, long bytes) {
    return MemorySegment.ofAddress(hostAddress).reinterpret(bytes);
  }

  /** {@return pinned memory that holds a byte again and again} */
  long pinned(long bytes, int value) {
    long address = device.allocatePinned(bytes);
    view(address, bytes).fill((byte) value);
    return address;
  }

  long stream() {
    return device.createStream(0);
  }

  long record(long stream) {
    long event = device.createEvent(true);
    device.recordEvent(event, stream);
    return event;
  }

  void await(long stream) {
    long event = record(stream);
    device.awaitEvent(event);
    device.destroyEvent(event);
  }

  void toDevice(long dst, long src, long bytes, long stream) {
    device.copy(dst, src, bytes, CopyKind.HOST_TO_DEVICE, stream);
  }

  void toHost(long dst, long src, long bytes, long stream) {
    device.copy(dst, src, bytes, CopyKind.DEVICE_TO_HOST, stream);
  }

  /** {@return what device memory holds now} */
  byte[] bytes(long address, int count) {
    long host = device.allocatePinned(count);
    long stream = stream();
    toHost(host, address, count, stream);
    await(stream);
    byte[] bytes = view(host, count).toArray(ValueLayout.JAVA_BYTE);
    device.freePinned(host);
    device.destroyStream(stream);
    return bytes;
  }

  /** {@return a kernel that does this once per call of the twin} */
  long kernel(Runnable body) {
    return kernel((first, last, parameters, memory) -> body.run(), 0);
  }

  long kernel(Body body, long nanos) {
    return function(device, body, nanos);
  }

  static long function(DriverDevice device, Body body, long nanos) {
    return device.function(
        device.loadModule(PTX.getBytes(StandardCharsets.UTF_8)), "body", new Twin(body, nanos));
  }

  void launch(long function, long stream) {
    launch(function, 1, stream, MemorySegment.NULL);
  }

  void launch(long function, int blocks, long stream, MemorySegment parameters) {
    device.launch(
        function,
        LaunchShape.of(blocks, 1, 1, 32, 1, 1, 0),
        stream,
        parameters,
        MemorySegment.NULL);
  }

  /** {@return the bytes of a memory's pattern, repeated} */
  static byte[] pattern(short pattern, int bytes) {
    byte[] expected = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      expected[i] = (byte) (i % 2 == 0 ? pattern : pattern >> 8);
    }
    return expected;
  }

  @Override
  public void close() {
    device.close();
  }

  /** What a kernel does. */
  interface Body {
    void run(long first, long last, MemorySegment parameters, KernelTwin.DeviceMemory memory);
  }

  private record Twin(Body body, long modelled) implements KernelTwin {
    @Override
    public void run(
        LaunchShape shape, long first, long last, MemorySegment parameters, DeviceMemory memory) {
      body.run(first, last, parameters, memory);
    }

    @Override
    public long nanos(LaunchShape shape, MemorySegment parameters, Machine machine) {
      return modelled;
    }
  }
}
