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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
 *
 * @param <R> a copy
 */
abstract class StreamAllocations<R> extends MethodLaunches<R> {
  StreamAllocations() {}

  abstract ArrayMemory allocate(@Nullable MemoryPool pool, long length, int elementBytes);

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
    return GlobalBytes.of(allocate(null, length, GlobalBytes.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of bytes out of a pool of the program's own, allocated in the order of
   * this stream, 1 byte each} As {@link #allocateBytes(long)} in all else; closing it frees it to
   * the pool.
   *
   * @param pool a pool of the same opening of this stream's device; also the one that all other
   *     arrays come from
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive, or the pool belongs to
   *     another device or another opening of this one
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the pool would be larger than it may
   *     be, or the device has too little free memory; memory that this stream frees to the pool
   *     before this call counts as free
   * @throws dev.stretto.fault.NoMemoryPoolException if the device has no memory pools
   * @throws dev.stretto.fault.ClosedException if the pool, the stream or the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final GlobalBytes allocateBytes(MemoryPool pool, long length) {
    Objects.requireNonNull(pool, "pool");
    return GlobalBytes.of(allocate(pool, length, GlobalBytes.ELEMENT_BYTES));
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
    return GlobalShorts.of(allocate(null, length, GlobalShorts.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of shorts out of a pool of the program's own, allocated in the order of
   * this stream, 2 bytes each} As {@link #allocateShorts(long)} in all else; closing it frees it to
   * the pool.
   *
   * @param pool a pool of the same opening of this stream's device; also the one that all other
   *     arrays come from
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive, or the pool belongs to
   *     another device or another opening of this one
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the pool would be larger than it may
   *     be, or the device has too little free memory; memory that this stream frees to the pool
   *     before this call counts as free
   * @throws dev.stretto.fault.NoMemoryPoolException if the device has no memory pools
   * @throws dev.stretto.fault.ClosedException if the pool, the stream or the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final GlobalShorts allocateShorts(MemoryPool pool, long length) {
    Objects.requireNonNull(pool, "pool");
    return GlobalShorts.of(allocate(pool, length, GlobalShorts.ELEMENT_BYTES));
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
    return GlobalInts.of(allocate(null, length, GlobalInts.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of ints out of a pool of the program's own, allocated in the order of this
   * stream, 4 bytes each} As {@link #allocateInts(long)} in all else; closing it frees it to the
   * pool.
   *
   * @param pool a pool of the same opening of this stream's device; also the one that all other
   *     arrays come from
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive, or the pool belongs to
   *     another device or another opening of this one
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the pool would be larger than it may
   *     be, or the device has too little free memory; memory that this stream frees to the pool
   *     before this call counts as free
   * @throws dev.stretto.fault.NoMemoryPoolException if the device has no memory pools
   * @throws dev.stretto.fault.ClosedException if the pool, the stream or the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final GlobalInts allocateInts(MemoryPool pool, long length) {
    Objects.requireNonNull(pool, "pool");
    return GlobalInts.of(allocate(pool, length, GlobalInts.ELEMENT_BYTES));
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
    return GlobalLongs.of(allocate(null, length, GlobalLongs.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of longs out of a pool of the program's own, allocated in the order of
   * this stream, 8 bytes each} As {@link #allocateLongs(long)} in all else; closing it frees it to
   * the pool.
   *
   * @param pool a pool of the same opening of this stream's device; also the one that all other
   *     arrays come from
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive, or the pool belongs to
   *     another device or another opening of this one
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the pool would be larger than it may
   *     be, or the device has too little free memory; memory that this stream frees to the pool
   *     before this call counts as free
   * @throws dev.stretto.fault.NoMemoryPoolException if the device has no memory pools
   * @throws dev.stretto.fault.ClosedException if the pool, the stream or the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final GlobalLongs allocateLongs(MemoryPool pool, long length) {
    Objects.requireNonNull(pool, "pool");
    return GlobalLongs.of(allocate(pool, length, GlobalLongs.ELEMENT_BYTES));
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
    return GlobalFloats.of(allocate(null, length, GlobalFloats.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of floats out of a pool of the program's own, allocated in the order of
   * this stream, 4 bytes each} As {@link #allocateFloats(long)} in all else; closing it frees it to
   * the pool.
   *
   * @param pool a pool of the same opening of this stream's device; also the one that all other
   *     arrays come from
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive, or the pool belongs to
   *     another device or another opening of this one
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the pool would be larger than it may
   *     be, or the device has too little free memory; memory that this stream frees to the pool
   *     before this call counts as free
   * @throws dev.stretto.fault.NoMemoryPoolException if the device has no memory pools
   * @throws dev.stretto.fault.ClosedException if the pool, the stream or the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final GlobalFloats allocateFloats(MemoryPool pool, long length) {
    Objects.requireNonNull(pool, "pool");
    return GlobalFloats.of(allocate(pool, length, GlobalFloats.ELEMENT_BYTES));
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
    return GlobalDoubles.of(allocate(null, length, GlobalDoubles.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of doubles out of a pool of the program's own, allocated in the order of
   * this stream, 8 bytes each} As {@link #allocateDoubles(long)} in all else; closing it frees it
   * to the pool.
   *
   * @param pool a pool of the same opening of this stream's device; also the one that all other
   *     arrays come from
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive, or the pool belongs to
   *     another device or another opening of this one
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the pool would be larger than it may
   *     be, or the device has too little free memory; memory that this stream frees to the pool
   *     before this call counts as free
   * @throws dev.stretto.fault.NoMemoryPoolException if the device has no memory pools
   * @throws dev.stretto.fault.ClosedException if the pool, the stream or the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final GlobalDoubles allocateDoubles(MemoryPool pool, long length) {
    Objects.requireNonNull(pool, "pool");
    return GlobalDoubles.of(allocate(pool, length, GlobalDoubles.ELEMENT_BYTES));
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
    return GlobalHalfs.of(allocate(null, length, GlobalHalfs.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of binary16 numbers out of a pool of the program's own, allocated in the
   * order of this stream, 2 bytes each} As {@link #allocateHalfs(long)} in all else; closing it
   * frees it to the pool.
   *
   * @param pool a pool of the same opening of this stream's device; also the one that all other
   *     arrays come from
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive, or the pool belongs to
   *     another device or another opening of this one
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the pool would be larger than it may
   *     be, or the device has too little free memory; memory that this stream frees to the pool
   *     before this call counts as free
   * @throws dev.stretto.fault.NoMemoryPoolException if the device has no memory pools
   * @throws dev.stretto.fault.ClosedException if the pool, the stream or the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final GlobalHalfs allocateHalfs(MemoryPool pool, long length) {
    Objects.requireNonNull(pool, "pool");
    return GlobalHalfs.of(allocate(pool, length, GlobalHalfs.ELEMENT_BYTES));
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
    return GlobalBfloats.of(allocate(null, length, GlobalBfloats.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of bfloat16 numbers out of a pool of the program's own, allocated in the
   * order of this stream, 2 bytes each} As {@link #allocateBfloats(long)} in all else; closing it
   * frees it to the pool.
   *
   * @param pool a pool of the same opening of this stream's device; also the one that all other
   *     arrays come from
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive, or the pool belongs to
   *     another device or another opening of this one
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the pool would be larger than it may
   *     be, or the device has too little free memory; memory that this stream frees to the pool
   *     before this call counts as free
   * @throws dev.stretto.fault.NoMemoryPoolException if the device has no memory pools
   * @throws dev.stretto.fault.ClosedException if the pool, the stream or the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final GlobalBfloats allocateBfloats(MemoryPool pool, long length) {
    Objects.requireNonNull(pool, "pool");
    return GlobalBfloats.of(allocate(pool, length, GlobalBfloats.ELEMENT_BYTES));
  }
}
