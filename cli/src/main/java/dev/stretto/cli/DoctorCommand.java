package dev.stretto.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stretto.cli.doctor.Doctor;
import dev.stretto.cli.doctor.Finding;
import dev.stretto.cli.doctor.Finding.Level;
import dev.stretto.cli.doctor.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Examines this machine: the driver and its library, GPUs, containers, memory, links, and "
          + "variables of the environment. Tells what is wrong, and what to do about it.",
      "ok: all is well. warn: it works, but could work better. bad: GPUs cannot be used."
    },
    footer = {"", "Exit code: 0 if nothing is bad, 1 if something is, 2 for a wrong command line."})
final class DoctorCommand implements Callable<Integer> {
  private static final int INDENT = 5;

  private final Console console;
  private final Supplier<Machine> machine;

  @Option(names = "--json", description = "Prints one JSON object instead of lines.")
  private boolean json;

  DoctorCommand(Console console) {
    this(console, Machine::thisOne);
  }

  /** Examines another machine. */
  DoctorCommand(Console console, Supplier<Machine> machine) {
    this.console = console;
    this.machine = machine;
  }

  @Override
  public Integer call() {
    List<Finding> findings = new ArrayList<>();
    Doctor.examine(
        machine.get(),
        finding -> {
          findings.add(finding);
          if (!json) {
            print(finding);
          }
        });
    long bad = count(findings, Level.BAD);
    long warnings = count(findings, Level.WARN);
    if (json) {
      printJson(findings, bad, warnings);
    } else {
      console.println("");
      console.println("%d bad, %d to look at".formatted(bad, warnings));
    }
    return bad == 0 ? Main.DONE : Main.FAILED;
  }

  private static long count(List<Finding> findings, Level level) {
    return findings.stream().filter(finding -> finding.level() == level).count();
  }

  private void print(Finding finding) {
    String first = "%-4s ".formatted(finding.level().word());
    console.printWrapped(first, INDENT, finding.check() + ": " + finding.what());
    if (!finding.remedy().isEmpty()) {
      console.printWrapped(" ".repeat(INDENT) + "→ ", INDENT + 2, finding.remedy());
    }
  }

  private void printJson(List<Finding> findings, long bad, long warnings) {
    ObjectNode root = new ObjectMapper().createObjectNode();
    ArrayNode array = root.putArray("findings");
    for (Finding finding : findings) {
      array
          .addObject()
          .put("level", finding.level().word())
          .put("check", finding.check())
          .put("finding", finding.what())
          .put("remedy", finding.remedy());
    }
    root.put("bad", bad).put("warnings", warnings);
    JsonReport.print(console.out(), root);
  }
}
