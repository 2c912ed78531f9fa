package dev.stretto.compiler.ir;

/**
 * A known value: a Boolean, Integer, Long, Float or Double according to its type; a String, an
 * {@link EnumName} or a {@link ConstantArray} for REF.
 */
public final class Constant extends Value {
  /** The false predicate. */
  public static final Constant FALSE = new Constant(Type.BOOL, false);

  /** The true predicate. */
  public static final Constant TRUE = new Constant(Type.BOOL, true);

  /**
   * A constant of an enum.
   *
   * @param owner the enum's internal name
   * @param name the constant's name
   */
  public record EnumName(String owner, String name) {}

  private final Object value;

  private Constant(Type type, Object value) {
    super(type);
    this.value = value;
  }

  /** {@return a predicate} */
  public static Constant of(boolean value) {
    return value ? TRUE : FALSE;
  }

  /** {@return an INT} */
  public static Constant of(int value) {
    return new Constant(Type.INT, value);
  }

  /** {@return a LONG} */
  public static Constant of(long value) {
    return new Constant(Type.LONG, value);
  }

  /** {@return a FLOAT} */
  public static Constant of(float value) {
    return new Constant(Type.FLOAT, value);
  }

  /** {@return a DOUBLE} */
  public static Constant of(double value) {
    return new Constant(Type.DOUBLE, value);
  }

  /** {@return text, or a constant of an enum} */
  public static Constant ofObject(Object value) {
    return new Constant(Type.REF, value);
  }

  /** {@return a constant of a boxed value} */
  public static Constant ofBoxed(Object value) {
    return switch (value) {
      case Boolean it -> of(it.booleanValue());
      case Integer it -> of(it.intValue());
      case Long it -> of(it.longValue());
      case Float it -> of(it.floatValue());
      case Double it -> of(it.doubleValue());
      default -> ofObject(value);
    };
  }

  /** {@return Java's default value for a field of this type} */
  public static Constant zero(Type type) {
    return switch (type) {
      case BOOL -> FALSE;
      case INT -> of(0);
      case LONG -> of(0L);
      case FLOAT -> of(0f);
      case DOUBLE -> of(0d);
      default -> throw new IllegalArgumentException("there is no zero of type " + type);
    };
  }

  /** {@return the boxed value} */
  public Object value() {
    return value;
  }

  /** {@return the value of an INT or a LONG} */
  public long asLong() {
    return ((Number) value).longValue();
  }

  /** {@return the value of an INT} */
  public int asInt() {
    return (Integer) value;
  }

  /** {@return the value of a predicate} */
  public boolean asBoolean() {
    return (Boolean) value;
  }

  /** {@return whether both have the same type and the same bits} */
  public boolean isSame(Constant other) {
    return type() == other.type() && value.equals(other.value);
  }

  @Override
  public String toString() {
    return switch (type()) {
      case LONG -> value + "L";
      case FLOAT -> value + "f";
      case REF -> "\"" + value + "\"";
      default -> String.valueOf(value);
    };
  }
}
