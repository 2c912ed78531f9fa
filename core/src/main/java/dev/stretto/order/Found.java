package dev.stretto.order;

/**
 * Two accesses that nothing orders.
 *
 * @param wayOut what would order them
 */
record Found(Accesses memory, Access first, Access second, String wayOut) {
  Found(Accesses memory, Access first, Access second) {
    this(memory, first, second, Race.wayOut(first, second));
  }

  Found swapped() {
    return new Found(memory, second, first, wayOut);
  }
}
