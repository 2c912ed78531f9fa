package dev.stretto.compiler.ir;

import org.jspecify.annotations.Nullable;

/**
 * A field of an object.
 *
 * @param owner the internal name of the class that declares it
 * @param name its name
 * @param element the type of its element; null for a reference
 */
public record Field(String owner, String name, @Nullable Element element) implements Attribute {
  /** {@return the type of its value} */
  public Type type() {
    return element == null ? Type.REF : element.type();
  }
}
