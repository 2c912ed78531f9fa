package dev.stretto.kernels.attention;

/**
 * Where a block is among the tiles of packed sequences, whose numbers it asks for in growing order.
 *
 * @param sequence the number of the sequence; after the last one, how many there are
 * @param before how many tiles the sequences before it have
 */
record Cursor(int sequence, int before) {
  static Cursor first() {
    return new Cursor(0, 0);
  }

  /** The sequence of the tile with this number. */
  Cursor to(int number, Sequences sequences, int heads, int ofRows) {
    int next = sequence;
    int passed = before;
    while (next < sequences.sizes().sequences()) {
      int tiles = heads * sequences.tiles(next, ofRows);
      if (number - passed < tiles) {
        break;
      }
      passed += tiles;
      next++;
    }
    return new Cursor(next, passed);
  }
}
