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
    String feature) {

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

  /** A number that no other occurrence has. */
  public record Unique() implements Piece {}
}
