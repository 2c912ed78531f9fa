package dev.stretto.driver.virtual;

import dev.stretto.driver.Cubin;
import dev.stretto.driver.FunctionProperties;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parts of an image that a virtual device reads: its entries and their shared memory. */
final class ModuleImage {
  private static final int PIECE = 8192;
  private static final int MOST_NAMES = 20;

  private final @Nullable Map<String, FunctionProperties> entries;

  private ModuleImage(@Nullable Map<String, FunctionProperties> entries) {
    this.entries = entries;
  }

  /** {@return the image, if it can be loaded} */
  static ModuleImage load(byte[] image) {
    if (Cubin.isMachineCode(image)) {
      return ofMachineCode(image);
    }
    int length = image.length;
    while (length > 0 && image[length - 1] == 0) {
      length--;
    }
    if (!isUtf8(image, length)) {
      throw CudaResult.INVALID_IMAGE.of(
          "cuModuleLoadDataEx",
          "%d bytes that are neither PTX text in UTF-8 nor a cubin".formatted(image.length));
    }
    return new ModuleImage(new PtxOutline(image, length).entries());
  }

  /** Checks piece by piece, because decoded text would be several times as large. */
  private static boolean isUtf8(byte[] image, int length) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer bytes = ByteBuffer.wrap(image, 0, length);
    CharBuffer piece = CharBuffer.allocate(PIECE);
    CoderResult result = CoderResult.OVERFLOW;
    while (result.isOverflow()) {
      result = decoder.decode(bytes, piece.clear(), true);
    }
    return !result.isError();
  }

  private static ModuleImage ofMachineCode(byte[] image) {
    try {
      Map<String, FunctionProperties> entries = new LinkedHashMap<>();
      Cubin.kernels(image)
          .forEach(
              (name, sharedBytes) ->
                  entries.put(
                      name,
                      new FunctionProperties(
                          PtxOutline.UNKNOWN.maxThreadsPerBlock(),
                          PtxOutline.UNKNOWN.registers(),
                          sharedBytes.intValue(),
                          0)));
      return new ModuleImage(entries.isEmpty() ? null : entries);
    } catch (IllegalArgumentException e) {
      throw CudaResult.INVALID_IMAGE.of("cuModuleLoadDataEx", String.valueOf(e.getMessage()));
    }
  }

  /** {@return the properties of a kernel} */
  FunctionProperties entry(String name) {
    if (entries == null) {
      return PtxOutline.UNKNOWN;
    }
    FunctionProperties found = entries.get(name);
    if (found == null) {
      throw CudaResult.NOT_FOUND.of(
          "cuModuleGetFunction",
          "the image has no entry '%s'; it has %s%s"
              .formatted(
                  PtxOutline.shortened(name),
                  entries.keySet().stream().limit(MOST_NAMES).map(PtxOutline::shortened).toList(),
                  entries.size() > MOST_NAMES ? " and " + (entries.size() - MOST_NAMES) : ""));
    }
    return found;
  }
}
