package dev.stretto.flow;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a flow leads from and to, and who hears of it.
 *
 * @param headerBytes of the source; not a part of any chunk
 * @param splitter finds where records end; null if chunks may end anywhere
 * @param listener gets the progress
 * @param places gets where each chunk went, if a stage changes sizes
 */
record Ends(
    Source source,
    Sink sink,
    long headerBytes,
    @Nullable Splitter splitter,
    Consumer<FlowProgress> listener,
    Consumer<ChunkPlace> places) {}
