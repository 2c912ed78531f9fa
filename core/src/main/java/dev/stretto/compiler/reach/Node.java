package dev.stretto.compiler.reach;

/**
 * A number in a kernel, as a formula of earlier nodes.
 *
 * @param code how it is computed
 * @param a the number of the first operand; -1 if there is none
 * @param b the number of the second operand; -1 if there is none
 * @param number a constant, or the number of an argument, of a dimension, of a loop, or of an
 *     unknown value
 */
record Node(Code code, int a, int b, long number) {
  /** How a number is computed. */
  enum Code {
    CONSTANT,
    /** An argument that is a number. */
    ARGUMENT,
    /** The length of an argument that is an array. */
    LENGTH,
    THREAD_INDEX,
    BLOCK_INDEX,
    BLOCK_SIZE,
    GRID_SIZE,
    ADD,
    SUB,
    MUL,
    DIV,
    REM,
    AND,
    OR,
    XOR,
    SHL,
    SHR,
    USHR,
    MIN,
    MAX,
    /** A LONG as an INT. */
    INT,
    /** One of two numbers. */
    EITHER,
    /** In round k of a loop, the first operand plus k times the second one. */
    LOOP,
    UNKNOWN_INT,
    UNKNOWN
  }

  static Node constant(long number) {
    return new Node(Code.CONSTANT, -1, -1, number);
  }
}
