package dev.stretto;

import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.route.Engine;
import dev.stretto.route.Module;
import java.util.HashMap;
import java.util.Map;

/** The images and kernels that are loaded on a device; each once, until the device is closed. */
final class LoadedKernels {
  private final Engine engine;
  private final Map<KernelImage, Module> modules = new HashMap<>();
  private final Map<DeviceKernel, LoadedKernel> kernels = new HashMap<>();

  LoadedKernels(Engine engine) {
    this.engine = engine;
  }

  synchronized LoadedKernel load(DeviceKernel kernel) {
    LoadedKernel loaded = kernels.get(kernel);
    if (loaded == null) {
      Module module =
          modules.computeIfAbsent(kernel.image(), image -> Module.load(engine, image.bytes()));
      loaded = engine.call(() -> find(kernel, module));
      kernels.put(kernel, loaded);
    }
    return loaded;
  }

  /** How many there are. */
  synchronized int count() {
    return kernels.size();
  }

  private LoadedKernel find(DeviceKernel kernel, Module module) {
    long function = engine.driver().function(module.handle(), kernel.entry(), kernel.twin());
    return new LoadedKernel(
        kernel,
        module,
        function,
        engine.driver().functionProperties(function),
        faultRecord(kernel));
  }

  private long faultRecord(DeviceKernel kernel) {
    // On a virtual device the method itself throws, and says where.
    return engine.isVirtual()
        ? 0
        : kernel.shape().faultWords().map(words -> engine.faultRecords().add(words)).orElse(0L);
  }
}
