package dev.stretto.driver.virtual;

import dev.stretto.driver.Cubin;
import dev.stretto.driver.FunctionProperties;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is looked at of a loaded image: its entries, and the shared memory that they declare. */
final class ModuleImage {
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
    try {
      String text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(image, 0, length)).toString();
      return new ModuleImage(new PtxText(text).entries());
    } catch (CharacterCodingException e) {
      throw CudaResult.INVALID_IMAGE.of(
          "cuModuleLoadDataEx",
          "%d bytes that are neither PTX text, which is UTF-8, nor a cubin"
              .formatted(image.length));
    }
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
                          PtxText.UNKNOWN.maxThreadsPerBlock(),
                          PtxText.UNKNOWN.registers(),
                          sharedBytes.intValue(),
                          0)));
      return new ModuleImage(entries.isEmpty() ? null : entries);
    } catch (IllegalArgumentException e) {
      throw CudaResult.INVALID_IMAGE.of("cuModuleLoadDataEx", String.valueOf(e.getMessage()));
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
