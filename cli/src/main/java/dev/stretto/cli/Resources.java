package dev.stretto.cli;

import dev.stretto.driver.FunctionProperties;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a thread and a block of a kernel take.
 *
 * @param tool what says so
 * @param registers of a thread
 * @param sharedBytes static shared memory of a block
 * @param stackBytes a thread's stack frame; if a driver says so, with what it spills
 * @param spillStoreBytes what is stored because there are too few registers; a driver does not tell
 * @param spillLoadBytes what is loaded again; a driver does not tell
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

  /** What a driver says of a kernel that it has loaded. */
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
   * What {@code ptxas -v} says of a kernel.
   *
   * @param tool its name and version
   * @param said all that it has printed
   * @throws CommandFailure if that cannot be understood
   */
  static Resources ofAssembler(String tool, String entry, String said) {
    // Functions that a kernel calls have a paragraph of their own.
    String about = said.substring(Math.max(0, said.indexOf("Function properties for " + entry)));
    Matcher stack = STACK.matcher(about);
    Matcher registers = REGISTERS.matcher(about);
    if (!stack.find() || !registers.find(stack.end())) {
      throw new CommandFailure(tool + " says what is not understood: " + said.strip());
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
