package dev.stretto.kernel.machine;

import dev.stretto.driver.KernelTwin;
import dev.stretto.memory.Allocation;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Memory of a virtual device, as a kernel that runs there holds it. */
public final class Resident extends Allocation implements AddressedMemory {
  /** Observes accesses of kernels' methods. */
  public interface Accesses {
    /** Called when the running thread stores some bytes. */
    void stored(Resident memory, long address, long bytes);

    /** Called when the running thread stores some bytes by an atomic operation. */
    void storedAtomically(long address, long bytes);

    /** Called when the running thread reads some bytes. */
    void loaded(Resident memory, long address, long bytes);
  }

  private final long address;
  private final MemorySegment memory;
  private final @Nullable Accesses accesses;
  private final KernelTwin.@Nullable HostWindow window;
  private final long windowOffset;

  public Resident(long address, MemorySegment memory) {
    this(address, memory, null, null);
  }

  /**
   * Creates an allocation.
   *
   * @param accesses observes accesses; null if nobody does
   * @param window the host memory of which {@code memory} is what the launch sees; null for other
   *     memory
   */
  public Resident(
      long address,
      MemorySegment memory,
      @Nullable Accesses accesses,
      KernelTwin.@Nullable HostWindow window) {
    this(address, memory, accesses, window, 0);
  }

  private Resident(
      long address,
      MemorySegment memory,
      @Nullable Accesses accesses,
      KernelTwin.@Nullable HostWindow window,
      long windowOffset) {
    this.address = address;
    this.memory = memory;
    this.accesses = accesses;
    this.window = window;
    this.windowOffset = windowOffset;
  }

  /** Whether the launch sees host memory here as it was, and not what the host writes now. */
  public boolean isWindow() {
    return window != null;
  }

  /** The host's memory itself. */
  public MemorySegment host() {
    return Objects.requireNonNull(window).host().asSlice(windowOffset, memory.byteSize());
  }

  /** Makes what the launch has stored visible to the host. */
  public void publish() {
    Objects.requireNonNull(window).publish();
  }

  /**
   * Called when a thread has loaded some bytes from the host's memory itself.
   *
   * @param acquires whether it then sees what the host had written before those
   */
  public void looksAtHost(long at, int bytes, boolean acquires) {
    KernelTwin.HostWindow host = Objects.requireNonNull(window);
    boolean isNew = MemorySegment.mismatch(memory, at, at + bytes, host(), at, at + bytes) >= 0;
    host.looks(windowOffset + at, bytes);
    if (acquires && isNew) {
      host.update();
    }
  }

  @Override
  public boolean isWatched() {
    return accesses != null;
  }

  @Override
  public void stored(long at, long bytes) {
    if (accesses != null) {
      accesses.stored(this, address + at, bytes);
    }
  }

  @Override
  public void loaded(long at, long bytes) {
    if (accesses != null) {
      accesses.loaded(this, address + at, bytes);
    }
  }

  /** Reports that a kernel accesses to this memory by an atomic operation. */
  public void storedAtomically(long at, long bytes) {
    if (accesses != null) {
      accesses.storedAtomically(address + at, bytes);
    }
  }

  @Override
  public MemorySegment at(long place, long bytes) {
    return memory.asSlice(place - address, bytes);
  }

  /** {@return the part from a byte on} */
  Resident from(long offset) {
    return new Resident(
        address + offset, memory.asSlice(offset), accesses, window, windowOffset + offset);
  }

  public MemorySegment memory() {
    return memory;
  }

  @Override
  public long address() {
    return address;
  }

  @Override
  public long byteSize() {
    return memory.byteSize();
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public String describe() {
    return "the " + memory.byteSize() + " bytes that the kernel was given";
  }

  @Override
  protected Optional<MemorySegment> resident() {
    return Optional.of(memory);
  }

  @Override
  protected void release() {
    throw new UnsupportedOperationException("a kernel does not close the memory that it was given");
  }
}
