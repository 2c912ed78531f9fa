package dev.stretto.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WordsTest {
  @Test
  void theCipherOfSeveralSlicesGoesOnWhereTheLastEnded() {
    // Key stream of RFC 8439, section 2.4.2, first block: 22 4f 51 f3 40 1b d9 e1, …
    long[] keyStream = Words.enciphered(new long[(1 << 20) / Long.BYTES + 8]);
    assertThat(keyStream[0]).isEqualTo(0xe1d91b40f3514f22L);
    assertThat(keyStream).doesNotHaveDuplicates();
    assertThat(Words.enciphered(Words.enciphered(Words.pattern(100, 3))))
        .isEqualTo(Words.pattern(100, 3));
  }

  @Test
  void oneWrongBitIsFoundWhereverItIs() {
    long[] expected = Words.pattern(300_000, 1);
    for (int at : new int[] {0, 131_071, 131_072, 299_999}) {
      long[] actual = expected.clone();
      actual[at] ^= 1L << 63;
      assertThatThrownBy(() -> Words.requireSame(expected, actual))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("word " + at + " is ");
    }
    assertThatCode(() -> Words.requireSame(expected, expected.clone())).doesNotThrowAnyException();
  }

  @Test
  void wipingLeavesNothing() {
    long[] words = Words.pattern(300_000, 1);
    Words.wipe(words);
    assertThat(words).containsOnly(-1);
  }
}
