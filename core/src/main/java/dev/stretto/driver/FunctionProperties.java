package dev.stretto.driver;

/**
 * The properties of a loaded kernel.
 *
 * @param maxThreadsPerBlock the most threads in a block, given the kernel's registers
 * @param registers registers of a thread
 * @param sharedBytes static shared memory of a block
 * @param localBytes local memory of a thread (stack frame and spills)
 */
public record FunctionProperties(
    int maxThreadsPerBlock, int registers, int sharedBytes, int localBytes) {}
