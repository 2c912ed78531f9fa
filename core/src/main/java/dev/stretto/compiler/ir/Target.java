package dev.stretto.compiler.ir;

import java.util.ArrayList;
import java.util.List;

/** The target of a jump, with the arguments that it passes. */
public final class Target {
  private Block block;
  private final List<Value> arguments;

  /** Creates a target with arguments for the block's parameters, in order. */
  public Target(Block block, List<? extends Value> arguments) {
    this.block = block;
    this.arguments = new ArrayList<>(arguments);
  }

  /** {@return the block that it goes to} */
  public Block block() {
    return block;
  }

  /** Redirects it to another block; the arguments stay. */
  public void block(Block other) {
    block = other;
  }

  /** {@return the arguments that it passes; the list may be changed} */
  public List<Value> arguments() {
    return arguments;
  }
}
