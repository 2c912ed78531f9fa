package dev.stretto.cli;

import dev.stretto.driver.FunctionProperties;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The resource usage of a kernel's threads and blocks.
 *
 * @param tool the tool that reports it
 * @param registers of a thread
 * @param sharedBytes static shared memory of a block
 * @param stackBytes a thread's stack frame; if a driver reports it, including spills
 * @param spillStoreBytes stored because there are too few registers; drivers do not report it
 * @param spillLoadBytes loaded again; drivers do not report it
 */
record Resources(
    String tool,
    int registers,
    int sharedBytes,
    int stackBytes,
    Optional<Integer> spillStoreBytes,
    Optional<Integer> spillLoadBytes) {
  private static final Pattern STACK =
      Pattern.compile(
          "(\\d+) bytes stack frame, (\\d+) bytes spill stores, (\\d+) bytes spill loads");
  private static final Pattern REGISTERS = Pattern.compile("Used (\\d+) registers");
  private static final Pattern SHARED = Pattern.compile("(\\d+) bytes smem");

  /** What a driver reports of a kernel that it has loaded. */
  static Resources of(FunctionProperties properties) {
    return new Resources(
        "driver",
        properties.registers(),
        properties.sharedBytes(),
        properties.localBytes(),
        Optional.empty(),
        Optional.empty());
  }

  /**
   * What {@code ptxas -v} reports of a kernel.
   *
   * @param tool its name and version
   * @param said its whole output
   * @throws CommandFailure if the output cannot be parsed
   */
  static Resources ofAssembler(String tool, String entry, String said) {
    // Functions that a kernel calls have a paragraph of their own.
    String about = said.substring(Math.max(0, said.indexOf("Function properties for " + entry)));
    Matcher stack = STACK.matcher(about);
    Matcher registers = REGISTERS.matcher(about);
    if (!stack.find() || !registers.find(stack.end())) {
      throw new CommandFailure(tool + " prints output that cannot be parsed: " + said.strip());
    }
    String used = about.substring(registers.start()).lines().findFirst().orElse("");
    Matcher shared = SHARED.matcher(used);
    return new Resources(
        tool,
        Integer.parseInt(registers.group(1)),
        shared.find() ? Integer.parseInt(shared.group(1)) : 0,
        Integer.parseInt(stack.group(1)),
        Optional.of(Integer.valueOf(stack.group(2))),
        Optional.of(Integer.valueOf(stack.group(3))));
  }
}
