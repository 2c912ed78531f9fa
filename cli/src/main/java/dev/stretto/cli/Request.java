package dev.stretto.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code stretto overlap} is to do.
 *
 * @param file to encrypt, or null for random bytes
 * @param out where the last mode's output goes, or null
 * @param device its name, or null for the first GPU or else a virtual device
 * @param chunkBytes of each chunk, or 0
 * @param depth chunks under way at a time, or 0
 * @param modes which, in their order
 * @param trace where the Chrome trace goes, or null
 * @param html where the page goes, or null
 * @param json whether the report is JSON
 * @param image whether the kernel is the PTX image that nvcc has made, and not the Java method
 */
record Request(
    @Nullable Path file,
    @Nullable Path out,
    Secret secret,
    @Nullable String device,
    long chunkBytes,
    int depth,
    List<Mode> modes,
    @Nullable Path trace,
    @Nullable Path html,
    boolean json,
    boolean image) {}
