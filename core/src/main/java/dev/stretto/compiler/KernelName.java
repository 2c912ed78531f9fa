package dev.stretto.compiler;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The name under which a compiled kernel is kept. Two kernels have the same name only if the
 * compiler had the same input: each value is written with its type and, if lengths can differ, its
 * length, so that two different lists of values never look alike.
 */
final class KernelName {
  static final String SUFFIX = ".kernel";

  private static final int MOST_LETTERS = 64;

  private KernelName() {}

  /** A kernel's name, or nothing if one of its values cannot be written. */
  static Optional<String> of(KernelSource source, KernelTarget target) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      text(out, CompilerBuild.ID);
      text(out, target.toString());
      out.writeBoolean(source.checked());
      text(out, source.owner());
      text(out, source.method());
      text(out, source.descriptor());
      out.writeInt(source.constants().size());
      for (Map.Entry<Integer, Object> constant : new TreeMap<>(source.constants()).entrySet()) {
        out.writeInt(constant.getKey());
        if (!value(out, constant.getValue())) {
          return Optional.empty();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot be written", e);
    }
    String letters = source.method().replaceAll("[^A-Za-z0-9_]", "_");
    return Optional.of(
        letters.substring(0, Math.min(letters.length(), MOST_LETTERS))
            + "-"
            + HexFormat.of().formatHex(Sha256.of(bytes.toByteArray()), 0, 16)
            + SUFFIX);
  }

  /**
   * Writes a value as the compiler sees it: numbers by their bits, so that NaNs and zeros are
   * distinguished, and an enum constant by its name, since the program decides what its {@code
   * toString} returns.
   *
   * @return whether the compiler compiles such values in
   */
  private static boolean value(DataOutputStream out, Object value) throws IOException {
    switch (value) {
      case Enum<?> it -> {
        text(out, "enum " + it.getDeclaringClass().getName());
        text(out, it.name());
      }
      case Float it -> number(out, value, Float.floatToRawIntBits(it));
      case Double it -> number(out, value, Double.doubleToRawLongBits(it));
      case Boolean it -> number(out, value, it ? 1 : 0);
      case Character it -> number(out, value, it);
      case Byte it -> number(out, value, it);
      case Short it -> number(out, value, it);
      case Integer it -> number(out, value, it);
      case Long it -> number(out, value, it);
      case String it -> {
        text(out, it.getClass().getName());
        text(out, it);
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private static void number(DataOutputStream out, Object value, long bits) throws IOException {
    text(out, value.getClass().getName());
    out.writeLong(bits);
  }

  /** Written character by character: half of a surrogate pair has no encoding in UTF-8. */
  private static void text(DataOutputStream out, String text) throws IOException {
    out.writeInt(text.length());
    out.writeChars(text);
  }
}
