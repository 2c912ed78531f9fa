package dev.stretto.compiler.ir;

/**
 * An array in a block's static shared memory.
 *
 * @param number from 0, in the order of the source
 * @param element of which kind
 * @param length how many
 */
public record SharedVariable(int number, Element element, int length) implements Attribute {
  /** {@return its size} */
  public long bytes() {
    return (long) element.bytes() * length;
  }
}
