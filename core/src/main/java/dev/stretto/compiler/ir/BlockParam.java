package dev.stretto.compiler.ir;

/**
 * A parameter of a block: its value comes from the jumps to the block. The parameters of the first
 * block are the kernel's.
 */
public final class BlockParam extends Value {
  /** Creates a parameter that belongs to no block yet. */
  public BlockParam(Type type) {
    super(type);
  }
}
