package dev.stretto.compiler.ir;

import java.util.List;

/**
 * PTX statements with places for operands and results.
 *
 * @param name the Java method that stands for them, as {@code owner.method}
 * @param pieces text, and what stands between it
 * @param results the types of what they give
 * @param pure whether they may be shared, moved and left out
 * @param convergent whether all threads of a warp or block take part
 * @param sm least target
 * @param feature what the target has to have beside ("a"), or nothing
 */
public record Asm(
    String name,
    List<Piece> pieces,
    List<Type> results,
    boolean pure,
    boolean convergent,
    int sm,
    String feature)
    implements Attribute {

  /** {@return the registers that are read and written in place, in the order of the text} */
  public List<InPlace> inPlace() {
    return pieces.stream().filter(InPlace.class::isInstance).map(InPlace.class::cast).toList();
  }

  /** A piece of a statement. */
  public sealed interface Piece {}

  /** Verbatim text. */
  public record Text(String text) implements Piece {}

  /** An operand in a register. */
  public record Operand(int index) implements Piece {}

  /** An operand that is a constant, written as such. */
  public record Literal(int index) implements Piece {}

  /** An operand that is an address, with an offset where it has one. */
  public record Address(int index) implements Piece {}

  /** A result. */
  public record Result(int index) implements Piece {}

  /**
   * A register that is read and written in place: what an operand has, and then a result.
   *
   * @param operand what it holds before
   * @param result what it holds after
   * @param unless a predicate among the operands; where it is false the instruction does not read
   *     what the register held; -1 if it always does
   */
  public record InPlace(int operand, int result, int unless) implements Piece {
    /** {@return whether it is known not to matter what the register holds before} */
    public boolean isFresh(Op op) {
      return unless >= 0 && op.operand(unless) instanceof Constant keeps && !keeps.asBoolean();
    }
  }

  /** A number that no other occurrence has. */
  public record Unique() implements Piece {}
}
