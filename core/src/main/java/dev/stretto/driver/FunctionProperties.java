package dev.stretto.driver;

/**
 * What the driver knows of a loaded kernel.
 *
 * @param maxThreadsPerBlock threads in a block at most, given its registers
 * @param registers registers of a thread
 * @param sharedBytes static shared memory of a block
 * @param localBytes local memory of a thread (stack frame and spills)
 */
public record FunctionProperties(
    int maxThreadsPerBlock, int registers, int sharedBytes, int localBytes) {}
