package dev.stretto.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a trace and a check tell of an example agrees with what the example itself prints. */
class TracedExamplesTest {
  private static final Pattern SPAN =
      Pattern.compile(
          "\"ph\":\"X\",\"cat\":\"(gpu_\\w+|kernel)\",\"name\":\"([^\"]*)\".*\"ts\":([\\d.]+),"
              + "\"dur\":([\\d.]+),\"args\":\\{.*\"stream\":(\\d+),\"engine\":\"([^\"]*)\"(.*)");
  private static final Pattern ROUTE = Pattern.compile("\"route\":\"(\\w+)\"");
  private static final Pattern FINDING = Pattern.compile("^(\\w+) at .*\\(\\w+\\.java:(\\d+)\\)$");

  /** What the trace's marks between an example's own events and its operation take, in µs. */
  private static final double MARK = 0.7;

  @TempDir Path folder;

  /** An operation on the device. Times are in microseconds. */
  private record Operation(String name, double micros, String stream, String engine, String route) {
    static Operation of(MatchResult span) {
      MatchResult route = ROUTE.matcher(span.group(7)).results().findFirst().orElse(null);
      return new Operation(
          span.group(2),
          Double.parseDouble(span.group(4)),
          "stream " + span.group(5),
          span.group(6),
          route == null ? "" : route.group(1));
    }

    boolean took(double other, double tolerance) {
      return Math.abs(micros - other) <= tolerance;
    }
  }

  /** What a run of an example has left. */
  private record Run(List<String> printed, List<Operation> operations, List<String> findings) {
    /** The lines that have a pattern. */
    List<MatchResult> lines(String pattern) {
      Pattern compiled = Pattern.compile(pattern);
      return printed.stream().flatMap(line -> compiled.matcher(line).results()).toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"01", "02", "03", "04", "05", "06", "07", "08", "09", "10"})
  void itsPicturesShowTheEnginesThatTheTraceHas(String number) throws Exception {
    Run run = run(number);
    Set<String> drawn =
        run.lines("^(H2D engine|kernels|D2H engine) .*[<>#=]").stream()
            .map(line -> line.group(1))
            .collect(Collectors.toSet());
    Set<String> traced =
        run.operations().stream().map(Operation::engine).collect(Collectors.toSet());

    assertThat(run.operations()).isNotEmpty();
    assertThat(traced).as("engines of %s", number).containsAll(drawn);
  }

  @Test
  void theRoutesAndTimesOfCopiesAgree() throws Exception {
    Run run = run("04");
    List<MatchResult> copies = run.lines("^.* ([A-Z_]{6,}) +([\\d.]+) ms$");

    assertThat(copies).hasSize(6);
    for (MatchResult copy : copies) {
      double micros = 1000 * Double.parseDouble(copy.group(2));
      // The example's own events are a moment apart from the copy, and it prints microseconds.
      assertThat(run.operations())
          .as(copy.group())
          .anyMatch(each -> each.route().equals(copy.group(1)) && each.took(micros, 1.5));
    }
  }

  @Test
  void theTimeOfAKernelAgrees() throws Exception {
    Run run = run("05");
    List<MatchResult> kernels = run.lines("^the kernel took ([\\d.]+) µs$");

    assertThat(kernels).hasSize(1);
    double micros = Double.parseDouble(kernels.getFirst().group(1));
    assertThat(run.operations())
        .anyMatch(each -> each.engine().equals("kernels") && each.took(micros, MARK));
  }

  @Test
  void theStagesOfOperationsAgree() throws Exception {
    Run run = run("06");
    List<MatchResult> rows = run.lines("^ *[\\d.]+ +([\\d.]+) +([\\d.]+)  (stream \\d+), (.*)$");

    assertThat(rows).hasSize(4);
    for (int i = 0; i < rows.size(); i++) {
      MatchResult row = rows.get(i);
      Operation traced = run.operations().get(i);
      double took = Double.parseDouble(row.group(2)) - Double.parseDouble(row.group(1));
      assertThat(traced.name()).isEqualTo(row.group(4));
      assertThat(traced.stream()).isEqualTo(row.group(3));
      assertThat(traced.took(took, MARK)).as("%s, printed %s", traced, row.group()).isTrue();
    }
  }

  @Test
  void theLinesThatItsOwnDiagnosisNamesAreThoseOfTheCheck() throws Exception {
    Run run = run("08");
    List<String> own =
        run.lines("^line (\\d+), ([A-Z_]+): ").stream()
            .map(line -> line.group(2) + " " + line.group(1))
            .distinct()
            .toList();

    assertThat(own).isNotEmpty();
    assertThat(run.findings()).containsAll(own);
  }

  @Test
  void whereNothingOverlapsTheCheckNamesTheOneStream() throws Exception {
    Run run = run("02");

    assertThat(run.lines("; 0 % of the copying was hidden$")).hasSize(1);
    assertThat(run.findings()).anyMatch(finding -> finding.startsWith("ONE_STREAM "));
  }

  /** Runs an example in a process of its own, traced and checked. */
  private Run run(String number) throws Exception {
    Path trace = folder.resolve(number + ".json");
    Path out = folder.resolve(number + ".out");
    Path err = folder.resolve(number + ".err");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Dstdout.encoding=UTF-8",
                "-Duser.language=en",
                "-Ddev.stretto.trace=" + trace,
                "-Ddev.stretto.diagnosis=true",
                "-cp",
                System.getProperty("java.class.path"),
                ExampleClasses.of(number).getName(),
                "virtual")
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("example %s ends", number).isTrue();
    assertThat(process.exitValue()).as(() -> read(err)).isZero();
    List<Operation> operations = new ArrayList<>();
    for (String line : Files.readAllLines(trace)) {
      SPAN.matcher(line).results().map(Operation::of).forEach(operations::add);
    }
    List<String> findings =
        Files.readAllLines(err).stream()
            .flatMap(line -> FINDING.matcher(line).results())
            .map(found -> found.group(1) + " " + found.group(2))
            .toList();
    return new Run(Files.readAllLines(out), operations, findings);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
