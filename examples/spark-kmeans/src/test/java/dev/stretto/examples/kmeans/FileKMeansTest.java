package dev.stretto.examples.kmeans;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class FileKMeansTest {
  private static final String DEVICE = "virtual:h200,memory=268435456";

  @TempDir private Path folder;

  /** What a command has printed. */
  private record Said(int code, String out, String err) {}

  private static Said run(String line) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        FileKMeans.run(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            line.split(" ", -1));
    return new Said(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private String made() {
    Path file = folder.resolve("points");
    Said said = run("make --file " + file + " --gib 0.0001 --width 7 --clusters 5");
    assertThat(said.code()).as(said.err()).isZero();
    assertThat(said.out()).startsWith("3834 points of 7 floats");
    return file.toString();
  }

  private static float[] floats(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    float[] floats = new float[bytes.remaining() / Float.BYTES];
    bytes.asFloatBuffer().get(floats);
    return floats;
  }

  private static double[] doubles(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    double[] doubles = new double[bytes.remaining() / Double.BYTES];
    bytes.asDoubleBuffer().get(doubles);
    return doubles;
  }

  @Test
  void oneProcessAndTwoFindTheCentresOfTheHost() throws Exception {
    String file = made();
    Path one = folder.resolve("one");
    Path two = folder.resolve("two");
    String common =
        "run --file %s --width 7 --k 5 --iterations 3 --tolerance 0 --device %s --output "
            .formatted(file, DEVICE);
    Said alone = run(common + one);
    assertThat(alone.code()).as(alone.err()).isZero();
    assertThat(alone.out().lines().filter(each -> each.startsWith("iteration "))).hasSize(3);
    assertThat(alone.out()).contains("3 iterations, cost");
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      String meeting = " --size 2 --chunk-mib 1 --meeting " + folder.resolve("meeting");
      List<Future<Said>> ranks =
          List.of(
              threads.submit(() -> run(common + two + meeting + " --rank 0")),
              threads.submit(() -> run(common + two + meeting + " --rank 1")));
      for (Future<Said> rank : ranks) {
        assertThat(rank.get().code()).as(rank.get().err()).isZero();
      }
    }
    PointFiles files = PointFiles.local(7, List.of(file));
    Centres first = FirstCentres.of(7, files.spread(5), Opener.LOCAL);
    Centres centres = HostRun.of(floats(Path.of(file)), first, 3).centres();
    double[] wanted = centres.values();
    for (Path each : List.of(one, two)) {
      double[] found = doubles(each);
      assertThat(found).hasSameSizeAs(wanted);
      for (int i = 0; i < found.length; i++) {
        assertThat(Math.abs(found[i] - wanted[i])).isLessThan(1e-9);
      }
    }
  }

  /** One file, or three of which one is a single point; shares begin within pages. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "%1$s --passes 2",
        "%2$s,%3$s,%4$s",
        "%2$s,%3$s,%4$s --size 2 --chunk-mib 1",
        "%1$s --size 3"
      })
  void pinnedSharesGiveTheSameBits(String files) throws Exception {
    byte[] points = Arrays.copyOf(Files.readAllBytes(Path.of(made())), 28 * 1000);
    int[] cuts = {0, 1000, 0, 600, 600, 601, 601, 1000};
    Object[] names = new Object[4];
    for (int i = 0; i < names.length; i++) {
      byte[] part = Arrays.copyOfRange(points, 28 * cuts[2 * i], 28 * cuts[2 * i + 1]);
      names[i] = Files.write(folder.resolve("part" + i), part);
    }
    List<byte[]> centres = new ArrayList<>();
    for (String pin : List.of("", " --pin")) {
      Path output = folder.resolve("centres" + pin.strip());
      String line =
          "run --width 7 --k 5 --iterations 2 --tolerance 0 --device %s --output %s --file %s%s"
              .formatted(DEVICE, output, files.formatted(names), pin);
      Said said = line.contains("--size") ? together(line) : run(line);
      assertThat(said.code()).as(said.err()).isZero();
      assertThat(said.out().contains("pinned ")).isEqualTo(!pin.isEmpty());
      centres.add(Files.readAllBytes(output));
    }
    assertThat(centres.getLast()).isEqualTo(centres.getFirst());
  }

  /** Runs all ranks of a line, and returns what the first one said. */
  private Said together(String line) throws Exception {
    int size = line.contains("--size 2") ? 2 : 3;
    try (ExecutorService threads = Executors.newFixedThreadPool(size)) {
      List<Future<Said>> ranks = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        String one = line + " --meeting " + folder.resolve("meeting") + " --rank " + rank;
        ranks.add(threads.submit(() -> run(one)));
      }
      for (Future<Said> rank : ranks) {
        assertThat(rank.get().code()).as(rank.get().err()).isZero();
      }
      return ranks.getFirst().get();
    }
  }

  @Test
  void readingAPinnedShareSaysSo() {
    Said said =
        run("read --pin --file %s --width 7 --rounds 2 --device %s".formatted(made(), DEVICE));
    assertThat(said.code()).as(said.err()).isZero();
    assertThat(said.out().lines().skip(1).map(each -> each.split(" ", -1)[0]))
        .containsExactly("pinned", "read", "read");
  }

  @Test
  void aShareThatIsLargerThanMemoryIsNotPinned() throws IOException {
    Path large = folder.resolve("large");
    try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
      file.setLength(8L << 40); // which takes no place
    }
    Said said = run("read --pin --file %s --width 2 --device %s".formatted(large, DEVICE));
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err())
        .startsWith("--pin: the share of 8796093022208 bytes cannot be pinned: that is more than")
        .contains("leave --pin out")
        .hasLineCount(1);
  }

  @Test
  void readingAndIteratingTakeTurns() {
    Said said =
        run(
            "compare --file %s --width 7 --k 2 --rounds 2 --passes 2 --device %s"
                .formatted(made(), DEVICE));
    assertThat(said.code()).as(said.err()).isZero();
    assertThat(said.out().lines().skip(1).map(each -> each.split(" ", -1)[0]))
        .containsExactly(
            "kernels", "warm-read", "warm-iteration", "read", "iteration", "read", "iteration");
  }

  @Test
  void aDeviceIsChecked() {
    Said said = run("check --device " + DEVICE);
    assertThat(said.code()).as(said.err()).isZero();
    assertThat(said.out().lines()).hasSize(7).allMatch(each -> each.endsWith("right"));
  }

  @Test
  void aStrangePointIsNamedWithItsFile() throws IOException {
    Path good = Files.write(folder.resolve("good"), new byte[80]);
    byte[] bytes = new byte[80];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putFloat(36, Float.NaN);
    Path bad = Files.write(folder.resolve("bad"), bytes);
    Said said = run("run --file %s,%s --width 2 --k 1 --device %s".formatted(good, bad, DEVICE));
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err())
        .isEqualTo(
            "point 14 has NaN or an infinite coordinate: leave it out: record 4 of "
                + bad
                + System.lineSeparator());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fly|2|fly is no mode; there are make, read, run, compare and check",
        "run|2|--width is missing",
        "run --width|2|--width has no value",
        "run --width 0|2|--width 0: must be a number, 1 or more",
        "run --width 2 --file /none|1|/none does not exist",
        "run --width 2 --rank 1|2|--rank 1 of --size 1: ranks begin with 0",
        "read --pin yes|2|yes is no option; there are [--chunk-mib,",
        "read --pin|2|--width is missing",
        "check --pin|2|--pin is for read, run and compare",
        "make --pin --file /none/there --gib 1|2|--pin is for read, run and compare",
        "run --wide 2|2|--wide is no option; there are [--chunk-mib,",
        "make --file /none/there --gib 1e-9|1|/none/there"
      })
  void mistakesAreOneLine(String line, int code, String message) {
    Said said = run(line);
    assertThat(said.code()).isEqualTo(code);
    assertThat(said.err()).startsWith(message).hasLineCount(1);
  }
}
