package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.LoweredCopy;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Moves the notes of copies out of the kernel into a list beside it, and removes the ranges of
 * numbers, which have been checked.
 */
final class Notes implements Pass {
  @Override
  public String name() {
    return "notes";
  }

  @Override
  public boolean run(Function function) {
    function.blocks().forEach(block -> notes(function, block));
    Set<Line> noted = new HashSet<>();
    function.copies().forEach(copy -> noted.add(copy.line()));
    boolean changed = false;
    for (Block block : function.blocks()) {
      // Instructions of the library's own code have been noted already.
      block.ops().stream()
          .filter(op -> op.code() == OpCode.ASM && !noted.contains(op.line()))
          .forEach(op -> CopyInstructions.of(op).ifPresent(copy -> keep(function, copy)));
      changed |=
          block.ops().removeIf(op -> op.code() == OpCode.NOTE || op.code() == OpCode.IN_RANGE);
    }
    return changed;
  }

  private static void notes(Function function, Block block) {
    for (Op op : block.ops()) {
      if (op.code() == OpCode.NOTE) {
        keep(function, noted(op));
      }
    }
  }

  /** Copies of a loop's body repeat the same note. */
  private static void keep(Function function, LoweredCopy copy) {
    if (!function.copies().contains(copy)) {
      function.copies().add(copy);
    }
  }

  private static LoweredCopy noted(Op op) {
    OptionalInt bytes =
        op.operand(5) instanceof Constant known
            ? OptionalInt.of(known.asInt())
            : OptionalInt.empty();
    int piece = ((Constant) op.operand(6)).asInt();
    String mechanism = text(op, 1);
    boolean counts =
        mechanism.equals(CopyInstructions.BULK) && text(op, 0).equals(CopyInstructions.TO_SHARED);
    return new LoweredCopy(
        op.line(),
        text(op, 0),
        mechanism,
        text(op, 2),
        text(op, 3),
        bytes,
        ((Constant) op.operand(7)).asInt(),
        rest(bytes, piece, text(op, 4), counts),
        counts && bytes.isPresent()
            ? OptionalInt.of(whole(bytes.getAsInt(), piece))
            : OptionalInt.empty());
  }

  private static int whole(int bytes, int piece) {
    return bytes - bytes % piece;
  }

  /** The number of bytes after the last whole piece, and what happens to them. */
  private static String rest(OptionalInt bytes, int piece, String how, boolean counts) {
    if (bytes.isEmpty()) {
      return piece == 1
          ? ""
          : "the bytes after whole pieces of "
              + piece
              + " bytes: "
              + how
              + (counts ? "; the barrier counts the whole pieces" : "");
    }
    int whole = whole(bytes.getAsInt(), piece);
    int left = bytes.getAsInt() - whole;
    return left == 0
        ? ""
        : left + " bytes: " + how + (counts ? "; the barrier counts the other " + whole : "");
  }

  private static String text(Op op, int index) {
    return (String) ((Constant) op.operand(index)).value();
  }
}
