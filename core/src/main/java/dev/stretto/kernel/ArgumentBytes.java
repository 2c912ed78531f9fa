package dev.stretto.kernel;

/**
 * Bytes of an argument that a launch may access: planes of rows.
 *
 * @param argument the number of the argument, not counting the thread block
 * @param isWritten whether the launch may write them; otherwise it reads them
 * @param isAtomic whether it only does so by atomic operations that hold for the whole device
 * @param offset the first byte, from the beginning of the array
 * @param width bytes per row
 * @param pitch bytes from the beginning of a row to the next
 * @param rows rows per plane
 * @param plane bytes from the beginning of a plane to the next
 * @param planes the number of planes
 */
public record ArgumentBytes(
    int argument,
    boolean isWritten,
    boolean isAtomic,
    long offset,
    long width,
    long pitch,
    long rows,
    long plane,
    long planes) {}
