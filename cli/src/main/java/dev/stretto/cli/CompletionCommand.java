package dev.stretto.cli;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Prints a script with which a shell completes commands, options and their values.",
      "bash: stretto completion bash >~/.local/share/bash-completion/completions/stretto",
      "zsh:  stretto completion zsh >~/.stretto-completion, and in ~/.zshrc: source"
          + " ~/.stretto-completion"
    })
final class CompletionCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "SHELL",
      completionCandidates = Shells.class,
      description = "bash or zsh.")
  private String shell = "";

  CompletionCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (!Shells.ALL.contains(shell)) {
      throw CommandFailure.wrongCommandLine(
          "completion: '" + shell + "' is no shell for which there is a script: use bash or zsh");
    }
    console.out().print(CompletionScript.of(spec.root()));
    return Main.DONE;
  }

  /** The shells for which there is a script. */
  static final class Shells implements Iterable<String> {
    private static final List<String> ALL = List.of("bash", "zsh");

    @Override
    public Iterator<String> iterator() {
      return ALL.iterator();
    }
  }
}
