package dev.stretto.compiler.ir;

import java.util.ArrayList;
import java.util.List;

/** Operations that run one after the other; the last one says where execution continues. */
public final class Block {
  private final List<BlockParam> params = new ArrayList<>();
  private final List<Op> ops = new ArrayList<>();

  /** The last walk over the kernel that has reached this block. */
  int walk;

  /** {@return the parameters; the list may be changed} */
  public List<BlockParam> params() {
    return params;
  }

  /** {@return the operations; the list may be changed} */
  public List<Op> ops() {
    return ops;
  }

  /** Adds a parameter. */
  public BlockParam param(Type type) {
    BlockParam param = new BlockParam(type);
    params.add(param);
    return param;
  }

  /** {@return whether the block has an end} */
  public boolean isEnded() {
    return !ops.isEmpty() && ops.getLast().isEnd();
  }

  /** {@return the last operation, which ends it} */
  public Op end() {
    return ops.getLast();
  }

  /** {@return the blocks that it may continue at} */
  public List<Target> targets() {
    return end().targets();
  }
}
