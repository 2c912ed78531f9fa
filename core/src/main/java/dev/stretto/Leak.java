package dev.stretto;

/**
 * An open resource: a leak, if the program no longer needs it.
 *
 * @param what the memory and its size
 * @param where the stack trace of its allocation
 */
public record Leak(String what, Throwable where) {}
