package dev.stretto.compiler.ir;

/**
 * Several elements that are moved at once.
 *
 * @param element their type
 * @param count how many
 */
public record Vector(Element element, int count) implements Attribute {
  /** {@return how many bytes they take, which is also their alignment} */
  public int bytes() {
    return element.bytes() * count;
  }
}
