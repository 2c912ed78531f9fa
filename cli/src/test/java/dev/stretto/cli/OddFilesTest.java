package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pipes, devices, folders and files with modes, where a command takes a file's name. */
@Timeout(60)
class OddFilesTest {
  private static final String KERNEL = ExplainedKernels.class.getName() + "::scale";

  @TempDir private Path folder;
  private Path plain;
  private Path pipe;

  @BeforeEach
  void make() throws IOException, InterruptedException {
    plain = Files.write(folder.resolve("plain"), new byte[1000]);
    pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
  }

  private Ran overlap(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of("overlap", plain.toString(), "--mode", "sync", "--device", "virtual"));
    arguments.addAll(List.of(more));
    return Ran.stretto(arguments.toArray(String[]::new));
  }

  private static void refused(Ran ran, int exitCode, String why) {
    assertThat(ran.err()).startsWith("stretto: ").contains(why).hasLineCount(1);
    assertThat(ran.exitCode()).isEqualTo(exitCode);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  // --- what is written
  // ----------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({
    "--out, rw-------",
    "--out, rw-rw-rw-",
    "--out, rwxr-x---",
    "--trace, rw-------",
    "--html, rw-------"
  })
  void aFileThatIsReplacedKeepsItsMode(String option, String mode) throws IOException {
    Path target = Files.writeString(folder.resolve("target"), "old");
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString(mode));
    assertThat(overlap(option, target.toString()).exitCode()).isZero();
    assertThat(mode(target)).isEqualTo(mode);
    assertThat(Files.size(target)).isGreaterThan(3);
    assertThat(names()).containsExactly("pipe", "plain", "target");
  }

  @Test
  void theReportOfACheckKeepsItsModeToo() throws IOException {
    Path target = Files.writeString(folder.resolve("target"), "old");
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-------"));
    assertThat(Ran.stretto("check", "--report", target.toString(), "--", "true").exitCode())
        .isZero();
    assertThat(mode(target)).isEqualTo("rw-------");
    assertThat(target).content().contains("opened no device");
    assertThat(names()).containsExactly("pipe", "plain", "target");
  }

  @Test
  void aReportThatCannotBeWrittenIsRefusedBeforeTheCommandRuns() throws IOException {
    Path mark = folder.resolve("mark");
    Ran ran = Ran.stretto("check", "--report", folder.toString(), "--", "touch", mark.toString());
    refused(ran, 1, "--report " + folder + " is a folder");
    assertThat(mark).doesNotExist();
    Path nowhere = folder.resolve("none/report");
    refused(
        Ran.stretto("check", "--report", nowhere.toString(), "--", "touch", mark.toString()),
        1,
        "no such file or folder");
    assertThat(mark).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--trace", "--html"})
  void aPipeThatNobodyReadsIsNotWaitedFor(String option) {
    refused(overlap(option, pipe.toString()), 1, "cannot be written: Broken pipe");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--trace", "--html"})
  void aPipeThatSomebodyReadsIsWritten(String option) throws Exception {
    FutureTask<String> read =
        new FutureTask<>(
            () -> {
              try (BufferedReader reader = Files.newBufferedReader(pipe)) {
                return reader.readAllAsString();
              }
            });
    Thread.ofPlatform().daemon().start(read);
    // A reader that has opened the pipe is what a shell's >(cat) is from the beginning.
    try (OutputStream first = Files.newOutputStream(pipe)) {
      Ran ran = overlap(option, pipe.toString());
      assertThat(ran.err()).isEmpty();
      assertThat(ran.exitCode()).isZero();
    }
    assertThat(read.get(30, TimeUnit.SECONDS)).contains("sync");
  }

  @Test
  void aFullDiskIsAFault() {
    refused(overlap("--trace", "/dev/full"), 1, "/dev/full cannot be written: No space left");
    refused(overlap("--out", "/dev/full"), 1, "--out /dev/full is not a regular file");
    refused(
        Ran.stretto("check", "--report", "/dev/full", "--", "true"), 1, "No space left on device");
  }

  @Test
  void aFolderOrAPipeIsNoOutput() {
    refused(overlap("--out", folder.toString()), 1, "is not a regular file");
    refused(overlap("--out", pipe.toString()), 1, "is not a regular file");
    refused(overlap("--trace", folder.toString()), 1, "is a folder");
    refused(overlap("--out", plain + "/below"), 1, "--out " + plain + "/below cannot be written");
  }

  // --- what is read
  // -------------------------------------------------------------------------------

  @Test
  void onlyRegularFilesAreEncrypted() {
    for (String odd : List.of(pipe.toString(), folder.toString(), "/dev/zero", "/dev/null")) {
      refused(Ran.stretto("overlap", odd, "--device", "virtual"), 1, "is not a regular file");
    }
    refused(
        Ran.stretto("overlap", "/proc/self/status", "--device", "virtual"),
        1,
        "nothing to encrypt");
  }

  @Test
  void onlyFoldersAndFilesAreClassPaths() {
    for (String odd : List.of(pipe.toString(), "/dev/zero", "/dev/full")) {
      Ran ran = Ran.stretto("explain", "-cp", odd, KERNEL);
      refused(ran, 2, "--classpath: " + odd + " is neither a folder nor a file");
      refused(Ran.stretto("explain", "--source", odd, KERNEL), 2, "is neither a folder nor a file");
    }
  }

  @Test
  void onlyRegularFilesAreClasses() throws Exception {
    Path classes = Files.createDirectories(folder.resolve("classes/a"));
    Path file = classes.resolve("K.class");
    assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
    String path = classes.getParent().toString();
    refused(Ran.stretto("explain", "-cp", path, "a.K::run"), 1, "K.class is not a regular file");
    Files.delete(file);
    Files.createSymbolicLink(file, Path.of("/dev/zero"));
    refused(Ran.stretto("explain", "-cp", path, "a.K::run"), 1, "K.class is not a regular file");
    Files.delete(file);
    Files.createDirectory(file);
    refused(Ran.stretto("explain", "-cp", path, "a.K::run"), 1, "K.class is not a regular file");
  }

  @Test
  void anArchiveOfFewBytesThatUnpackToVeryManyIsRefused() throws IOException {
    Path jar = folder.resolve("bomb.jar");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      zip.putNextEntry(new ZipEntry("a/K.class"));
      byte[] piece = new byte[1 << 20];
      for (int i = 0; i < 300; i++) {
        zip.write(piece);
      }
    }
    Ran ran = Ran.stretto("explain", "-cp", jar.toString(), "a.K::run");
    refused(ran, 1, "has more than 16777216 bytes, which no class file has");
  }

  @Test
  void aSourceInAnotherEncodingIsShownAllTheSame() throws IOException {
    Path source = folder.resolve("ExplainedKernels.java");
    Files.write(source, "\n// gr\u00f6\u00dfer\n".repeat(60).getBytes(StandardCharsets.ISO_8859_1));
    Ran ran = Ran.stretto("explain", KERNEL, "--source", source.toString());
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("// gr");
  }

  // --- words that are no files
  // --------------------------------------------------------------------

  @Test
  void anArgumentThatBeginsWithAnAtIsWhatItIs() throws IOException {
    Path arguments = Files.writeString(folder.resolve("arguments"), "--help");
    refused(Ran.stretto("overlap", "@" + arguments), 1, "@" + arguments + " does not exist");
    Path out = folder.resolve("out");
    String line = "printf %s \"$1\" >\"$2\"";
    Ran ran = Ran.stretto("check", "--", "sh", "-c", line, "sh", "@" + arguments, out.toString());
    assertThat(ran.exitCode()).isZero();
    assertThat(out).hasContent("@" + arguments);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "overlap --chunk 1024G | --chunk is 1099511627776 bytes; it must be 1073741824 (1 GiB)",
        "overlap --chunk 8589934591G | --chunk is 9223372035781033984 bytes; it must be",
        "overlap --chunk 99999999999999999999999G | is too many bytes",
        "overlap --chunk 9223372036854775808 | is too many bytes",
        "overlap --chunk 0 | it must be a multiple of 64",
        "overlap --depth 65 | it must be 1 to 64",
        "overlap --depth 99999999999 | --depth",
        "bandwidth --size 1024G | --size is 1099511627776 bytes; it must be 68719476736 (64 GiB)",
        "bandwidth --size 99999999999999G | is too many bytes",
        "bandwidth --device virtual --size 2G | (1 GiB) or less on virtual devices",
        "bandwidth --device virtual:memory=99999999999999999999 | is not a legal word",
        "bandwidth --device virtual:h200x9999 | has to be"
      })
  void aNumberThatIsTooLargeIsRefusedAtOnce(String line, String why) {
    refused(Ran.stretto(line.split(" ")), 2, why);
  }

  @Test
  void aChunkThatIsLargerThanTheFileTakesNoMoreThanTheFile() {
    Ran ran =
        Ran.stretto(
            "overlap", plain.toString(), "--chunk", "1G", "--depth", "64", "--device", "virtual");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.exitCode()).isZero();
  }
}
