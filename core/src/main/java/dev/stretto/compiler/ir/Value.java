package dev.stretto.compiler.ir;

/** Something that operations take. */
public abstract sealed class Value permits Constant, BlockParam, Op {
  private final Type type;

  /** Which of the kernel's {@link MarkSet} it was put in last. */
  int mark;

  Value(Type type) {
    this.type = type;
  }

  /** {@return its type} */
  public final Type type() {
    return type;
  }
}
