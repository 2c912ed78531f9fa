package dev.stretto.compiler.ir;

/** The data of an operation other than its operands. Its {@link OpCode} defines the kind. */
public sealed interface Attribute
    permits Asm,
        Attribute.Count,
        Attribute.Text,
        Cond,
        ConstantArray,
        Element,
        Field,
        JavaCall,
        NewObject,
        NumberRange,
        Requirement,
        SharedVariable,
        Trap,
        Vector {
  /**
   * A number.
   *
   * @param value the number
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
   * @param words the words
   */
  record Text(String words) implements Attribute {
    @Override
    public String toString() {
      return words;
    }
  }
}
