package dev.stretto.bench.turns;

import dev.stretto.kernels.attention.Attention;
import dev.stretto.kernels.attention.AttentionShape;
import dev.stretto.kernels.attention.TokenOrder;
import dev.stretto.memory.Bfloat;
import java.util.Arrays;

/**
 * Attention that is asked for. As many queries as keys.
 *
 * @param batches how many, or how many sequences
 * @param heads of queries
 * @param keyHeads of keys and values
 * @param tokens of a batch, or of the longest sequence
 * @param dim numbers of a row of a head
 * @param causal whether later keys are hidden
 * @param format the numbers
 * @param window how many keys before its own place a query sees
 * @param packed whether sequences have their own lengths and follow each other
 */
record AttentionForm(
    int batches,
    int heads,
    int keyHeads,
    int tokens,
    int dim,
    boolean causal,
    Format format,
    int window,
    boolean packed) {
  /** The numbers. */
  enum Format {
    BF16,
    FP16,
    /** E4M3, with a factor for each 128 rows; the result is bfloat16. */
    FP8
  }

  /** Rows that share a factor. */
  static final int BLOCK = 128;

  /**
   * {@return what a request's words say} {@code BATCHES HEADS TOKENS DIM full|causal
   * [bf16|fp16|fp8] [group=N] [window=N] [packed]}
   *
   * @throws IllegalArgumentException if they say something else
   */
  static AttentionForm of(String... words) {
    if (words.length < 5) {
      throw new IllegalArgumentException(
          "BATCHES HEADS TOKENS DIM full|causal, not " + String.join(" ", words));
    }
    int heads = Integer.parseInt(words[1]);
    Format format = Format.BF16;
    int group = 1;
    int window = Integer.MAX_VALUE;
    boolean packed = false;
    for (String word : Arrays.asList(words).subList(5, words.length)) {
      switch (word.replaceFirst("=.*", "")) {
        case "bf16" -> format = Format.BF16;
        case "fp16" -> format = Format.FP16;
        case "fp8" -> format = Format.FP8;
        case "group" -> group = number(word);
        case "window" -> window = number(word);
        case "packed" -> packed = true;
        default ->
            throw new IllegalArgumentException(
                "bf16, fp16, fp8, group=N, window=N or packed, not " + word);
      }
    }
    if (!words[4].equals("full") && !words[4].equals("causal")) {
      throw new IllegalArgumentException("full or causal, not " + words[4]);
    }
    if (packed && format == Format.FP8) {
      throw new IllegalArgumentException("sequences of their own lengths are bf16 or fp16");
    }
    return new AttentionForm(
        Integer.parseInt(words[0]),
        heads,
        heads / group,
        Integer.parseInt(words[2]),
        Integer.parseInt(words[3]),
        words[4].equals("causal"),
        format,
        window,
        packed);
  }

  private static int number(String word) {
    return Integer.parseInt(word.substring(word.indexOf('=') + 1));
  }

  AttentionShape shape() {
    return new AttentionShape(batches, heads, keyHeads, tokens, tokens, dim);
  }

  /** The library's attention. Tokens come first where sequences follow each other. */
  Attention attention() {
    Attention attention = Attention.of(shape()).window(window, causal ? 0 : Integer.MAX_VALUE);
    return packed ? attention.order(TokenOrder.TOKENS_FIRST) : attention;
  }

  /**
   * {@return where each sequence begins among all tokens, and where the last one ends} They are
   * longer and shorter in turns, and half as long as the longest one on average.
   */
  int[] starts() {
    int[] starts = new int[batches + 1];
    for (int i = 0; i < batches; i++) {
      int length = packed ? tokens * (2 * (5 * i % batches) + 1) / (2 * batches) : tokens;
      starts[i + 1] = starts[i] + length;
    }
    return starts;
  }

  int allTokens() {
    return starts()[batches];
  }

  int elements(int ofHeads) {
    return Math.multiplyExact(Math.multiplyExact(allTokens(), ofHeads), dim);
  }

  /** The first number of a row. */
  int row(int sequence, int ofHeads, int head, int token) {
    int start = starts()[sequence];
    int place = packed ? (start + token) * ofHeads + head : start * ofHeads + head * tokens + token;
    return place * dim;
  }

  /** How many factors an array has, and as many for each head. */
  int factors(int ofHeads) {
    return batches * ofHeads * Math.ceilDiv(tokens, BLOCK);
  }

  short bits(float value) {
    return format == Format.FP16 ? Float.floatToFloat16(value) : Bfloat.of(value);
  }

  double value(short bits) {
    return format == Format.FP16 ? Float.float16ToFloat(bits) : Bfloat.toFloat(bits);
  }

  /** How far a result may be off, where the greatest of values is this. */
  double tolerance(double greatest) {
    return switch (format) {
      case BF16 -> greatest * 0x1p-7;
      case FP16 -> greatest * 0x1p-10;
      case FP8 -> greatest * 0x1p-5; // a weight has four bits
    };
  }
}
