package dev.stretto.kernel;

import dev.stretto.memory.Allocation;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** A virtual device's memory as a kernel that runs there holds it. */
final class Resident extends Allocation {
  private final long address;
  private final MemorySegment memory;
  private final boolean watched;

  Resident(long address, MemorySegment memory) {
    this(address, memory, false);
  }

  /**
   * Memory.
   *
   * @param watched whether stores are checked against bulk copies that read them
   */
  Resident(long address, MemorySegment memory, boolean watched) {
    this.address = address;
    this.memory = memory;
    this.watched = watched;
  }

  @Override
  protected boolean isWatched() {
    return watched;
  }

  @Override
  protected void stored(long at, long bytes) {
    DeviceThread thread = DeviceThread.current("a store");
    thread.cluster().stores().stored(thread, address + at, bytes);
  }

  MemorySegment memory() {
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
