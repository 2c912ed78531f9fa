package dev.stretto.compiler.ir;

import java.util.OptionalInt;

/**
 * What a copy of a kernel became, as the library's own code says.
 *
 * @param line where the kernel asks for it
 * @param direction "global-to-shared" or "shared-to-global"
 * @param mechanism the instruction, or "synchronous"
 * @param completion who has to wait for what
 * @param reason why it is that mechanism
 * @param bytes how many, if that is known when the kernel is compiled
 * @param alignment of both ends, in bytes
 * @param rest what becomes of the bytes behind whole pieces; empty where there are none
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
    OptionalInt counted) {}
