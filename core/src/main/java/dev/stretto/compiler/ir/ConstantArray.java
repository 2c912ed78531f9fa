package dev.stretto.compiler.ir;

import java.lang.reflect.Array;

/**
 * An array whose content is compiled into a kernel: a copy, so that it stays as it is. Two of them
 * are equal only if they are the same.
 */
public final class ConstantArray implements Attribute {
  private final String owner;
  private final String name;
  private final Element element;
  private final Object content;
  private final Object programs;
  private final boolean isChecked;

  /**
   * Creates the description of an array.
   *
   * @param owner the internal name of the class that declares it
   * @param name the field's name
   * @param element what its elements are
   * @param content the copy
   * @param programs the array itself
   * @param isChecked whether indices are checked
   */
  public ConstantArray(
      String owner,
      String name,
      Element element,
      Object content,
      Object programs,
      boolean isChecked) {
    this.owner = owner;
    this.name = name;
    this.element = element;
    this.content = content;
    this.programs = programs;
    this.isChecked = isChecked;
  }

  /** {@return the internal name of the class that declares it} */
  public String owner() {
    return owner;
  }

  /** {@return the field's name} */
  public String name() {
    return name;
  }

  /** {@return what its elements are} */
  public Element element() {
    return element;
  }

  /** {@return the array with its content, which nobody may write} */
  public Object content() {
    return content;
  }

  /** {@return whether indices are checked} */
  public boolean isChecked() {
    return isChecked;
  }

  /** {@return how many elements it has} */
  public int length() {
    return Array.getLength(content);
  }

  /** {@return how many bytes its elements take} */
  public long bytes() {
    return (long) length() * element.bytes();
  }

  /** {@return an element} */
  public Constant get(int index) {
    return constant(content, index);
  }

  private static Constant constant(Object array, int index) {
    return switch (Array.get(array, index)) {
      case Boolean it -> Constant.of(it ? 1 : 0);
      case Character it -> Constant.of((int) it);
      case Byte it -> Constant.of((int) it);
      case Short it -> Constant.of((int) it);
      case Object it -> Constant.ofBoxed(it);
    };
  }

  /**
   * Requires that the program's array is still what it was when its content was copied.
   *
   * @throws IllegalStateException if it is not
   */
  public void requireUnchanged() {
    for (int i = 0; i < length(); i++) {
      Constant now = constant(programs, i);
      if (!now.isSame(get(i))) {
        throw new IllegalStateException(
            "the @Const array "
                + this
                + " has changed since its content was compiled in: element "
                + i
                + " was "
                + get(i).value()
                + " and is "
                + now.value()
                + "; pass an array of the device for numbers that change");
      }
    }
  }

  /** The class without its package, and the field. */
  @Override
  public String toString() {
    return owner.substring(owner.lastIndexOf('/') + 1).replace('$', '.') + "." + name;
  }
}
