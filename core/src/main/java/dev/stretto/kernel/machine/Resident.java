package dev.stretto.kernel.machine;

import dev.stretto.memory.Allocation;
import java.lang.foreign.MemorySegment;
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

  public Resident(long address, MemorySegment memory) {
    this(address, memory, null);
  }

  /**
   * Creates an allocation.
   *
   * @param accesses observes accesses; null if nobody does
   */
  public Resident(long address, MemorySegment memory, @Nullable Accesses accesses) {
    this.address = address;
    this.memory = memory;
    this.accesses = accesses;
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
    return new Resident(address + offset, memory.asSlice(offset), accesses);
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
