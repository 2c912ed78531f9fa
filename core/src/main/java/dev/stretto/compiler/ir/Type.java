package dev.stretto.compiler.ir;

/**
 * The type of a value: Java's computational types, addresses, and types that exist only until
 * objects are replaced by scalars.
 */
public enum Type {
  /** No value. */
  VOID,
  /** A predicate. */
  BOOL,
  /** 32 bits; Java's boolean, byte, short, char and int. */
  INT,
  /** 64 bits. */
  LONG,
  /** Binary32. */
  FLOAT,
  /** Binary64. */
  DOUBLE,
  /** A 64-bit address of global memory. */
  GLOBAL,
  /** A 32-bit address within the block's shared memory. */
  SHARED,
  /** An object, a local array or a view of memory; gone once scalars have replaced it. */
  REF,
  /** Several results of one instruction; {@link OpCode#EXTRACT} takes them apart. */
  TUPLE;

  /** {@return whether arithmetic is done on it} */
  public boolean isNumber() {
    return this == INT || this == LONG || isFloating();
  }

  /** {@return whether it is a floating-point type} */
  public boolean isFloating() {
    return this == FLOAT || this == DOUBLE;
  }

  /** {@return whether it is an address} */
  public boolean isAddress() {
    return this == GLOBAL || this == SHARED;
  }
}
