package dev.stretto.compiler.ir;

import java.util.List;

/**
 * PTX statements with places for operands and results.
 *
 * @param name the Java method that stands for them, as {@code owner.method}
 * @param pieces the text and the places within it
 * @param results the types of their results
 * @param pure whether they may be shared, moved and removed
 * @param convergent whether all threads of a warp or block take part
 * @param sm the lowest target
 * @param feature a feature that the target must also have ("a"), or nothing
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

  /** The statement by which a thread waits for the kernels before its own on the stream. */
  public static final String AWAIT_GRIDS = "griddepcontrol.wait;";

  /** {@return the name of an instruction's method as it is without a policy of the cache} */
  public static String withoutCacheHint(String name) {
    return name.endsWith("CacheHint")
        ? name.substring(0, name.length() - "CacheHint".length())
        : name;
  }

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

  /** An operand that is an address, with its offset if it has one. */
  public record Address(int index) implements Piece {}

  /**
   * The scope and the space of an atomic operation on shared memory, by the operand's address: the
   * block's, or the cluster's where a kernel reaches other blocks.
   */
  public record Space(int index) implements Piece {}

  /** A result. */
  public record Result(int index) implements Piece {}

  /**
   * A register that is read and written in place: it holds an operand first, and then a result.
   *
   * @param operand the operand that it holds before
   * @param result the result that it holds after
   * @param unless the number of a predicate operand; if that predicate is false, the instruction
   *     does not read the register's previous value; -1 if it always does
   */
  public record InPlace(int operand, int result, int unless) implements Piece {
    /** {@return whether the register's previous value is known not to matter} */
    public boolean isFresh(Op op) {
      return unless >= 0 && op.operand(unless) instanceof Constant keeps && !keeps.asBoolean();
    }
  }

  /** A number that no other occurrence has. */
  public record Unique() implements Piece {}
}
