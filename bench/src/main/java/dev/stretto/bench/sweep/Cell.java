package dev.stretto.bench.sweep;

/**
 * What a figure belongs to.
 *
 * @param way of copying, filling, allocating, launching or waiting
 * @param size of an operation in bytes; 0 if it has none
 * @param streams that the operations go to
 * @param threads that enqueue them
 */
record Cell(String way, long size, int streams, int threads) {
  static Cell of(String way) {
    return new Cell(way, 0, 1, 1);
  }

  static Cell of(String way, long size) {
    return new Cell(way, size, 1, 1);
  }

  static Cell of(String way, long size, int streams) {
    return new Cell(way, size, streams, 1);
  }
}
