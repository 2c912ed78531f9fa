package dev.stretto.settings;

import dev.stretto.fault.SettingException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One system property: its name, its allowed values, and its value in this process.
 *
 * @param <T> the type of its value
 */
public final class Setting<T> {
  /** When a property is read. Setting it later has no effect until it is read again. */
  public enum Read {
    /** All devices of a process, and all classes, see the same value. */
    FIRST_DEVICE("once, when the first device is opened"),
    EVERY_DEVICE("whenever a device is opened"),
    EVERY_CHOICE("at each `Device.open()`"),
    FIRST_GPU("once, when Stretto first looks for a GPU"),
    EVERY_COMMUNICATOR("whenever a communicator is made"),
    FIRST_COMMUNICATOR("once, when the first communicator of a GPU is made"),
    EVERY_LAUNCH("whenever a method is launched or prepared"),
    EVERY_COMPILATION("whenever a kernel is compiled");

    private final String text;

    Read(String text) {
      this.text = text;
    }

    /** {@return the time in the guide's words} */
    public String text() {
      return text;
    }
  }

  private final String name;
  private final String unit;
  private final String allowed;
  private final String byDefault;
  private final Read read;
  private final String effect;
  private final Supplier<T> unset;
  private final Function<String, T> parser;
  private volatile @Nullable T kept;

  /**
   * Describes a property.
   *
   * @param name with its prefix
   * @param unit the unit of a number, or nothing
   * @param allowed the allowed values, in words
   * @param byDefault the value that counts if the property is not set, in words
   * @param read when it is read
   * @param effect what it does
   * @param unset supplies the value if the property is not set
   * @param parser parses a value; throws an {@link IllegalArgumentException} that says what is
   *     wrong with the text
   */
  Setting(
      String name,
      String unit,
      String allowed,
      String byDefault,
      Read read,
      String effect,
      Supplier<T> unset,
      Function<String, T> parser) {
    this.name = name;
    this.unit = unit;
    this.allowed = allowed;
    this.byDefault = byDefault;
    this.read = read;
    this.effect = effect;
    this.unset = unset;
    this.parser = parser;
  }

  /**
   * {@return the value; for a property that is read once, the value when the first device was
   * opened}
   *
   * @throws SettingException if the property has a value that is not allowed
   */
  public T value() {
    if (read != Read.FIRST_DEVICE) {
      return parsed();
    }
    T known = kept;
    return known == null ? keep(parsed()) : known;
  }

  /** {@return whether the property is set, to any value} */
  public boolean isSet() {
    return System.getProperty(name) != null;
  }

  /**
   * {@return the value that the property has now}
   *
   * @throws SettingException if that value is not allowed
   */
  T parsed() {
    String text = System.getProperty(name);
    return text == null ? unset.get() : parse(text);
  }

  /**
   * {@return the value that a text stands for}
   *
   * @throws SettingException if it is not an allowed value
   */
  T parse(String text) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw refused(text, e);
    }
  }

  /** {@return the value that counts from now on: the first one that was kept} */
  synchronized T keep(T value) {
    T known = kept;
    if (known != null) {
      return known;
    }
    kept = value;
    return value;
  }

  boolean isKept() {
    return kept != null;
  }

  /**
   * {@return an exception that refuses a value}
   *
   * @param text the value
   * @param why an exception whose message says what is wrong with it
   */
  public SettingException refused(String text, IllegalArgumentException why) {
    return new SettingException(
        option() + "=" + text + ": " + why.getMessage() + "; allowed: " + allowed, why);
  }

  /** {@return the property as an option of the command line, without its value} */
  public String option() {
    return "-D" + name;
  }

  /** {@return its name, with the prefix} */
  public String name() {
    return name;
  }

  /** {@return the unit of its value, or nothing} */
  public String unit() {
    return unit;
  }

  /** {@return the allowed values, in words} */
  public String allowed() {
    return allowed;
  }

  /** {@return the value that counts if the property is not set, in words} */
  public String byDefault() {
    return byDefault;
  }

  /** {@return when it is read} */
  public Read read() {
    return read;
  }

  /** {@return what it does} */
  public String effect() {
    return effect;
  }

  @Override
  public String toString() {
    return name;
  }
}
