package dev.stretto.compiler.ir;

import java.util.ArrayList;
import java.util.List;

/** Operations that run one after the other; the last one says where it goes on. */
public final class Block {
  private final List<BlockParam> params = new ArrayList<>();
  private final List<Op> ops = new ArrayList<>();

  /** The last walk over the kernel that has come here. */
  int walk;

  /** {@return what it takes; may be changed} */
  public List<BlockParam> params() {
    return params;
  }

  /** {@return what it does; may be changed} */
  public List<Op> ops() {
    return ops;
  }

  /** Adds a parameter. */
  public BlockParam param(Type type) {
    BlockParam param = new BlockParam(type);
    params.add(param);
    return param;
  }

  /** {@return whether it has an end} */
  public boolean isEnded() {
    return !ops.isEmpty() && ops.getLast().isEnd();
  }

  /** {@return the last operation, which ends it} */
  public Op end() {
    return ops.getLast();
  }

  /** {@return where it may go on} */
  public List<Target> targets() {
    return end().targets();
  }
}
