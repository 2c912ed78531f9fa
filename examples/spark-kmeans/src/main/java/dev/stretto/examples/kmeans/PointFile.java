package dev.stretto.examples.kmeans;

import java.io.Serializable;

/**
 * A file of points, one after the other, each of floats in little-endian order.
 *
 * @param name its path, or its URI
 * @param bytes its length
 */
public record PointFile(String name, long bytes) implements Serializable {}
