package dev.stretto;

import dev.stretto.settings.OrderMode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The name by which a program opens a GPU: {@code cuda:0}, or {@code cuda:0,order=checked}.
 *
 * @param ordinal its number
 * @param order what is done about the order of operations; the system property says if this does
 *     not
 */
record GpuName(int ordinal, Optional<OrderMode> order) {
  static final String CUDA = "cuda:";
  private static final String ORDER = "order=";

  /**
   * {@return what a name says}
   *
   * @throws IllegalArgumentException if it is not of this form
   */
  static GpuName of(String name) {
    String[] words = name.substring(CUDA.length()).split(",", -1);
    try {
      int ordinal = Integer.parseInt(words[0]);
      if (words.length == 1) {
        return new GpuName(ordinal, Optional.empty());
      }
      if (words.length == 2 && words[1].startsWith(ORDER)) {
        OrderMode mode = OrderMode.named(words[1].substring(ORDER.length()));
        return new GpuName(ordinal, Optional.of(mode));
      }
    } catch (NumberFormatException e) {
      throw refused(name, e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + name + "': order: " + e.getMessage(), e);
    }
    throw refused(name, null);
  }

  private static IllegalArgumentException refused(String name, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "'"
            + name
            + "' names no device: after cuda: comes a number, such as cuda:0, and then perhaps"
            + " order=off, order=checked or order=automatic",
        cause);
  }
}
