package dev.stretto.compiler.ir;

import java.util.ArrayList;
import java.util.List;

/** Where a jump goes, and what it brings. */
public final class Target {
  private Block block;
  private final List<Value> arguments;

  /** Creates a target with arguments for the block's parameters, in order. */
  public Target(Block block, List<? extends Value> arguments) {
    this.block = block;
    this.arguments = new ArrayList<>(arguments);
  }

  /** {@return where it goes} */
  public Block block() {
    return block;
  }

  /** Has it go elsewhere; the arguments stay. */
  public void block(Block other) {
    block = other;
  }

  /** {@return what it brings; may be changed} */
  public List<Value> arguments() {
    return arguments;
  }
}
