package dev.stretto.timeline;

/**
 * A stream waits for an operation of another one, because of {@link
 * dev.stretto.Stream#waitFor(dev.stretto.Event)}.
 *
 * @param from the {@linkplain Span#correlation() number} of the last operation that is awaited
 * @param to the number of the first operation that waits for it
 */
public record Arrow(long from, long to) {}
