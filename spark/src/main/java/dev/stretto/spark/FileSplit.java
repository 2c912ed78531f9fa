package dev.stretto.spark;

import java.io.Serializable;

/**
 * A part of a file, before it is known where records end.
 *
 * @param path as Hadoop names it
 * @param begin of its first byte
 * @param end behind its last byte
 * @param size of the file
 */
record FileSplit(String path, long begin, long end, long size) implements Serializable {}
