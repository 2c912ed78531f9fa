package dev.stretto.compiler.ptx;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The constant texts of a module, as C sees them: bytes in global memory that end with a zero. */
final class Texts {
  private final String prefix;
  private final Map<String, String> names = new LinkedHashMap<>();

  /**
   * @param kernel the name of the kernel, which is unique in a module
   */
  Texts(String kernel) {
    this.prefix = kernel + "_text";
  }

  /** {@return the name of the variable that holds a text} */
  String name(String text) {
    String next = prefix + names.size();
    return names.computeIfAbsent(text, _ -> next);
  }

  String declarations() {
    StringBuilder out = new StringBuilder();
    names.forEach(
        (text, name) -> {
          byte[] bytes = (text + "\0").getBytes(StandardCharsets.UTF_8);
          List<String> numbers = new ArrayList<>();
          for (byte one : bytes) {
            numbers.add(String.valueOf(one & 0xff));
          }
          out.append(".global .align 1 .b8 ").append(name).append('[').append(bytes.length);
          out.append("] = {").append(String.join(", ", numbers)).append("};\n");
        });
    return out.toString();
  }
}
