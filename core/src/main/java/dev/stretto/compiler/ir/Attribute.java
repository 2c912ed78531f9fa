package dev.stretto.compiler.ir;

/** What an operation has beside its operands. Its {@link OpCode} says of which kind it is. */
public sealed interface Attribute
    permits Asm,
        Attribute.Count,
        Attribute.Text,
        Cond,
        Element,
        Field,
        NewObject,
        NumberRange,
        Requirement,
        SharedVariable,
        Trap,
        Vector {
  /**
   * A number.
   *
   * @param value which
   */
  record Count(int value) implements Attribute {
    @Override
    public String toString() {
      return Integer.toString(value);
    }
  }

  /**
   * Words.
   *
   * @param words which
   */
  record Text(String words) implements Attribute {
    @Override
    public String toString() {
      return words;
    }
  }
}
