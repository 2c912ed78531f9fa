package dev.stretto.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code stretto}. */
@Command(
    name = "stretto",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Asynchronous GPU copies, demonstrated and measured.")
public final class Main implements Runnable {
  static final int DONE = 0;
  static final int FAILED = 1;

  private final Console console;

  @Option(names = "--verbose", scope = ScopeType.INHERIT, description = "Print stack traces.")
  private boolean verbose;

  private Main(Console console) {
    this.console = console;
  }

  /**
   * Runs the command and exits.
   *
   * @param arguments as the shell passes them
   */
  public static void main(String[] arguments) {
    Console console = Console.ofProcess();
    LogLines.to(console.err());
    System.exit(run(console, arguments));
  }

  /** Runs the command and gives its exit code. */
  static int run(Console console, String... arguments) {
    Main main = new Main(console);
    int exitCode;
    try {
      exitCode = main.commandLine().execute(arguments);
    } catch (Error e) {
      exitCode = main.failed(e); // picocli passes on exceptions only
    }
    if (console.isWritten()) {
      return exitCode;
    }
    console
        .err()
        .println(
            "stretto: the standard output cannot be written: it is closed, or its disk is full");
    return exitCode == DONE ? FAILED : exitCode;
  }

  private CommandLine commandLine() {
    return new CommandLine(this)
        .addSubcommand(new OverlapCommand(console))
        .addSubcommand(new DevicesCommand(console))
        .addSubcommand(new DoctorCommand(console))
        .addSubcommand(new BandwidthCommand(console))
        .addSubcommand(new ExplainCommand(console))
        .addSubcommand(new CheckCommand(console))
        .addSubcommand(new TraceCommand(console))
        .addSubcommand(new CompletionCommand(console))
        .addSubcommand(new HelpCommand())
        .registerConverter(Mode.class, Mode::of)
        .registerConverter(BandwidthTest.class, BandwidthTest::of)
        .setUsageHelpAutoWidth(true)
        // File names may begin with @, and so may arguments of a command that is checked.
        .setExpandAtFiles(false)
        .setOut(console.outWriter())
        .setErr(console.errWriter())
        .setParameterExceptionHandler((wrong, arguments) -> wrong(wrong))
        .setExecutionExceptionHandler((trouble, command, parsed) -> failed(trouble));
  }

  /** Runs without a subcommand. */
  @Override
  public void run() {
    throw CommandFailure.wrongCommandLine("no command given; stretto --help lists them");
  }

  private int wrong(ParameterException wrong) {
    CommandLine command = wrong.getCommandLine();
    printFault(message(wrong) + " (" + name(command) + " --help lists what is accepted)", wrong);
    return CommandFailure.WRONG_COMMAND_LINE;
  }

  private static String message(ParameterException wrong) {
    if (wrong instanceof UnmatchedArgumentException unmatched
        && unmatched.getCommandLine().getParent() == null
        && !unmatched.isUnknownOption()) {
      return HelpCommand.unknown(unmatched.getUnmatched().getFirst());
    }
    // A value of several words appears in the message as it was typed.
    return String.valueOf(wrong.getMessage()).lines().findFirst().orElse("");
  }

  private static String name(CommandLine command) {
    return command.getCommandSpec().qualifiedName();
  }

  private int failed(Throwable trouble) {
    printFault(Faults.line(trouble), trouble);
    return trouble instanceof CommandFailure failure ? failure.exitCode() : FAILED;
  }

  private void printFault(String line, Throwable trouble) {
    console.err().println("stretto: " + line);
    if (verbose) {
      trouble.printStackTrace(console.err());
    }
  }

  /** Prints the version. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"stretto " + (version == null ? "(development)" : version)};
    }
  }
}
