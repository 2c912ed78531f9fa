package dev.stretto;

/**
 * Something that is open: a leak, if the program is done with it.
 *
 * @param what the memory and its size
 * @param where the stack of its allocation
 */
public record Leak(String what, Throwable where) {}
