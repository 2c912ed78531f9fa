package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VerificationTest {
  /** More than two of the pieces that are checked at the same time. */
  private static final int BYTES = (17 << 20) + 5;

  private static final Secret SECRET = Secret.ofHex(Secret.EXAMPLE_KEY, Secret.EXAMPLE_NONCE);

  @TempDir private Path folder;
  private InputFile input;
  private Path output;
  private byte[] right;

  @BeforeEach
  void encrypt() throws Exception {
    byte[] plain = new byte[BYTES];
    new SplittableRandom(1).nextBytes(plain);
    input = InputFile.of(Files.write(folder.resolve("plain"), plain));
    right = SECRET.jdkCipher(0).doFinal(plain);
    output = Files.write(folder.resolve("cipher"), right);
  }

  private OptionalLong firstDifference() {
    return Verification.firstDifference(input, output, SECRET);
  }

  @Test
  void findsNothingWrongWithWhatIsRight() {
    assertThat(firstDifference()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 65_535, 65_536, (8 << 20) - 1, 8 << 20, BYTES - 1})
  void findsASingleBit(int position) throws Exception {
    right[position] ^= 4;
    Files.write(output, right);
    assertThat(firstDifference()).hasValue(position);
  }

  @Test
  void findsTheFirstOfManyDifferences() throws Exception {
    for (int position = 9_000_000; position < BYTES; position += 1000) {
      right[position]++;
    }
    Files.write(output, right);
    assertThat(firstDifference()).hasValue(9_000_000);
  }

  @Test
  void findsThatTheEndIsMissing() throws Exception {
    Files.write(output, Arrays.copyOf(right, BYTES - 3));
    assertThat(firstDifference()).hasValue(BYTES - 3);
  }

  @Test
  void findsThatThereIsTooMuch() throws Exception {
    Files.write(output, Arrays.copyOf(right, BYTES + 1));
    assertThat(firstDifference()).hasValue(BYTES);
  }
}
