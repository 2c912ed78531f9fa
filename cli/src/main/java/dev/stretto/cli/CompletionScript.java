package dev.stretto.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Writes a completion script from the commands and options that picocli knows. Its fixed part is
 * {@code completion.bash}; picocli's own script completes neither names with colons nor lists.
 */
final class CompletionScript {
  private static final String FIXED = "completion.bash";

  /** What the fixed part understands instead of words. */
  private static final String FILES = "@files";

  /** Before words of which there may be several, separated by commas. */
  private static final String LIST = "@list";

  /** Before words of which there may be several, as arguments of their own. */
  private static final String SEVERAL = "@several";

  private CompletionScript() {}

  /** The script, for bash and zsh. */
  static String of(CommandSpec root) {
    List<String> options = new ArrayList<>();
    List<String> values = new ArrayList<>();
    List<String> arguments = new ArrayList<>();
    Stream<CommandSpec> commands =
        Stream.concat(
            Stream.of(root),
            root.subcommands().values().stream()
                .map(command -> command.getCommandSpec())
                .filter(command -> !command.usageMessage().hidden()));
    commands.forEach(
        command -> {
          boolean isRoot = command.parent() == null;
          String key = isRoot ? "" : command.name();
          options.add(row(key, optionNames(command)));
          arguments.add(row(key, isRoot ? names(root) : arguments(root, command)));
          for (OptionSpec option : command.options()) {
            if (!option.hidden() && option.arity().max() > 0) {
              for (String each : option.names()) {
                values.add(row(key + " " + each, values(option)));
              }
            }
          }
        });
    return fixed()
        .replace("${options}", String.join("\n", options))
        .replace("${values}", String.join("\n", values))
        .replace("${arguments}", String.join("\n", arguments));
  }

  private static String fixed() {
    try (InputStream in = CompletionScript.class.getResourceAsStream(FIXED)) {
      if (in == null) {
        throw new IllegalStateException(FIXED + " is missing in this build");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String row(String key, List<String> words) {
    return "    '%s') echo '%s' ;;".formatted(key, String.join(" ", words));
  }

  private static List<String> names(CommandSpec root) {
    return root.subcommands().values().stream()
        .map(command -> command.getCommandSpec())
        .filter(command -> !command.usageMessage().hidden())
        .map(CommandSpec::name)
        .toList();
  }

  private static List<String> optionNames(CommandSpec command) {
    return command.options().stream()
        .filter(option -> !option.hidden())
        .map(OptionSpec::longestName)
        .toList();
  }

  private static List<String> values(ArgSpec argument) {
    List<String> words = new ArrayList<>();
    if (!argument.splitRegex().isEmpty()) {
      words.add(LIST);
    }
    if (argument.arity().max() > 1) {
      words.add(SEVERAL);
    }
    Iterable<String> candidates = argument.completionCandidates();
    if (candidates != null) {
      candidates.forEach(words::add);
    } else if (takesFiles(argument)) {
      words.add(FILES);
    }
    return words;
  }

  private static boolean takesFiles(ArgSpec argument) {
    return List.of(argument.auxiliaryTypes()).contains(Path.class)
        || Stream.of("FILE", "FOLDER", "PATH").anyMatch(argument.paramLabel()::equals);
  }

  private static List<String> arguments(CommandSpec root, CommandSpec command) {
    if (command.userObject() instanceof HelpCommand) {
      return names(root);
    }
    return command.positionalParameters().stream()
        .filter(argument -> !argument.hidden())
        .findFirst()
        .map((PositionalParamSpec argument) -> values(argument))
        .orElse(List.of());
  }
}
