package dev.stretto.bench.kernel;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/**
 * ChaCha20 (RFC 8439) over whole words.
 *
 * <p>A thread computes one block of key stream, 16 words. If it applied that block too, the threads
 * of a warp would access memory 64 bytes apart; so the warp exchanges its 32 blocks through shared
 * memory and processes them word by word, neighbouring threads on neighbouring words. No other warp
 * takes part: there is no block-wide barrier.
 */
final class ChaCha20 {
  static final int THREADS = 256;

  /** Of one ChaCha20 block. */
  static final int WORDS = 16;

  /** Odd, so that the 32 threads of a warp write to 32 banks. */
  private static final int STRIDE = WORDS + 1;

  private ChaCha20() {}

  /** The key's words come in pairs, the lower one in the lower half. */
  @Kernel(maxThreads = THREADS)
  static void chacha20(
      ThreadBlock block,
      GlobalInts src,
      GlobalInts dst,
      long words,
      long key01,
      long key23,
      long key45,
      long key67,
      int counter,
      int nonce0,
      int nonce1,
      int nonce2) {
    SharedInts exchange = block.sharedInts(THREADS * STRIDE);
    int lane = block.threadIndexX() & 31;
    int stream = (block.threadIndexX() >>> 5) * (32 * STRIDE);

    long number = (long) block.blockIndexX() * THREADS + block.threadIndexX();
    long first = (number - lane) * WORDS; // of this warp
    long left = words - first; // for this warp and those after it
    if (left <= 0) {
      return; // the whole warp together
    }
    int[] keyStream = {
      0x61707865,
      0x3320646e,
      0x79622d32,
      0x6b206574,
      (int) key01,
      (int) (key01 >>> 32),
      (int) key23,
      (int) (key23 >>> 32),
      (int) key45,
      (int) (key45 >>> 32),
      (int) key67,
      (int) (key67 >>> 32),
      counter + (int) number,
      nonce0,
      nonce1,
      nonce2
    };
    encipher(keyStream);
    for (int i = 0; i < WORDS; i++) {
      exchange.set(stream + lane * STRIDE + i, keyStream[i]);
    }
    block.warp().sync();

    if (left >= 32 * WORDS) {
      // All loads before the first store: src may be dst.
      int[] text = new int[WORDS];
      for (int i = 0; i < WORDS; i++) {
        text[i] = src.get(first + (i * 32 + lane));
      }
      for (int i = 0; i < WORDS; i++) {
        int word = i * 32 + lane;
        dst.set(first + word, text[i] ^ exchange.get(stream + place(word)));
      }
    } else {
      for (int word = lane; word < left; word += 32) {
        dst.set(first + word, src.get(first + word) ^ exchange.get(stream + place(word)));
      }
    }
  }

  /** Where a word of a warp's 32 blocks lies. */
  private static int place(int word) {
    return (word >>> 4) * STRIDE + (word & 15);
  }

  /** The block function of section 2.3. */
  static void encipher(int[] state) {
    int[] x = new int[WORDS];
    for (int i = 0; i < WORDS; i++) {
      x[i] = state[i];
    }
    for (int twoRounds = 0; twoRounds < 10; twoRounds++) {
      quarterRound(x, 0, 4, 8, 12);
      quarterRound(x, 1, 5, 9, 13);
      quarterRound(x, 2, 6, 10, 14);
      quarterRound(x, 3, 7, 11, 15);
      quarterRound(x, 0, 5, 10, 15);
      quarterRound(x, 1, 6, 11, 12);
      quarterRound(x, 2, 7, 8, 13);
      quarterRound(x, 3, 4, 9, 14);
    }
    for (int i = 0; i < WORDS; i++) {
      state[i] += x[i];
    }
  }

  private static void quarterRound(int[] x, int a, int b, int c, int d) {
    x[a] += x[b];
    x[d] = Integer.rotateLeft(x[d] ^ x[a], 16);
    x[c] += x[d];
    x[b] = Integer.rotateLeft(x[b] ^ x[c], 12);
    x[a] += x[b];
    x[d] = Integer.rotateLeft(x[d] ^ x[a], 8);
    x[c] += x[d];
    x[b] = Integer.rotateLeft(x[b] ^ x[c], 7);
  }
}
