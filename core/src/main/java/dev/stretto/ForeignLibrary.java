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
 * Stands in for another CUDA library of this process. With it, a program that shares streams,
 * events and memory with such a library can be tested without the library, also on a virtual
 * device.
 *
 * <p>It opens the device once more and enqueues there with raw handles, without Stretto's
 * knowledge: its work is neither held back nor checked, and it keeps nothing alive. Its handles and
 * addresses are valid arguments of {@link Device#adoptStream}, {@link Device#adoptEvent} and {@link
 * Device#adopt}.
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
   * @param device the device, which may be closed before the library
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
   * {@return the handle of a new blocking stream, as {@code cudaStreamCreate} makes them} This
   * stream and the legacy default stream wait for each other.
   */
  public long createStream() {
    return made(streams, () -> driver.createBlockingStream(0));
  }

  /**
   * {@return the handle of a new stream that does not synchronize with the default streams, as
   * {@code cudaStreamCreateWithFlags} makes them with {@code cudaStreamNonBlocking}}
   */
  public long createNonBlockingStream() {
    return made(streams, () -> driver.createStream(0));
  }

  /**
   * Destroys a stream. The work on it runs to its end.
   *
   * @param stream a handle that this library made
   */
  public void destroyStream(long stream) {
    give(streams, stream, "a stream", () -> driver.destroyStream(stream));
  }

  /**
   * Waits until all work on a stream is done, no matter who enqueued it, as {@code
   * cudaStreamSynchronize} does. Work that Stretto still holds back is not on the stream yet.
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

  /** {@return the handle of a new event} Until it is recorded, it counts as having happened. */
  public long createEvent() {
    return made(events, () -> driver.createEvent(false));
  }

  /**
   * Records an event: it stands for all work that is on a stream now.
   *
   * @param event a handle that this library made
   * @param stream any stream of the device, 1 and 2 for the default streams
   */
  public void record(long event, long stream) {
    run(() -> driver.recordEvent(event, stream));
  }

  /**
   * Makes all later work of a stream wait for the current meaning of an event.
   *
   * @param stream any stream of the device, 1 and 2 for the default streams
   * @param event any event
   */
  public void waitFor(long stream, long event) {
    run(() -> driver.waitEvent(stream, event));
  }

  /**
   * {@return whether all work is done that an event stands for} Never advances a seeded device.
   *
   * @param event any event
   */
  public boolean isDone(long event) {
    return call(() -> driver.isDone(event));
  }

  /**
   * Destroys an event. Work that waits for it is not affected.
   *
   * @param event a handle that this library made
   */
  public void destroyEvent(long event) {
    give(events, event, "an event", () -> driver.destroyEvent(event));
  }

  // --- memory and work --------------------------------------------------------------------------

  /**
   * {@return the address of newly allocated device memory, aligned to 256 bytes}
   *
   * @param bytes 1 or more
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory
   */
  public long allocate(long bytes) {
    return made(memory, () -> driver.allocate(bytes));
  }

  /**
   * Frees device memory. No enqueued work may still use it.
   *
   * @param address an address from {@link #allocate}
   */
  public void free(long address) {
    give(memory, address, "memory", () -> driver.free(address));
  }

  /**
   * Enqueues a fill.
   *
   * @param address the first byte, in device memory
   * @param value the value of each byte; only its lowest eight bits count
   * @param bytes 1 or more
   * @param stream any stream of the device, 1 and 2 for the default streams
   */
  public void fill(long address, int value, long bytes, long stream) {
    run(() -> driver.fill(address, value & 0xFF, Byte.BYTES, bytes, stream));
  }

  /**
   * Enqueues a copy within device memory, or between device memory and pinned host memory.
   *
   * @param to an address
   * @param from an address
   * @param bytes 1 or more
   * @param stream any stream of the device, 1 and 2 for the default streams
   * @throws IllegalArgumentException if neither end is device memory, or one end is pageable host
   *     memory
   */
  public void copy(long to, long from, long bytes, long stream) {
    run(() -> driver.copy(to, from, bytes, kind(to, from), stream));
  }

  private CopyKind kind(long to, long from) {
    boolean toDevice = isDevice(to);
    boolean fromDevice = isDevice(from);
    if (!toDevice && !fromDevice) {
      throw new IllegalArgumentException(
          "neither 0x%x nor 0x%x is an address the first byte, in device memory"
              .formatted(to, from));
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
   * Waits for all work on the library's streams, and releases everything that the library has made.
   * If a device has adopted streams of the library, close them there first. Closing it again has no
   * further effect.
   */
  @Override
  public void close() {
    synchronized (this) {
      if (closing) {
        return; // perhaps by another thread
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
            "0x%x is not %s of this library, or was already released".formatted(handle, what));
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
