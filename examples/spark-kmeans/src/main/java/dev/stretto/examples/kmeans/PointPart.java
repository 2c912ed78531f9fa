package dev.stretto.examples.kmeans;

import java.io.Serializable;

/**
 * Whole points of a file.
 *
 * @param name of the file
 * @param position of the first byte
 * @param bytes how many
 * @param first the number of the first point among those of all files
 */
public record PointPart(String name, long position, long bytes, long first)
    implements Serializable {}
