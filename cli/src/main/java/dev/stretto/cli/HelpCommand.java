package dev.stretto.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "help",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Describes a command, or lists all.")
final class HelpCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(arity = "0..1", paramLabel = "COMMAND", description = "The command to describe.")
  private @Nullable String name;

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    CommandLine described = name == null ? root : root.getSubcommands().get(name);
    if (described == null) {
      throw new ParameterException(root, unknown(String.valueOf(name)));
    }
    described.usage(root.getOut());
    return Main.DONE;
  }

  /** What is wrong with a name that is no command's. */
  static String unknown(String name) {
    return "'" + name.strip().lines().findFirst().orElse("") + "' is not a command";
  }
}
