package dev.stretto.order;

/**
 * An operation that is not known to be done.
 *
 * @param stream its stream
 * @param sequence its number there
 */
public record Pending(OrderedStream stream, long sequence) {}
