package dev.stretto.compiler.ir;

/**
 * Why a kernel ends before its time.
 *
 * @param kind which mistake it is
 * @param message what is said of it beside the numbers
 */
public record Trap(Kind kind, String message) implements Attribute {
  /** Kinds of mistakes. The operands behind the condition of a check are the numbers. */
  public enum Kind {
    /** Index and length follow. */
    INDEX,
    /** Index and count of elements follow. */
    ALIGNMENT,
    /** A division by zero. */
    DIVISION,
    /** A slice: where it begins, its length, and the length of what is cut follow. */
    SLICE,
    /** An {@code assert} statement. */
    ASSERTION,
    /** A number follows. */
    RANGE
  }
}
