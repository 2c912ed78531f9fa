package dev.stretto.flow;

/**
 * The progress of a flow.
 *
 * @param bytesDone written to the sink
 * @param bytesTotal of the source, or -1 if that is known only at the end
 */
public record FlowProgress(long bytesDone, long bytesTotal) {}
