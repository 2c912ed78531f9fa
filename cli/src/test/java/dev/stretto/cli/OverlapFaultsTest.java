package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every fault is one clear line, the right exit code, and nothing left behind. */
class OverlapFaultsTest {
  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void writeFile() throws Exception {
    file = Files.write(folder.resolve("plain"), new byte[1000]);
  }

  private void fails(int exitCode, String why, String... arguments) throws Exception {
    List<String> before = files();
    Ran ran = Ran.stretto(arguments);
    assertThat(ran.err().lines()).hasSize(1);
    assertThat(ran.err()).startsWith("stretto: ").contains(why);
    assertThat(ran.exitCode()).isEqualTo(exitCode);
    assertThat(files()).isEqualTo(before);
    assertThat(Files.readAllBytes(file)).containsOnly(0).hasSize(1000);
  }

  private List<String> files() throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--frob                | Unknown option: '--frob'",
        "--chunk 100           | a multiple of 64",
        "--chunk 0             | a multiple of 64",
        "--chunk many          | 'many' is not a number of bytes",
        "--chunk 999999999999G | too many bytes",
        "--depth 0             | must be 1 to 64",
        "--depth 65            | must be 1 to 64",
        "--depth deep          | --depth",
        "--mode fast           | 'fast' is not a mode: use sync, pageable, pinned or overlap",
        "--key 00              | --key has 2 hexadecimal digits; ChaCha20 takes 64",
        "--nonce 00            | --nonce has 2 hexadecimal digits; ChaCha20 takes 24",
        "--nonce 00000000000000000000000g | --nonce is not hexadecimal",
        "--device gpu          | 'gpu' names no device",
        "--device virtual:b300 | 'b300' is not a legal word",
        "--device virtual:h200x2 | names 2 devices",
        "one two               | Unmatched argument",
      })
  void aWrongCommandLineExitsWith2(String options, String why) throws Exception {
    Stream<String> arguments = Stream.of("overlap");
    boolean otherFile = options.startsWith("one");
    arguments = otherFile ? arguments : Stream.concat(arguments, Stream.of(file.toString()));
    arguments = Stream.concat(arguments, Stream.of(options.split(" ")));
    fails(2, why, arguments.toArray(String[]::new));
  }

  @Test
  void noCommandAndNoSuchCommandExitWith2() throws Exception {
    fails(2, "no command given");
    fails(2, "'frob'", "frob");
  }

  @Test
  void chunksTooSmallForTheFileExitWith2() throws Exception {
    Path large = folder.resolve("large");
    makeSparse(large, 1L << 30);
    fails(2, "--chunk must be 16384 or more", "overlap", large.toString(), "--chunk", "64");
  }

  private static void makeSparse(Path path, long bytes) throws Exception {
    try (RandomAccessFile empty = new RandomAccessFile(path.toFile(), "rw")) {
      empty.setLength(bytes);
    }
  }

  @Test
  void aFileThatIsNotThere() throws Exception {
    fails(1, "missing does not exist", "overlap", folder.resolve("missing").toString());
  }

  @Test
  void anEmptyFile() throws Exception {
    Path empty = Files.createFile(folder.resolve("empty"));
    fails(1, "empty is empty", "overlap", empty.toString());
  }

  @Test
  void whatIsNoFile() throws Exception {
    fails(1, "is not a regular file", "overlap", folder.toString());
  }

  @Test
  void aFileThatIsTooLargeForOneNonce() throws Exception {
    Path huge = folder.resolve("huge");
    makeSparse(huge, 256L << 30);
    fails(1, "its counter has 32 bits", "overlap", huge.toString());
  }

  @Test
  void anOutputThatIsTheInput() throws Exception {
    fails(1, "are the same file", "overlap", file.toString(), "--out", file.toString());
    Path symbolic = Files.createSymbolicLink(folder.resolve("symbolic"), file);
    fails(1, "are the same file", "overlap", file.toString(), "--out", symbolic.toString());
    fails(1, "are the same file", "overlap", symbolic.toString(), "--out", file.toString());
    Path hard = Files.createLink(folder.resolve("hard"), file);
    fails(1, "are the same file", "overlap", file.toString(), "--out", hard.toString());
    fails(1, "are the same file", "overlap", file.toString(), "--trace", hard.toString());
  }

  @Test
  void twoOutputsThatAreOne() throws Exception {
    String out = folder.resolve("out").toString();
    fails(1, "are the same file", "overlap", file.toString(), "--out", out, "--trace", out);
  }

  @Test
  void anOutputThatCannotBeWritten() throws Exception {
    String missing = folder.resolve("missing").resolve("out").toString();
    fails(1, "cannot be written", "overlap", file.toString(), "--out", missing);
    fails(1, "cannot be written", "overlap", file.toString(), "--trace", missing);
    fails(1, "cannot be written", "overlap", file.toString(), "--html", missing);
    String below = file.resolve("out").toString();
    fails(1, "cannot be written", "overlap", file.toString(), "--out", below);
    fails(1, "not a regular file", "overlap", file.toString(), "--out", folder.toString());
    fails(1, "is a folder", "overlap", file.toString(), "--trace", folder.toString());
  }

  @Test
  void anOutputThatIsFull() throws Exception {
    assumeTrue(Files.exists(Path.of("/dev/full")));
    fails(1, "not a regular file", "overlap", file.toString(), "--out", "/dev/full");
    for (String option : List.of("--trace", "--html")) {
      fails(
          1,
          "/dev/full cannot be written: No space left on device",
          "overlap",
          file.toString(),
          option,
          "/dev/full",
          "--device",
          "virtual");
    }
  }

  @Test
  void noSuchDevice() throws Exception {
    fails(1, "cuda:99", "overlap", file.toString(), "--device", "cuda:99");
  }

  @Test
  void tooLittleMemory() throws Exception {
    String out = folder.resolve("out").toString();
    fails(
        1,
        "bytes are requested",
        "overlap",
        file.toString(),
        "--device",
        "virtual:memory=100",
        "--out",
        out);
    fails(
        1,
        "may still be pinned",
        "overlap",
        file.toString(),
        "--device",
        "virtual:pinned=100",
        "--out",
        out);
  }

  @Test
  void verboseShowsWhereItComesFrom() {
    Ran ran = Ran.stretto("overlap", folder.resolve("missing").toString(), "--verbose");
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.err()).contains("does not exist").contains("at dev.stretto.cli.InputFile.of");
  }
}
