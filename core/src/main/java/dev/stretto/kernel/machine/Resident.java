package dev.stretto.kernel.machine;

import dev.stretto.memory.Allocation;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Memory of a virtual device, as a kernel that runs there holds it. */
public final class Resident extends Allocation {
  /** Observes stores. */
  public interface Stores {
    /** Called when the running thread has stored some bytes. */
    void stored(long address, long bytes);
  }

  private final long address;
  private final MemorySegment memory;
  private final @Nullable Stores stores;

  public Resident(long address, MemorySegment memory) {
    this(address, memory, null);
  }

  /**
   * Creates an allocation.
   *
   * @param stores observes stores, to check them against bulk copies that read them; null if they
   *     are not checked
   */
  public Resident(long address, MemorySegment memory, @Nullable Stores stores) {
    this.address = address;
    this.memory = memory;
    this.stores = stores;
  }

  @Override
  public boolean isWatched() {
    return stores != null;
  }

  @Override
  public void stored(long at, long bytes) {
    if (stores != null) {
      stores.stored(address + at, bytes);
    }
  }

  /** {@return the part from a byte on} */
  Resident from(long offset) {
    return new Resident(address + offset, memory.asSlice(offset), stores);
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
