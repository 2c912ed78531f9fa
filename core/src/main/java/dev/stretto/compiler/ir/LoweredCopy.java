package dev.stretto.compiler.ir;

import java.util.OptionalInt;

/**
 * The instruction that a copy in a kernel became, as the library's own code reports it.
 *
 * @param line the line where the kernel asks for the copy
 * @param direction "global-to-shared", "shared-to-global" or, between blocks, "shared-to-shared"
 * @param mechanism the instruction, or "synchronous"
 * @param completion which threads must wait for what
 * @param reason why this mechanism was chosen
 * @param bytes how many, if that is known when the kernel is compiled
 * @param alignment of both ends, in bytes
 * @param rest what happens to the bytes after the last whole piece; empty if there are none
 * @param counted how many bytes a barrier counts, if one does and the number is known
 */
public record LoweredCopy(
    Line line,
    String direction,
    String mechanism,
    String completion,
    String reason,
    OptionalInt bytes,
    int alignment,
    String rest,
    OptionalInt counted) {
  /** {@return the same copy, made by the threads themselves} */
  public LoweredCopy synchronous(String why) {
    return new LoweredCopy(
        line, direction, "synchronous", completion, why, bytes, alignment, rest, counted);
  }
}
