package dev.stretto.compiler.ir;

/**
 * Why a kernel ends early.
 *
 * @param kind the kind of mistake
 * @param message what to report in addition to the numbers
 */
public record Trap(Kind kind, String message) implements Attribute {
  /** The message of an index that counts bytes of shared memory. */
  public static final String BYTES = "bytes";

  /** The message of a view that does not begin and end at whole elements of shared memory. */
  public static final String WHOLE = "whole";

  /** Kinds of mistakes. The numbers are the operands after the condition of a check. */
  public enum Kind {
    /** Index and length follow. */
    INDEX,
    /**
     * Index and count of elements follow; in a kernel for the JVM also the array's address, its
     * length and the number of its {@link Element}.
     */
    ALIGNMENT,
    /** A division by zero. */
    DIVISION,
    /** A slice: its start, its length, and the length of the array that is sliced follow. */
    SLICE,
    /** An {@code assert} statement. */
    ASSERTION,
    /** A number follows. */
    RANGE
  }
}
