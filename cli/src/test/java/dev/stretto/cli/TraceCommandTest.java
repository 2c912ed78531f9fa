package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code stretto trace}, with commands that are run for it. */
class TraceCommandTest {
  private static final List<String> JAVA =
      List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "--enable-native-access=ALL-UNNAMED",
          "-cp",
          System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
          TracedProgram.class.getName());

  @TempDir private Path folder;

  private Ran trace(Path output, List<String> command, String... arguments) {
    List<String> all = new ArrayList<>(List.of("trace", "--output", output.toString(), "--"));
    all.addAll(command);
    all.addAll(Arrays.asList(arguments));
    return Ran.stretto(all.toArray(String[]::new));
  }

  private static List<JsonNode> operations(Path trace) throws IOException {
    JsonNode events = new ObjectMapper().readTree(trace.toFile()).get("traceEvents");
    return StreamSupport.stream(events.spliterator(), false)
        .filter(event -> event.get("ph").asText().equals("X"))
        .filter(event -> event.get("cat").asText().startsWith("gpu_"))
        .toList();
  }

  @Test
  void hasEveryOperationOfEveryDeviceClosedOrOpen() throws IOException {
    Path output = folder.resolve("all.json");
    Ran ran = trace(output, JAVA, "2", "7");
    assertThat(ran.err()).contains("the trace is in " + output);
    assertThat(ran.exitCode()).isEqualTo(3);
    assertThat(operations(output)).hasSize(2 * (7 + 1));
    assertThat(Files.readString(output)).contains("\"uploads\"");
  }

  @Test
  void theProgramMayRecordAndDiagnoseItselfMeanwhile() throws IOException {
    Path output = folder.resolve("own.json");
    Ran ran = trace(output, JAVA, "1", "5", "timeline");
    assertThat(ran.exitCode()).as("the spans of its own timeline").isEqualTo(6);
    assertThat(operations(output)).hasSize(6);
  }

  @Test
  void aPageNamesTheProgram() throws IOException {
    Path output = folder.resolve("page.html");
    Ran ran = trace(output, JAVA, "1", "3");
    assertThat(ran.exitCode()).isEqualTo(3);
    assertThat(Files.readString(output)).contains(TracedProgram.class.getName(), "uploads");
  }

  @Test
  void aRecordingOfTheFlightRecorderHasEveryOperation() throws IOException {
    Path output = folder.resolve("all.jfr");
    Ran ran = trace(output, JAVA, "2", "7");
    assertThat(ran.exitCode()).isEqualTo(3);
    List<RecordedEvent> events = RecordingFile.readAllEvents(output);
    assertThat(events)
        .filteredOn(event -> event.getEventType().getName().equals("dev.stretto.Copy"))
        .hasSize(2 * (7 + 1))
        .allMatch(event -> event.getString("streamName").equals("uploads"))
        .allMatch(event -> event.getString("place").contains("TracedProgram.java:"));
    assertThat(events)
        .filteredOn(event -> event.getEventType().getName().equals("dev.stretto.Wait"))
        .isNotEmpty()
        .allMatch(event -> event.getString("place").contains("TracedProgram.java:"));
  }

  @Test
  void eachProgramOfACommandHasAFileOfItsOwn() throws IOException {
    Path output = folder.resolve("several.json");
    String one = "'" + String.join("' '", JAVA.subList(0, JAVA.size())) + "' 1 2; ";
    Ran ran = trace(output, List.of("/bin/sh", "-c", one + one));
    assertThat(ran.err())
        .contains("the trace is in " + output)
        .contains("the trace is in " + folder.resolve("several-2.json"));
    assertThat(operations(output)).hasSize(3);
    assertThat(operations(folder.resolve("several-2.json"))).hasSize(3);
  }

  @Test
  void leavesNothingButTheTrace() throws IOException {
    Path output = folder.resolve("alone.html");
    Ran _ = trace(output, JAVA, "1", "1");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(output);
    }
  }

  @Test
  void saysThatThereWasNoDevice() {
    Path output = folder.resolve("none.html");
    Ran ran = trace(output, JAVA, "0", "1");
    assertThat(ran.err()).contains("opened no device");
    assertThat(output).doesNotExist();
  }

  @Test
  void refusesOtherKindsOfFiles() {
    Ran ran = trace(folder.resolve("trace.txt"), JAVA, "1", "1");
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).contains("trace.txt ends in none of .html, .json and .jfr");
  }

  @Test
  void refusesACommandLineWithoutACommand() {
    Ran ran = Ran.stretto("trace");
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).contains("no command given");
  }
}
