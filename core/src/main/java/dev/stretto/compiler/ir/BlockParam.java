package dev.stretto.compiler.ir;

/**
 * A parameter of a block: what the jumps to it bring. Those of the first block are the kernel's.
 */
public final class BlockParam extends Value {
  /** Creates a parameter that belongs to no block yet. */
  public BlockParam(Type type) {
    super(type);
  }
}
