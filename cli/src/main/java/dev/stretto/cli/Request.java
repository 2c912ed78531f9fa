package dev.stretto.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@code stretto overlap}.
 *
 * @param file to encrypt, or null for random bytes
 * @param out where to write the last mode's output, or null
 * @param device its name, or null for the first GPU or else a virtual device
 * @param chunkBytes of each chunk, or 0
 * @param depth chunks in flight at a time, or 0
 * @param modes the modes, in order
 * @param trace the file for the Chrome trace, or null
 * @param html the file for the page, or null
 * @param details whether the report has all there is to tell
 * @param json whether the report is JSON
 * @param image whether the kernel is the PTX image that nvcc has made, instead of the Java method
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
    boolean details,
    boolean json,
    boolean image) {}
