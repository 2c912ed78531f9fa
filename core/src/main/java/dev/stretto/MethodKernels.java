package dev.stretto;

import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.kernel.KernelReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The kernels that methods were made into for a device; each once for each of its constants. */
final class MethodKernels {
  private record Key(KernelReference method, List<Object> constants) {}

  private final Map<Key, DeviceKernel> kernels = new ConcurrentHashMap<>();

  DeviceKernel kernel(KernelReference method, List<Object> constants, boolean virtual) {
    return kernels.computeIfAbsent(new Key(method, constants), key -> make(key, virtual));
  }

  private static DeviceKernel make(Key key, boolean virtual) {
    if (!virtual) {
      throw new UnsupportedOperationException(
          key.method() + " cannot be launched on a GPU yet: launch a DeviceKernel with an image");
    }
    String entry = key.method().name();
    return DeviceKernel.of(
        KernelImage.ofPtx(entryOnly(entry)),
        entry,
        key.method().parameters(),
        key.method().twin(entry, key.constants()));
  }

  /** A virtual device looks for the entry and at nothing else. */
  private static String entryOnly(String entry) {
    return """
    .version 7.8
    .target sm_80
    .address_size 64
    .visible .entry %s()
    {
      ret;
    }
    """
        .formatted(entry);
  }
}
