package dev.stretto.compiler.ir;

/**
 * An array in a block's static shared memory.
 *
 * @param number from 0, in the order of the source
 * @param element the type of its elements
 * @param length how many elements it has
 */
public record SharedVariable(int number, Element element, int length) implements Attribute {
  /** {@return its size} */
  public long bytes() {
    return (long) element.bytes() * length;
  }
}
