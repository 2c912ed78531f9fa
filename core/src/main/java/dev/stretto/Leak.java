package dev.stretto;

/**
 * An open resource: a leak, if the program no longer needs it.
 *
 * @param what the memory and its size, or the stream or graph
 * @param where the stack trace of its allocation, or of the opening of the stream
 */
public record Leak(String what, Throwable where) {}
