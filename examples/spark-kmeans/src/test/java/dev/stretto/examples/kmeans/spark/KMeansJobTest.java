package dev.stretto.examples.kmeans.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KMeansJobTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--width 2|2|give either --files, or --parquet and --column",
        "--files a --width 2 --k 3|2|--tasks is missing",
        "--files a --width 2 --tasks 1 --k x|2|--k x: must be a number, 1 or more",
        "--files a --width 9999 --tasks 1 --k 1|1|points of 9999 coordinates: they may have 1 to",
        "--file a|2|--file is no option; there are [--centres,"
      })
  void mistakesAreOneLine(String line, int code, String message) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        KMeansJob.run(
            System.out,
            new PrintStream(err, true, StandardCharsets.UTF_8),
            () -> {
              throw new AssertionError("no session is needed");
            },
            line.split(" ", -1));
    assertThat(exit).isEqualTo(code);
    assertThat(err.toString(StandardCharsets.UTF_8)).startsWith(message).hasLineCount(1);
  }
}
