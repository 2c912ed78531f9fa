package dev.stretto.compiler.ir;

/** Something that operations use. */
public abstract sealed class Value permits Constant, BlockParam, Op {
  private final Type type;

  /** The kernel's last {@link MarkSet} that it was added to. */
  int mark;

  Value(Type type) {
    this.type = type;
  }

  /** {@return its type} */
  public final Type type() {
    return type;
  }
}
