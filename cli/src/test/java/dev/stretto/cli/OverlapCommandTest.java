package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class OverlapCommandTest {
  private static final String KEY = "80".repeat(32);
  private static final String NONCE = "0102030405060708090a0b0c";

  @TempDir private Path folder;

  private Path file(int bytes) throws Exception {
    byte[] content = new byte[bytes];
    new SplittableRandom(bytes).nextBytes(content);
    return Files.write(folder.resolve("plain"), content);
  }

  private static byte[] byTheJdk(Path file, String key, String nonce) throws Exception {
    return Secret.ofHex(key, nonce).jdkCipher(0).doFinal(Files.readAllBytes(file));
  }

  private List<String> filesLeft() throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void encryptsTheExampleOfTheRfc(Mode mode) throws Exception {
    Path file = folder.resolve("plain");
    Files.writeString(
        file,
        "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the"
            + " future, sunscreen would be it.");
    Path out = folder.resolve("cipher");
    Ran ran =
        Ran.stretto(
            "overlap",
            file.toString(),
            "--out",
            out.toString(),
            "--mode",
            mode.word(),
            "--device",
            "virtual");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.exitCode()).isZero();
    assertThat(HexFormat.of().formatHex(Files.readAllBytes(out)))
        .isEqualTo(
            "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0b"
                + "f91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d8"
                + "07ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736"
                + "5af90bbf74a35be6b40b8eedf2785e42874d");
  }

  @ParameterizedTest
  @CsvSource({
    "sync, 1",
    "sync, 64",
    "sync, 65",
    "sync, 1000000",
    "pageable, 63",
    "pageable, 131072",
    "pageable, 1000001",
    "pinned, 16384",
    "pinned, 16385",
    "pinned, 1000002",
    "overlap, 1",
    "overlap, 64",
    "overlap, 65536",
    "overlap, 65537",
    "overlap, 3000003"
  })
  void leavesWhatTheJdkWouldMakeOfIt(String mode, int bytes) throws Exception {
    Path file = file(bytes);
    Path out = folder.resolve("cipher");
    Ran ran =
        Ran.stretto(
            "overlap",
            file.toString(),
            "--out",
            out.toString(),
            "--mode",
            mode,
            "--chunk",
            "64K",
            "--key",
            KEY,
            "--nonce",
            NONCE,
            "--device",
            "virtual");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.exitCode()).isZero();
    assertThat(Files.readAllBytes(out)).isEqualTo(byTheJdk(file, KEY, NONCE));
    assertThat(filesLeft()).containsExactly("cipher", "plain");
  }

  @Test
  void encryptsWithTheImageTooWhichIsHidden() throws Exception {
    Path file = file(70_001);
    Path out = folder.resolve("cipher");
    Ran ran =
        Ran.stretto(
            "overlap", file.toString(), "--out", out.toString(), "--image", "--device", "virtual");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.exitCode()).isZero();
    assertThat(Files.readAllBytes(out))
        .isEqualTo(byTheJdk(file, Secret.EXAMPLE_KEY, Secret.EXAMPLE_NONCE));
    assertThat(Ran.stretto("overlap", "--help").out()).doesNotContain("--image");
  }

  @ParameterizedTest
  @ValueSource(strings = {"virtual", "virtual:a100", "virtual:h200,seed=7", "virtual:engines=1"})
  void runsAllModesInTheirOrderOnAnyVirtualDevice(String device) throws Exception {
    Path file = file(2_000_000);
    Ran ran =
        Ran.stretto("overlap", file.toString(), "--json", "--chunk", "256k", "--device", device);
    assertThat(ran.err()).isEmpty();
    assertThat(ran.exitCode()).isZero();
    JsonNode modes = ran.json().get("modes");
    assertThat(modes.findValuesAsText("mode"))
        .containsExactly("sync", "pageable", "pinned", "overlap");
    assertThat(modes.findValuesAsText("verified")).containsOnly("true");
    assertThat(filesLeft()).containsExactly("plain");
  }

  @Test
  void jsonHasExactlyTheFieldsThatArePromised() throws Exception {
    Ran ran = Ran.stretto("overlap", file(1 << 20).toString(), "--json", "--device", "virtual");
    assertThat(ran.out().lines()).hasSize(1);
    JsonNode root = ran.json();
    assertThat(names(root)).containsExactly("device", "bytes", "modes");
    assertThat(names(root.get("device"))).containsExactly("name", "driver", "reason");
    assertThat(root.get("device").get("driver").asText()).isEqualTo("virtual");
    assertThat(root.get("device").get("reason").asText()).contains("virtual was asked for");
    assertThat(root.get("bytes").asLong()).isEqualTo(1 << 20);
    for (JsonNode mode : root.get("modes")) {
      assertThat(names(mode))
          .startsWith(
              "mode",
              "seconds",
              "gigabytesPerSecond",
              "copySeconds",
              "kernelSeconds",
              "overlap",
              "toDeviceBusy",
              "toHostBusy",
              "wallSeconds",
              "verified")
          .hasSize(mode.get("mode").asText().equals("overlap") ? 13 : 10);
      for (JsonNode part : mode.withArray("parts")) {
        assertThat(names(part)).containsExactly("part", "by", "gigabytesPerSecond", "busy");
      }
      if (mode.has("boundBy")) {
        assertAlone(mode);
      }
      double seconds = mode.get("seconds").asDouble();
      assertThat(seconds).isPositive();
      assertThat(mode.get("gigabytesPerSecond").asDouble()).isEqualTo((1 << 20) / seconds / 1e9);
      assertThat(mode.get("copySeconds").asDouble()).isPositive().isLessThanOrEqualTo(seconds);
      assertThat(mode.get("kernelSeconds").asDouble()).isPositive().isLessThanOrEqualTo(seconds);
      assertThat(mode.get("overlap").asDouble()).isBetween(0.0, 1.0);
      assertThat(mode.get("toDeviceBusy").asDouble()).isGreaterThan(0).isLessThanOrEqualTo(1);
      assertThat(mode.get("toHostBusy").asDouble()).isGreaterThan(0).isLessThanOrEqualTo(1);
      assertThat(mode.get("wallSeconds").asDouble()).isPositive();
    }
  }

  /** The model has one rate for a part, whether other parts run beside it or not. */
  private static void assertAlone(JsonNode mode) {
    for (JsonNode part : mode.withArray("parts")) {
      if (part.get("part").equals(mode.get("boundBy"))) {
        double rate = part.get("gigabytesPerSecond").asDouble();
        assertThat(mode.get("aloneGigabytesPerSecond").asDouble())
            .isCloseTo(rate, Percentage.withPercentage(10));
      }
    }
  }

  private static List<String> names(JsonNode node) {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void stepByStepNothingOverlapsAndTheFlowIsFaster() throws Exception {
    Path file = file(24 << 20);
    JsonNode modes =
        Ran.stretto("overlap", file.toString(), "--json", "--chunk", "1M", "--device", "virtual")
            .json()
            .get("modes");
    for (int i = 0; i < 3; i++) {
      assertThat(modes.get(i).get("overlap").asDouble()).isZero();
    }
    assertThat(modes.get(3).get("overlap").asDouble()).isPositive();
    assertThat(modes.get(3).get("seconds").asDouble())
        .isLessThan(modes.get(0).get("seconds").asDouble());
  }

  @Test
  void printsTableTimelineSpeedUpDeviceAndReason() throws Exception {
    Ran ran =
        Ran.stretto("overlap", file(8 << 20).toString(), "--device", "virtual:a100", "--details");
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out())
        .contains("NVIDIA A100-SXM4-80GB (virtual)")
        .contains("virtual:a100 was asked for")
        .containsPattern("(?m)^mode +GB/s +time +copy +kernel +overlap +wall +speed-up$")
        .containsPattern("(?m)^sync .* 1\\.00 ×  ✓$")
        .containsPattern("(?m)^overlap .* ✓$")
        .containsPattern("(?m)^stream 1 +>+#")
        .containsPattern("(?m)^H2D engine +>+")
        .containsPattern("(?m)^kernels +#+")
        .containsPattern("(?m)^D2H engine +<+")
        .containsPattern("(?m)^overlap is [0-9.]+ times as fast as sync\\.$");
    assertThat(ran.out().lines())
        .filteredOn(line -> !line.contains(folder.toString()))
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
  }

  @Test
  void fitsOnOneScreenUnlessDetailsAreAskedFor() throws Exception {
    for (List<String> more : List.of(List.<String>of(), List.of(file(8 << 20).toString()))) {
      List<String> arguments = new ArrayList<>(List.of("overlap", "--device", "virtual"));
      arguments.addAll(more);
      Ran ran = Ran.stretto(arguments.toArray(String[]::new));
      assertThat(ran.exitCode()).isZero();
      // 24 lines, of which the last one is for the next command.
      assertThat(ran.out().lines()).hasSizeLessThanOrEqualTo(23);
      assertThat(ran.out().lines())
          .filteredOn(line -> !line.contains(folder.toString()))
          .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
      assertThat(ran.out())
          .contains("virtual was asked for")
          .contains("--details")
          .containsPattern("(?m)^mode +GB/s +time +overlap +speed-up$")
          .containsPattern("(?m)^sync .* 1\\.00 ×  ✓$")
          .containsPattern("(?m)^H2D engine +>+")
          .containsPattern("(?m)^D2H engine +<+")
          .containsPattern("(?m)^overlap is [0-9.]+ times as fast as sync\\.$")
          .doesNotContain("stream 1");
      assertThat(ran.out().contains("Bound by ")).isEqualTo(!more.isEmpty());
    }
  }

  @Test
  void oneModeIsDrawnOnce() throws Exception {
    Ran ran = Ran.stretto("overlap", "--device", "virtual", "--mode", "pinned");
    assertThat(ran.out().lines().filter(line -> line.startsWith("H2D engine"))).hasSize(1);
    assertThat(ran.out()).doesNotContain("times as fast");
  }

  @Test
  void printsNothingThatTheOutputCannotShow() throws Exception {
    Ran ran =
        Ran.stretto(
            StandardCharsets.US_ASCII, "overlap", file(100).toString(), "--device", "virtual");
    assertThat(ran.out().replace(folder.toString(), "")).doesNotContain("?");
  }

  @Test
  void withoutAFileTakesRandomBytes() throws Exception {
    Ran ran = Ran.stretto("overlap", "--json", "--mode", "overlap", "--device", "virtual");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.json().get("bytes").asLong()).isEqualTo(256L << 20);
    assertThat(ran.exitCode()).isZero();
  }

  @Test
  void bytesInMemoryOverlapFromTheFirstChunkToTheLast() throws Exception {
    JsonNode modes =
        Ran.stretto("overlap", "--json", "--device", "virtual:h200").json().get("modes");
    assertThat(modes.findValuesAsText("verified")).containsOnly("true").hasSize(4);
    double sync = modes.get(0).get("seconds").asDouble();
    assertThat(modes.get(2).get("seconds").asDouble()).isLessThan(sync / 3);
    assertThat(modes.get(3).get("seconds").asDouble()).isLessThan(sync / 7);
    assertThat(modes.get(3).get("overlap").asDouble()).isGreaterThan(0.8);
  }

  @Test
  void whatRandomBytesBecomeIsWritten() throws Exception {
    Path out = folder.resolve("cipher");
    Ran ran =
        Ran.stretto("overlap", "--mode", "pinned", "--out", out.toString(), "--device", "virtual");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.exitCode()).isZero();
    assertThat(Files.size(out)).isEqualTo(256L << 20);
    assertThat(Files.mismatch(out, Files.write(folder.resolve("zeros"), new byte[1]))).isZero();
    assertThat(filesLeft()).containsExactly("cipher", "zeros");
  }

  @Test
  void modesRunInTheirOrderAndOnce() throws Exception {
    Ran ran =
        Ran.stretto(
            "overlap",
            file(1000).toString(),
            "--json",
            "--device",
            "virtual",
            "--mode",
            "overlap,pinned",
            "--mode",
            "PINNED");
    assertThat(ran.json().get("modes").findValuesAsText("mode"))
        .containsExactly("pinned", "overlap");
  }

  @Test
  void replacesTheOutputThatALinkNames() throws Exception {
    Path file = file(1000);
    Path target = Files.writeString(folder.resolve("target"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link"), target);
    Ran ran =
        Ran.stretto(
            "overlap",
            file.toString(),
            "--out",
            link.toString(),
            "--mode",
            "sync",
            "--device",
            "virtual",
            "--key",
            KEY,
            "--nonce",
            NONCE);
    assertThat(ran.exitCode()).isZero();
    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(Files.readAllBytes(target)).isEqualTo(byTheJdk(file, KEY, NONCE));
  }

  @Test
  void writesThePageOfTheTimeline() throws Exception {
    Path html = folder.resolve("timeline.html");
    Ran ran =
        Ran.stretto(
            "overlap", file(1 << 20).toString(), "--html", html.toString(), "--device", "virtual");
    assertThat(ran.exitCode()).isZero();
    assertThat(Files.readString(html))
        .contains("\"name\":\"sync\"")
        .contains("\"name\":\"overlap\"")
        .contains("ChaCha20 over 1 MiB");
    assertThat(filesLeft()).containsExactly("plain", "timeline.html");
  }
}
