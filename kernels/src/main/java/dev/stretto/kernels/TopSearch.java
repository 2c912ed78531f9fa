// Generated from tools/families/TopK.template by tools/Families.java. Do not edit.
package dev.stretto.kernels;

import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernels.argument.Arguments;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;

/** Enqueues the steps of {@link TopK}. */
final class TopSearch {
  private static final int FIRST_DIGIT = 12;
  private static final int DIGIT = 8;
  private static final int BLOCKS = 8;

  private TopSearch() {}

  /**
   * Finds the greatest keys in an order.
   *
   * @param most how many candidates are set aside at most
   */
  static Event find(
      Stream stream, GlobalInts in, GlobalInts out, GlobalLongs places, int order, long most) {
    long count = out.length();
    if (count == 0) {
      return stream.record();
    }
    int threads = IntTop.THREADS;
    Grid grid = Grid.of(Arguments.blocks(stream, in.length(), IntTop.TILE, BLOCKS), threads);
    boolean aligned = Arguments.aligned(in);
    int tiles = Arguments.tiles(in, IntTop.TILE);
    long words = Totals.words(tiles, LongElements.WORDS);
    int first = 4 * Byte.SIZE - FIRST_DIGIT;
    try (GlobalLongs counts = stream.allocateLongs(1L << FIRST_DIGIT);
        GlobalLongs state = stream.allocateLongs(TopState.WORDS);
        GlobalLongs totals = stream.allocateLongs(words);
        GlobalInts candidates = stream.allocateInts(most);
        GlobalLongs candidatePlaces = stream.allocateLongs(most);
        GlobalInts taken = stream.allocateInts(count);
        GlobalLongs takenPlaces = stream.allocateLongs(count)) {
      stream.fill(counts, 0);
      // Nothing reads them before the first digit is known, but they are arguments.
      stream.fill(state, 0);
      stream.launch(
          grid, IntTop::count, in, candidates, counts, state, first, FIRST_DIGIT, order, aligned);
      choose(stream, counts, state, FIRST_DIGIT, count);
      stream.fill(totals, 0);
      stream.launch(
          grid,
          IntTop::part,
          in,
          taken,
          takenPlaces,
          candidates,
          candidatePlaces,
          state,
          totals,
          first,
          order,
          aligned);
      int shift = first;
      while (shift > 0) {
        int digit = Math.min(DIGIT, shift);
        shift -= digit;
        stream.launch(
            grid, IntTop::count, in, candidates, counts, state, shift, digit, order, aligned);
        choose(stream, counts, state, digit, 0);
      }
      for (boolean equal : new boolean[] {false, true}) {
        stream.fill(totals, 0);
        stream.launch(
            grid,
            IntTop::gather,
            in,
            taken,
            takenPlaces,
            candidates,
            candidatePlaces,
            state,
            totals,
            first,
            order,
            equal);
      }
      return Sorting.pairs(
          stream, taken, out, takenPlaces, places, order ^ KeyOrder.DESCENDING, RadixSort.PORTION);
    }
  }

  /**
   * Finds the greatest keys in an order.
   *
   * @param most how many candidates are set aside at most
   */
  static Event find(
      Stream stream, GlobalLongs in, GlobalLongs out, GlobalLongs places, int order, long most) {
    long count = out.length();
    if (count == 0) {
      return stream.record();
    }
    int threads = LongTop.THREADS;
    Grid grid = Grid.of(Arguments.blocks(stream, in.length(), LongTop.TILE, BLOCKS), threads);
    boolean aligned = Arguments.aligned(in);
    int tiles = Arguments.tiles(in, LongTop.TILE);
    long words = Totals.words(tiles, LongElements.WORDS);
    int first = 8 * Byte.SIZE - FIRST_DIGIT;
    try (GlobalLongs counts = stream.allocateLongs(1L << FIRST_DIGIT);
        GlobalLongs state = stream.allocateLongs(TopState.WORDS);
        GlobalLongs totals = stream.allocateLongs(words);
        GlobalLongs candidates = stream.allocateLongs(most);
        GlobalLongs candidatePlaces = stream.allocateLongs(most);
        GlobalLongs taken = stream.allocateLongs(count);
        GlobalLongs takenPlaces = stream.allocateLongs(count)) {
      stream.fill(counts, 0);
      // Nothing reads them before the first digit is known, but they are arguments.
      stream.fill(state, 0);
      stream.launch(
          grid, LongTop::count, in, candidates, counts, state, first, FIRST_DIGIT, order, aligned);
      choose(stream, counts, state, FIRST_DIGIT, count);
      stream.fill(totals, 0);
      stream.launch(
          grid,
          LongTop::part,
          in,
          taken,
          takenPlaces,
          candidates,
          candidatePlaces,
          state,
          totals,
          first,
          order,
          aligned);
      int shift = first;
      while (shift > 0) {
        int digit = Math.min(DIGIT, shift);
        shift -= digit;
        stream.launch(
            grid, LongTop::count, in, candidates, counts, state, shift, digit, order, aligned);
        choose(stream, counts, state, digit, 0);
      }
      for (boolean equal : new boolean[] {false, true}) {
        stream.fill(totals, 0);
        stream.launch(
            grid,
            LongTop::gather,
            in,
            taken,
            takenPlaces,
            candidates,
            candidatePlaces,
            state,
            totals,
            first,
            order,
            equal);
      }
      return Sorting.pairs(
          stream, taken, out, takenPlaces, places, order ^ KeyOrder.DESCENDING, RadixSort.PORTION);
    }
  }

  private static void choose(
      Stream stream, GlobalLongs counts, GlobalLongs state, int digit, long all) {
    stream.launch(Grid.of(1, TopState.THREADS), TopState::choose, counts, state, digit, all);
  }
}
