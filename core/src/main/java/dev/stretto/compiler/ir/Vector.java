package dev.stretto.compiler.ir;

/**
 * Several elements that are moved at once.
 *
 * @param element of which kind
 * @param count how many
 */
public record Vector(Element element, int count) implements Attribute {
  /** {@return how many bytes they take, which is their alignment too} */
  public int bytes() {
    return element.bytes() * count;
  }
}
