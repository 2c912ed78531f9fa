package dev.stretto;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.NoSuchDeviceException;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Stands for another CUDA library of this process, so that a program which shares streams, events
 * and memory with one can be tested without it, on a virtual device too.
 *
 * <p>It opens the device once more and enqueues there by raw handles, past everything that Stretto
 * knows: its work is neither held back nor checked, and it keeps nothing alive. What it makes is
 * what {@link Device#adoptStream}, {@link Device#adoptEvent} and {@link Device#adopt} take.
 *
 * {@snippet :
 * try (ForeignLibrary library = ForeignLibrary.on(device)) {
 *   long theirs = library.createStream();
 *   try (Stream stream = device.adoptStream(theirs)) {
 *     library.fill(array.address(), 1, array.byteSize(), theirs);
 *     stream.copy(array, pinned).await(); // after their fill
 *   }
 * }
 * }
 *
 * <p>Any thread may use it. Every method throws {@link ClosedException} once it is closed, {@link
 * IllegalArgumentException} for a handle, an address or a range that the driver does not know, and
 * {@link dev.stretto.fault.DeviceLostException} if the device is lost.
 */
public final class ForeignLibrary implements AutoCloseable {
  private final Device device;
  private final DriverDevice driver;
  private final Set<Long> streams = new LinkedHashSet<>();
  private final Set<Long> events = new LinkedHashSet<>();
  private final Set<Long> memory = new LinkedHashSet<>();
  private boolean closing;
  private boolean closed;

  private ForeignLibrary(Device device, DriverDevice driver) {
    this.device = device;
    this.driver = driver;
  }

  /**
   * {@return a library that uses a device}
   *
   * @param device the device, which may be closed before the library is
   * @throws ClosedException if the device is closed
   * @throws NoSuchDeviceException if the device cannot be opened once more
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public static ForeignLibrary on(Device device) {
    Objects.requireNonNull(device, "device").engine().requireUsable();
    try {
      return new ForeignLibrary(device, device.reopen());
    } catch (DriverException e) {
      throw new NoSuchDeviceException(
          device.name() + " cannot be opened once more: " + e.getMessage(), e);
    }
  }

  // --- streams ----------------------------------------------------------------------------------

  /**
   * {@return the handle of a new blocking stream, as {@code cudaStreamCreate} makes them} It and
   * the legacy default stream wait for each other.
   */
  public long createStream() {
    return made(streams, () -> driver.createBlockingStream(0));
  }

  /**
   * {@return the handle of a new stream that waits for no other by itself, as {@code
   * cudaStreamCreateWithFlags} makes them with {@code cudaStreamNonBlocking}}
   */
  public long createNonBlockingStream() {
    return made(streams, () -> driver.createStream(0));
  }

  /**
   * Destroys a stream. What it holds runs to its end.
   *
   * @param stream one of this library's
   */
  public void destroyStream(long stream) {
    give(streams, stream, "stream", () -> driver.destroyStream(stream));
  }

  /**
   * Waits until all that a stream holds is done, by whomever it was enqueued, as {@code
   * cudaStreamSynchronize} does. What Stretto holds back is not among that yet.
   *
   * @param stream any stream of the device, 1 and 2 for the default streams
   */
  public void await(long stream) {
    long event = createEvent();
    try {
      record(event, stream);
      run(() -> driver.awaitEvent(event));
    } finally {
      destroyEvent(event);
    }
  }

  // --- events -----------------------------------------------------------------------------------

  /** {@return the handle of a new event, which has happened until it is recorded} */
  public long createEvent() {
    return made(events, () -> driver.createEvent(false));
  }

  /**
   * Has an event stand for all that a stream holds now.
   *
   * @param event one of this library's
   * @param stream any stream of the device, 1 and 2 for the default streams
   */
  public void record(long event, long stream) {
    run(() -> driver.recordEvent(event, stream));
  }

  /**
   * Has all later work of a stream wait for what an event stands for now.
   *
   * @param stream any stream of the device, 1 and 2 for the default streams
   * @param event any event
   */
  public void waitFor(long stream, long event) {
    run(() -> driver.waitEvent(stream, event));
  }

  /**
   * {@return whether all is done that an event stands for} Never advances a seeded device.
   *
   * @param event any event
   */
  public boolean isDone(long event) {
    return call(() -> driver.isDone(event));
  }

  /**
   * Destroys an event. What waits for it is not affected.
   *
   * @param event one of this library's
   */
  public void destroyEvent(long event) {
    give(events, event, "event", () -> driver.destroyEvent(event));
  }

  // --- memory and work --------------------------------------------------------------------------

  /**
   * {@return the address of new device memory, aligned to 256 bytes}
   *
   * @param bytes 1 or more
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if there is too little
   */
  public long allocate(long bytes) {
    return made(memory, () -> driver.allocate(bytes));
  }

  /**
   * Frees device memory, which no enqueued work may use any more.
   *
   * @param address of {@link #allocate}
   */
  public void free(long address) {
    give(memory, address, "memory", () -> driver.free(address));
  }

  /**
   * Enqueues a fill.
   *
   * @param address of device memory
   * @param value of each byte; its lowest eight bits count
   * @param bytes 1 or more
   * @param stream any stream of the device, 1 and 2 for the default streams
   */
  public void fill(long address, int value, long bytes, long stream) {
    run(() -> driver.fill(address, value & 0xFF, Byte.BYTES, bytes, stream));
  }

  /**
   * Enqueues a copy within device memory, or between that and pinned host memory.
   *
   * @param to an address
   * @param from an address
   * @param bytes 1 or more
   * @param stream any stream of the device, 1 and 2 for the default streams
   * @throws IllegalArgumentException if neither end is device memory, or one is ordinary memory
   */
  public void copy(long to, long from, long bytes, long stream) {
    run(() -> driver.copy(to, from, bytes, kind(to, from), stream));
  }

  private CopyKind kind(long to, long from) {
    boolean toDevice = isDevice(to);
    boolean fromDevice = isDevice(from);
    if (!toDevice && !fromDevice) {
      throw new IllegalArgumentException(
          "neither 0x%x nor 0x%x is an address of device memory".formatted(to, from));
    }
    return !toDevice
        ? CopyKind.DEVICE_TO_HOST
        : fromDevice ? CopyKind.DEVICE_TO_DEVICE : CopyKind.HOST_TO_DEVICE;
  }

  private boolean isDevice(long address) {
    return switch (driver.pointer(address).kind()) {
      case DEVICE -> true;
      case PINNED -> false;
      default ->
          throw new IllegalArgumentException(
              "0x%x is neither device memory nor pinned host memory".formatted(address));
    };
  }

  // --- the end ----------------------------------------------------------------------------------

  /**
   * Waits for what the library's streams hold, and gives back all that it has made. Streams of it
   * that a device has adopted have to be closed there before. Does nothing the second time.
   */
  @Override
  public void close() {
    synchronized (this) {
      if (closing) {
        return; // by another thread, maybe
      }
      closing = true;
    }
    try {
      if (!device.isLost()) {
        copy(streams).forEach(this::await);
        copy(streams).forEach(this::destroyStream);
        copy(events).forEach(this::destroyEvent);
        copy(memory).forEach(this::free);
      }
    } finally {
      synchronized (this) {
        closed = true;
      }
      driver.close();
    }
  }

  private Set<Long> copy(Set<Long> handles) {
    synchronized (this) {
      return new LinkedHashSet<>(handles);
    }
  }

  private long made(Set<Long> handles, Supplier<Long> make) {
    long handle = call(make);
    synchronized (this) {
      handles.add(handle);
    }
    return handle;
  }

  private void give(Set<Long> handles, long handle, String what, Runnable call) {
    synchronized (this) {
      if (!handles.remove(handle)) {
        throw new IllegalArgumentException(
            "0x%x is no %s of this library's, or was given back".formatted(handle, what));
      }
    }
    run(call);
  }

  private void run(Runnable call) {
    Boolean _ =
        call(
            () -> {
              call.run();
              return true;
            });
  }

  private <T> T call(Supplier<T> call) {
    synchronized (this) {
      if (closed) {
        throw new ClosedException("the library on " + device.name() + " is closed");
      }
    }
    try {
      return call.get();
    } catch (DriverException e) {
      throw switch (e.kind()) {
        case INVALID -> new IllegalArgumentException(device.name() + ": " + e.getMessage(), e);
        default -> device.engine().raised(e);
      };
    }
  }
}
