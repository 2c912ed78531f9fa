package dev.stretto.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs a command, and tells what in its Java programs blocked the host or made the device's"
          + " work serial: each with its rule, its place, and what to write instead.",
      "The report follows the command's own output, on standard error."
    },
    footer = {
      "",
      "Exit code: that of the command; 2 for a wrong command line, 1 if the command cannot be run."
    })
final class CheckCommand implements Callable<Integer> {
  private static final String PROPERTY = "-Ddev.stretto.diagnosis=";
  private static final String OPTIONS = "JAVA_TOOL_OPTIONS";

  private final Console console;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "What to run, with its arguments, behind --.")
  private List<String> command = List.of();

  @Option(names = "--report", paramLabel = "FILE", description = "Writes the report there instead.")
  private @Nullable Path report;

  CheckCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (command.isEmpty()) {
      throw CommandFailure.wrongCommandLine(
          "check: say what to run, such as stretto check -- java -jar app.jar");
    }
    try (TemporaryFiles files = new TemporaryFiles()) {
      Path written = files.create("diagnosis");
      int exitCode = run(written.toAbsolutePath());
      tell(Files.readString(written));
      return exitCode;
    }
  }

  private int run(Path written) throws InterruptedException {
    List<String> words = new ArrayList<>(command);
    ProcessBuilder builder = new ProcessBuilder(words).inheritIO();
    if (isJava(words.getFirst())) {
      words.add(1, PROPERTY + written);
    } else {
      // Every Java program that the command starts takes its options from there, and says so.
      builder
          .environment()
          .merge(OPTIONS, PROPERTY + written, (before, added) -> before + " " + added);
    }
    console.flush();
    try {
      return builder.start().waitFor();
    } catch (IOException e) {
      throw new CommandFailure(command.getFirst() + " cannot be run: " + e.getMessage(), e);
    }
  }

  private static boolean isJava(String program) {
    Path name = Path.of(program).getFileName();
    return name != null && name.toString().equals("java");
  }

  private void tell(String text) throws IOException {
    String told =
        text.isEmpty()
            ? "stretto: the command opened no device, or was killed: there is nothing to tell%n"
                .formatted()
            : text;
    if (report != null) {
      Files.writeString(report, told);
    } else {
      console.err().print(told);
    }
  }
}
