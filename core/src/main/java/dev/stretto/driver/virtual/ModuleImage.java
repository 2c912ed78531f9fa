package dev.stretto.driver.virtual;

import dev.stretto.driver.FunctionProperties;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is looked at of a loaded image: the entries of PTX, and nothing of a cubin. */
final class ModuleImage {
  private static final byte[] ELF = {0x7F, 'E', 'L', 'F'};

  private final @Nullable Map<String, FunctionProperties> entries;

  private ModuleImage(@Nullable Map<String, FunctionProperties> entries) {
    this.entries = entries;
  }

  /** {@return the image, if it can be loaded} */
  static ModuleImage load(byte[] image) {
    if (image.length >= ELF.length
        && ByteBuffer.wrap(image, 0, ELF.length).equals(ByteBuffer.wrap(ELF))) {
      return new ModuleImage(null);
    }
    int length = image.length;
    while (length > 0 && image[length - 1] == 0) {
      length--;
    }
    try {
      String text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(image, 0, length)).toString();
      return new ModuleImage(new PtxText(text).entries());
    } catch (CharacterCodingException e) {
      throw CudaResult.INVALID_IMAGE.of(
          "cuModuleLoadDataEx",
          "%d bytes that are neither PTX text nor a cubin: %s".formatted(image.length, e));
    }
  }

  /** {@return what is known of a kernel} */
  FunctionProperties entry(String name) {
    if (entries == null) {
      return PtxText.UNKNOWN;
    }
    FunctionProperties found = entries.get(name);
    if (found == null) {
      throw CudaResult.NOT_FOUND.of(
          "cuModuleGetFunction",
          "the image has no entry '%s'; it has %s".formatted(name, entries.keySet()));
    }
    return found;
  }
}
