package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The Java kernel, and the image that has it as its twin, on a virtual device. */
class ChaCha20KernelTest {
  private static final byte UNTOUCHED = 0x55;

  private static byte[] encrypt(
      boolean image, String key, String nonce, int counter, byte[] plain, boolean inPlace) {
    Secret secret = Secret.ofHex(key, nonce);
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalBytes all = device.allocateBytes(3 * 1024)) {
      GlobalBytes in = all.slice(0, plain.length);
      GlobalBytes out = inPlace ? in : all.slice(1024, plain.length);
      stream.fill(all, UNTOUCHED);
      stream.copy(plain, in);
      Cipher cipher = image ? Cipher.ofImage(secret) : Cipher.of(device, secret);
      Grid grid = Grid.covering((plain.length + 63) / 64, ChaCha20Kernel.THREADS);
      Launch launch = device.prepare(grid, cipher.kernel(), cipher.arguments(in, out));
      stream.launch(launch.set(cipher.counter(), counter));
      byte[] made = new byte[3 * 1024];
      stream.copy(all, made).await();
      int from = inPlace ? 0 : 1024;
      for (int i = from + plain.length; i < made.length; i++) {
        assertThat(made[i]).as("the byte at %d behind the end", i).isEqualTo(UNTOUCHED);
      }
      return Arrays.copyOfRange(made, from, from + plain.length);
    }
  }

  private static byte[] byTheJdk(String key, String nonce, int counter, byte[] plain)
      throws Exception {
    javax.crypto.Cipher cipher = javax.crypto.Cipher.getInstance("ChaCha20");
    cipher.init(
        javax.crypto.Cipher.ENCRYPT_MODE,
        new SecretKeySpec(HexFormat.of().parseHex(key), "ChaCha20"),
        new ChaCha20ParameterSpec(HexFormat.of().parseHex(nonce), counter));
    return cipher.doFinal(plain);
  }

  record Vector(String name, String key, String nonce, int counter, String plain, String cipher) {
    byte[] bytes() {
      return plain.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Vector> vectorsOfTheRfc() {
    return List.of(
        new Vector(
            "2.4.2",
            "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            "000000000000004a00000000",
            1,
            "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the"
                + " future, sunscreen would be it.",
            "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0b"
                + "f91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d8"
                + "07ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736"
                + "5af90bbf74a35be6b40b8eedf2785e42874d"),
        new Vector(
            "A.2 #1",
            "00".repeat(32),
            "00".repeat(12),
            0,
            "\0".repeat(64),
            "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
                + "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"),
        new Vector(
            "A.2 #3",
            "1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0",
            "000000000000000000000002",
            42,
            "'Twas brillig, and the slithy toves\nDid gyre and gimble in the wabe:\nAll mimsy"
                + " were the borogoves,\nAnd the mome raths outgrabe.",
            "62e6347f95ed87a45ffae7426f27a1df5fb69110044c0d73118effa95b01e5cf"
                + "166d3df2d721caf9b21e5fb14c616871fd84c54f9d65b283196c7fe4f60553eb"
                + "f39c6402c42234e32a356b3e764312a61a5532055716ead6962568f87d3f3f77"
                + "04c6a8d1bcd1bf4d50d6154b6da731b187b58dfd728afa36757a797ac188d1"));
  }

  @ParameterizedTest
  @MethodSource("vectorsOfTheRfc")
  void theKernelGivesTheVectorsOfTheRfc(Vector vector) {
    byte[] made = encrypt(false, vector.key, vector.nonce, vector.counter, vector.bytes(), true);
    assertThat(HexFormat.of().formatHex(made)).isEqualTo(vector.cipher);
  }

  @ParameterizedTest
  @MethodSource("vectorsOfTheRfc")
  void theTwinOfTheImageGivesTheVectorsOfTheRfc(Vector vector) {
    byte[] made = encrypt(true, vector.key, vector.nonce, vector.counter, vector.bytes(), true);
    assertThat(HexFormat.of().formatHex(made)).isEqualTo(vector.cipher);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {1, 3, 4, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 127, 128, 129, 1000})
  void anyNumberOfBytesIsEncryptedAndNoMore(int bytes) throws Exception {
    byte[] plain = new byte[bytes];
    new SplittableRandom(bytes).nextBytes(plain);
    String key = "f0e1d2c3b4a5968778695a4b3c2d1e0f".repeat(2);
    String nonce = "fffefdfcfbfaf9f8f7f6f5f4";
    byte[] expected = byTheJdk(key, nonce, 7, plain);
    for (boolean image : new boolean[] {false, true}) {
      assertThat(encrypt(image, key, nonce, 7, plain, false)).isEqualTo(expected);
      assertThat(encrypt(image, key, nonce, 7, plain, true)).isEqualTo(expected);
    }
  }

  @Test
  void theCounterWraps() throws Exception {
    byte[] plain = new byte[128];
    String key = "01".repeat(32);
    String nonce = "02".repeat(12);
    byte[] made = encrypt(false, key, nonce, -1, plain, true);
    assertThat(Arrays.copyOfRange(made, 0, 64)).isEqualTo(byTheJdk(key, nonce, -1, new byte[64]));
    assertThat(Arrays.copyOfRange(made, 64, 128)).isEqualTo(byTheJdk(key, nonce, 0, new byte[64]));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sm_80", "sm_90"})
  void theStateStaysInRegisters(String target) throws Exception {
    JsonNode explained =
        Ran.stretto(
                "explain",
                ChaCha20Kernel.class.getName() + "::chacha20",
                "--arch",
                target,
                "--json")
            .json();
    assumeTrue(explained.get("tool").asText().startsWith("ptxas"), "no ptxas here");
    assertThat(explained.get("stackBytes").asInt()).isZero();
    assertThat(explained.get("spillStoreBytes").asInt()).isZero();
    assertThat(explained.get("registers").asInt()).isLessThanOrEqualTo(40);
  }
}
