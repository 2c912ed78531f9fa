package dev.stretto.cli;

import dev.stretto.settings.Settings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "trace",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs a command, and records what its Java programs do on devices: every copy, kernel and "
          + "fill of every stream, and when it ran.",
      "The trace is a page for a browser, a file for Perfetto and chrome://tracing, or a recording"
          + " of the JDK's Flight Recorder."
    },
    footer = {
      "",
      "Exit code: that of the command; 2 for a wrong command line, 1 if the command cannot be run "
          + "or the trace cannot be written."
    })
final class TraceCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "The command to run, with its arguments, after --.")
  private List<String> command = List.of();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      defaultValue = "trace.html",
      description =
          "Writes the trace to this file, which ends in .html, .json or .jfr (default:"
              + " ${DEFAULT-VALUE}). The second program and later ones of the command get a number"
              + " behind the name.")
  private Path output = Path.of("trace.html");

  TraceCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (command.isEmpty()) {
      throw CommandFailure.wrongCommandLine(
          "trace: no command given; for example: stretto trace -- java -jar app.jar");
    }
    String suffix = suffix(output);
    try (TemporaryFiles files = new TemporaryFiles()) {
      NewFile target = NewFile.at(files, "--output", output);
      Path beside = files.create("traces").toAbsolutePath();
      Path folder = Objects.requireNonNull(beside.getParent());
      Path each = beside.resolveSibling("%p" + suffix);
      Once once = new Once();
      try (WatchedProcess process = new WatchedProcess()) {
        // When a user ends this process, the command ends too, and its trace so far is kept.
        files.beforeAnEarlyEnd(
            () -> {
              process.end();
              once.run(() -> tell(folder, target));
            });
        List<String> options = List.of(Settings.TRACE.option() + "=" + each);
        int exitCode = process.start(command, options, console).waitFor();
        once.run(() -> tell(folder, target));
        return exitCode;
      }
    }
  }

  private static String suffix(Path file) {
    for (String suffix : List.of(".html", ".json", ".jfr")) {
      if (file.toString().endsWith(suffix)) {
        return suffix;
      }
    }
    throw CommandFailure.wrongCommandLine(
        "trace: " + file + " ends in none of .html, .json and .jfr, which say what is written");
  }

  private void tell(Path folder, NewFile target) {
    try {
      List<Path> written = written(folder);
      for (int i = 0; i < written.size(); i++) {
        Path from = written.get(i);
        Path to = i == 0 ? output : numbered(output, i + 1);
        if (i == 0) {
          copy(from, target);
        } else {
          Path _ = Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.delete(from);
        console.err().printf("stretto: the trace is in %s%n", to);
      }
      if (written.isEmpty()) {
        console
            .err()
            .printf(
                "stretto: the command opened no device, or was killed: there is nothing to show%n");
      }
    } catch (IOException e) {
      throw new CommandFailure("trace: the trace cannot be written: " + Faults.reason(e), e);
    }
  }

  /** {@return the traces that the command's programs have written, in the order of their ends} */
  private static List<Path> written(Path folder) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "[0-9]*")) {
      files.forEach(found::add);
    }
    found.sort(Comparator.comparingLong(file -> file.toFile().lastModified()));
    return found;
  }

  private static void copy(Path from, NewFile target) throws IOException {
    try (OutputStream out = target.stream()) {
      long _ = Files.copy(from, out);
    }
    target.complete();
  }

  private static Path numbered(Path file, int number) {
    String name = String.valueOf(file.getFileName());
    int dot = name.lastIndexOf('.');
    return file.resolveSibling(name.substring(0, dot) + "-" + number + name.substring(dot));
  }
}
