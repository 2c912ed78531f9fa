package dev.stretto;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The kernels that methods were made into for a device; each once for each of its constants. */
final class MethodKernels {
  private record Key(KernelReference method, List<Object> constants, boolean checked) {}

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
