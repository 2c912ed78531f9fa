package dev.stretto.cli;

import dev.stretto.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
      "Runs a command, and reports where its Java programs blocked the host or "
          + "serialized the device's work: each finding with its rule, its place, and what "
          + "to write instead.",
      "With --order, reports races instead: accesses to the same bytes, by operations and by the "
          + "program's own code, that nothing orders.",
      "The report follows the command's own output, on standard error."
    },
    footer = {
      "",
      "Exit code: that of the command; 2 for a wrong command line, 1 if the command cannot be run, "
          + "or if there are races."
    })
final class CheckCommand implements Callable<Integer> {
  private static final int MOST_BYTES = 16 << 20;

  private final Console console;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "The command to run, with its arguments, after --.")
  private List<String> command = List.of();

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Writes the report to this file instead.")
  private @Nullable Path report;

  @Option(
      names = "--order",
      description = {
        "Checks the order of all accesses to memory. An agent shows what the program's own classes "
            + "do with host memory."
      })
  private boolean order;

  @Option(
      names = "--classes",
      paramLabel = "PACKAGES",
      description = {
        "With --order: watches only the classes of these packages, and of those below them; not "
            + "those of a package behind a minus sign: com.acme,-com.acme.made"
      })
  private @Nullable String classes;

  @Option(names = "--json", description = "With --order: reports in one JSON object.")
  private boolean json;

  CheckCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (command.isEmpty()) {
      throw CommandFailure.wrongCommandLine(
          "check: no command given; for example: stretto check -- java -jar app.jar");
    }
    if (!order && (classes != null || json)) {
      throw CommandFailure.wrongCommandLine("check: --classes and --json are for --order");
    }
    try (TemporaryFiles files = new TemporaryFiles()) {
      NewFile target = report == null ? null : NewFile.at(files, "--report", report);
      Path written = files.create("diagnosis");
      Once once = new Once();
      try (WatchedProcess process = new WatchedProcess()) {
        // When a user ends this process, the command ends too, and its report so far is printed.
        files.beforeAnEarlyEnd(
            () -> {
              process.end();
              once.run(() -> tell(written, target));
            });
        List<String> options = options(written.toAbsolutePath(), files);
        int exitCode = process.start(command, options, console).waitFor();
        once.run(() -> tell(written, target));
        return order && FoundRaces.parse(text(written)).isAny() ? 1 : exitCode;
      }
    }
  }

  /** The content of a report; one that is longer than any real report is cut off. */
  private static String text(Path written) throws IOException {
    try (InputStream in = Files.newInputStream(written)) {
      return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
    }
  }

  /** {@return the options of the JVM that make a program write its findings to a file} */
  private List<String> options(Path written, TemporaryFiles files) throws IOException {
    if (!order) {
      return List.of(Settings.DIAGNOSIS.option() + "=" + written);
    }
    String agent = "-javaagent:" + AgentJar.find(files);
    return List.of(
        classes == null ? agent : agent + "=" + classes,
        Settings.ORDER.option() + "=checked",
        Settings.RACES.option() + "=" + written);
  }

  private void tell(Path written, @Nullable NewFile target) {
    try {
      tell(text(written), target);
    } catch (IOException e) {
      throw new CommandFailure("check: the report cannot be written: " + Faults.reason(e), e);
    }
  }

  private void tell(String text, @Nullable NewFile target) throws IOException {
    String report = order ? races(text) : diagnosis(text);
    if (target == null) {
      console.err().print(report);
      return;
    }
    try (Writer writer = target.writer()) {
      writer.write(report);
    }
    target.complete();
  }

  private String races(String text) {
    FoundRaces found = FoundRaces.parse(text);
    return json ? found.json() : found.text();
  }

  private static String diagnosis(String text) {
    return text.isEmpty()
        ? "stretto: the command opened no device, or was killed: there is nothing to report%n"
            .formatted()
        : text;
  }
}
