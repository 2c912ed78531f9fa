// Generated from tools/families/StreamAllocations.template by tools/Families.java. Do not edit.
package dev.stretto;

import dev.stretto.enqueue.ArrayMemory;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;

/**
 * Allocates arrays in the order of a stream. Later operations of the stream may use them; other
 * streams have to wait for an event that was recorded after the allocation ({@link
 * Stream#waitFor}). Closing such an array frees it in the order of the same stream, which waits for
 * its last use on every other stream by an event; the host does not wait.
 *
 * <p>In a {@linkplain Graph#capture capture}, the memory belongs to the graph.
 *
 * <p>{@code cuMemAllocFromPoolAsync} and {@code cuMemFreeAsync}; CUDA C++ Programming Guide,
 * "Stream Ordered Memory Allocator".
 */
abstract class StreamAllocations extends MethodLaunches {
  StreamAllocations() {}

  abstract ArrayMemory allocate(long length, int elementBytes);

  /**
   * {@return a new array of bytes that is allocated in the order of this stream, 1 byte each} Its
   * contents are undefined. Does not block. Other streams may use the array once they wait for an
   * event that was recorded on this stream after this call. {@link GlobalBytes#close()} frees it in
   * the order of this stream, after its last use on every stream; {@link Stream#freeOnClose} makes
   * another stream free it.
   *
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory;
   *     memory that this stream frees before this call counts as free
   * @throws dev.stretto.fault.NoMemoryPoolException if the device has no memory pools
   * @throws dev.stretto.fault.ClosedException if the stream or the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final GlobalBytes allocateBytes(long length) {
    return GlobalBytes.of(allocate(length, GlobalBytes.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of shorts that is allocated in the order of this stream, 2 bytes each} Its
   * contents are undefined. Does not block. Other streams may use the array once they wait for an
   * event that was recorded on this stream after this call. {@link GlobalShorts#close()} frees it
   * in the order of this stream, after its last use on every stream; {@link Stream#freeOnClose}
   * makes another stream free it.
   *
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory;
   *     memory that this stream frees before this call counts as free
   * @throws dev.stretto.fault.NoMemoryPoolException if the device has no memory pools
   * @throws dev.stretto.fault.ClosedException if the stream or the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final GlobalShorts allocateShorts(long length) {
    return GlobalShorts.of(allocate(length, GlobalShorts.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of ints that is allocated in the order of this stream, 4 bytes each} Its
   * contents are undefined. Does not block. Other streams may use the array once they wait for an
   * event that was recorded on this stream after this call. {@link GlobalInts#close()} frees it in
   * the order of this stream, after its last use on every stream; {@link Stream#freeOnClose} makes
   * another stream free it.
   *
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory;
   *     memory that this stream frees before this call counts as free
   * @throws dev.stretto.fault.NoMemoryPoolException if the device has no memory pools
   * @throws dev.stretto.fault.ClosedException if the stream or the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final GlobalInts allocateInts(long length) {
    return GlobalInts.of(allocate(length, GlobalInts.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of longs that is allocated in the order of this stream, 8 bytes each} Its
   * contents are undefined. Does not block. Other streams may use the array once they wait for an
   * event that was recorded on this stream after this call. {@link GlobalLongs#close()} frees it in
   * the order of this stream, after its last use on every stream; {@link Stream#freeOnClose} makes
   * another stream free it.
   *
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory;
   *     memory that this stream frees before this call counts as free
   * @throws dev.stretto.fault.NoMemoryPoolException if the device has no memory pools
   * @throws dev.stretto.fault.ClosedException if the stream or the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final GlobalLongs allocateLongs(long length) {
    return GlobalLongs.of(allocate(length, GlobalLongs.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of floats that is allocated in the order of this stream, 4 bytes each} Its
   * contents are undefined. Does not block. Other streams may use the array once they wait for an
   * event that was recorded on this stream after this call. {@link GlobalFloats#close()} frees it
   * in the order of this stream, after its last use on every stream; {@link Stream#freeOnClose}
   * makes another stream free it.
   *
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory;
   *     memory that this stream frees before this call counts as free
   * @throws dev.stretto.fault.NoMemoryPoolException if the device has no memory pools
   * @throws dev.stretto.fault.ClosedException if the stream or the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final GlobalFloats allocateFloats(long length) {
    return GlobalFloats.of(allocate(length, GlobalFloats.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of doubles that is allocated in the order of this stream, 8 bytes each}
   * Its contents are undefined. Does not block. Other streams may use the array once they wait for
   * an event that was recorded on this stream after this call. {@link GlobalDoubles#close()} frees
   * it in the order of this stream, after its last use on every stream; {@link Stream#freeOnClose}
   * makes another stream free it.
   *
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory;
   *     memory that this stream frees before this call counts as free
   * @throws dev.stretto.fault.NoMemoryPoolException if the device has no memory pools
   * @throws dev.stretto.fault.ClosedException if the stream or the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final GlobalDoubles allocateDoubles(long length) {
    return GlobalDoubles.of(allocate(length, GlobalDoubles.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of binary16 numbers that is allocated in the order of this stream, 2 bytes
   * each} Its contents are undefined. Does not block. Other streams may use the array once they
   * wait for an event that was recorded on this stream after this call. {@link GlobalHalfs#close()}
   * frees it in the order of this stream, after its last use on every stream; {@link
   * Stream#freeOnClose} makes another stream free it.
   *
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory;
   *     memory that this stream frees before this call counts as free
   * @throws dev.stretto.fault.NoMemoryPoolException if the device has no memory pools
   * @throws dev.stretto.fault.ClosedException if the stream or the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final GlobalHalfs allocateHalfs(long length) {
    return GlobalHalfs.of(allocate(length, GlobalHalfs.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of bfloat16 numbers that is allocated in the order of this stream, 2 bytes
   * each} Its contents are undefined. Does not block. Other streams may use the array once they
   * wait for an event that was recorded on this stream after this call. {@link
   * GlobalBfloats#close()} frees it in the order of this stream, after its last use on every
   * stream; {@link Stream#freeOnClose} makes another stream free it.
   *
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory;
   *     memory that this stream frees before this call counts as free
   * @throws dev.stretto.fault.NoMemoryPoolException if the device has no memory pools
   * @throws dev.stretto.fault.ClosedException if the stream or the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final GlobalBfloats allocateBfloats(long length) {
    return GlobalBfloats.of(allocate(length, GlobalBfloats.ELEMENT_BYTES));
  }
}
