package dev.stretto;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The kernels that methods were made into for a device; each once for each of its constants. */
final class MethodKernels {
  /**
   * Its equality is written out, since what the compiler would write goes through method handles:
   * of the many virtual threads that launch at the same moment some pinned their carriers there.
   */
  private record Key(KernelReference method, List<Object> constants, boolean checked) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key that
          && method.equals(that.method)
          && constants.equals(that.constants)
          && checked == that.checked;
    }

    @Override
    public int hashCode() {
      return (31 * method.hashCode() + constants.hashCode()) * 31 + Boolean.hashCode(checked);
    }
  }

  private final DeviceProperties properties;
  private final Map<Key, DeviceKernel> kernels = new ConcurrentHashMap<>();

  MethodKernels(DeviceProperties properties) {
    this.properties = properties;
  }

  /** The same on virtual devices: what a GPU's compiler refuses is refused there too. */
  DeviceKernel kernel(KernelReference method, List<Object> constants) {
    return kernels.computeIfAbsent(
        new Key(method, constants, method.isChecked()),
        key ->
            key.method()
                .compile(key.constants(), properties.computeMajor(), properties.computeMinor()));
  }
}
