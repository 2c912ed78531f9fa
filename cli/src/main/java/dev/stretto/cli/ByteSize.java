package dev.stretto.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Numbers of bytes as users write and read them: 4096, 64K, 16M, 1G, in powers of 1,024. */
final class ByteSize implements ITypeConverter<Long> {
  private static final Pattern FORM =
      Pattern.compile("([0-9]{1,40})([kmg]?)(i?b)?", Pattern.CASE_INSENSITIVE);

  private static final String PREFIXES = "KMG";

  @Override
  public Long convert(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a number of bytes: use 4096, 64K, 16M or 1G");
    }
    int power = PREFIXES.indexOf(matcher.group(2).toUpperCase(Locale.ROOT));
    long unit = matcher.group(2).isEmpty() ? 1 : 1L << (10 * (power + 1));
    try {
      return Math.multiplyExact(Long.parseLong(matcher.group(1)), unit);
    } catch (ArithmeticException | NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' is too many bytes");
    }
  }

  /** A readable size: 256 MiB, 1.5 GiB, 100 bytes. */
  static String show(long bytes) {
    double value = bytes;
    int power = -1;
    while (value >= 1024 && power < PREFIXES.length() - 1) {
      value /= 1024;
      power++;
    }
    if (power < 0) {
      return bytes == 1 ? "1 byte" : bytes + " bytes";
    }
    String number = String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.1f", value);
    return number + " " + PREFIXES.charAt(power) + "iB";
  }
}
