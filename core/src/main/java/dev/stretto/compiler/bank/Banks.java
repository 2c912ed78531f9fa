package dev.stretto.compiler.bank;

import java.util.HashSet;
import java.util.Set;

/**
 * The banks of shared memory: 32, each as wide as a word of 4 bytes. In one pass each bank serves
 * one word, to all lanes that ask for it. Accesses of 8 bytes are served for each half of a warp,
 * those of 16 bytes for each quarter. CUDA C++ Programming Guide, "Shared Memory" of compute
 * capability 5.x, which holds up to 12.x.
 */
public final class Banks {
  /** Lanes of a warp. */
  static final int LANES = 32;

  private static final int BANKS = 32;
  private static final int WORD = 4;

  private Banks() {}

  /**
   * How long an access of a warp takes.
   *
   * @param all the passes that it takes
   * @param needed the passes that it would take without conflicts: one for each part of the warp
   *     that accesses anything
   * @param ways the most passes that one part takes
   */
  public record Passes(int all, int needed, int ways) {}

  /**
   * {@return the passes of one access}
   *
   * @param addresses where each lane's access begins, in bytes; a multiple of its size
   * @param active bit by bit, the lanes that take part
   * @param bytes the size of a lane's access: 1, 2, 4, 8 or 16
   */
  public static Passes passes(int[] addresses, int active, int bytes) {
    int part = Math.min(LANES, BANKS * WORD / bytes);
    int all = 0;
    int needed = 0;
    int ways = 0;
    for (int first = 0; first < LANES; first += part) {
      int most = most(addresses, active, bytes, first, part);
      all += most;
      needed += Math.min(most, 1);
      ways = Math.max(ways, most);
    }
    return new Passes(all, needed, ways);
  }

  /** The most words that lanes of one part want of one bank. */
  private static int most(int[] addresses, int active, int bytes, int first, int part) {
    Set<Integer> words = new HashSet<>();
    int[] wanted = new int[BANKS];
    int most = 0;
    for (int lane = first; lane < first + part; lane++) {
      if ((active >>> lane & 1) == 0) {
        continue;
      }
      int begin = Math.floorDiv(addresses[lane], WORD);
      int end = Math.floorDiv(addresses[lane] + bytes - 1, WORD);
      for (int word = begin; word <= end; word++) {
        if (words.add(word)) {
          most = Math.max(most, ++wanted[word & (BANKS - 1)]);
        }
      }
    }
    return most;
  }
}
