package dev.stretto.cli;

import dev.stretto.compiler.bank.BlockShape;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The threads of a block as users write them: 256, 32x8 or 8x8x4. */
final class BlockOption implements ITypeConverter<BlockShape> {
  private static final Pattern FORM =
      Pattern.compile("([1-9][0-9]{0,3})(?:x([1-9][0-9]{0,3}))?(?:x([1-9][0-9]{0,3}))?");

  private static final int MOST = 1024;

  @Override
  public BlockShape convert(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not the shape of a block: use 256, 32x8 or 8x8x4");
    }
    long threads = 1;
    int[] extents = {1, 1, 1};
    for (int i = 0; i < extents.length; i++) {
      String extent = matcher.group(i + 1);
      extents[i] = extent == null ? 1 : Integer.parseInt(extent);
      threads *= extents[i];
    }
    if (threads > MOST) {
      throw new TypeConversionException(
          "a block of %s has %d threads, and can have %d".formatted(text.strip(), threads, MOST));
    }
    return new BlockShape(extents[0], extents[1], extents[2]);
  }
}
