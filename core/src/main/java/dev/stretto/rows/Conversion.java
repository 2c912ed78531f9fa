package dev.stretto.rows;

import java.util.Objects;

/**
 * How floats of host memory have another form on a device.
 *
 * @param element the form
 * @param scale of {@link Element#BYTE}; 1 otherwise
 */
public record Conversion(Element element, float scale) {
  /** The form of an element on a device. */
  public enum Element {
    /** The bits of bfloat16. */
    BFLOAT(Short.BYTES),
    /** The bits of binary16. */
    HALF(Short.BYTES),
    /** A signed byte, which is the float times a scale. */
    BYTE(1);

    private final int bytes;

    Element(int bytes) {
      this.bytes = bytes;
    }

    /** {@return the bytes of an element on the device} */
    public int bytes() {
      return bytes;
    }
  }

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if the scale is 0 or not finite, or other than 1 for what has
   *     none
   */
  public Conversion {
    Objects.requireNonNull(element, "element");
    if (!Float.isFinite(scale) || scale == 0) {
      throw new IllegalArgumentException("a scale of " + scale + ": must be finite and not 0");
    }
    if (element != Element.BYTE && scale != 1) {
      throw new IllegalArgumentException(
          "a scale of " + scale + ": only bytes have one, and it has to be 1 here");
    }
  }

  /**
   * {@return rows of floats, converted like this}
   *
   * @param floats not converted yet
   * @throws IllegalArgumentException if they are converted already, or a row does not consist of
   *     floats of 4 bytes
   */
  public HostRows of(HostRows floats) {
    Objects.requireNonNull(floats, "floats");
    return new Converted(floats, this);
  }

  ElementForm form() {
    return switch (element) {
      case BFLOAT -> new ElementForm.Bfloats();
      case HALF -> new ElementForm.Halfs();
      case BYTE -> new ElementForm.Bytes(scale);
    };
  }
}
