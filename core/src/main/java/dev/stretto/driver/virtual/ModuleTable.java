package dev.stretto.driver.virtual;

import dev.stretto.driver.FunctionProperties;
import dev.stretto.driver.KernelTwin;
import java.util.HashMap;
import java.util.Map;

/** The modules and kernels of a context by handle. Guarded by the platform's lock. */
final class ModuleTable {
  private final PrimaryContext context;
  private final Map<Long, ModuleImage> modules = new HashMap<>();
  private final Map<Long, LoadedFunction> functions = new HashMap<>();

  ModuleTable(PrimaryContext context) {
    this.context = context;
  }

  long add(ModuleImage image) {
    long handle = context.platform().nextHandle();
    modules.put(handle, image);
    return handle;
  }

  void remove(long module) {
    if (modules.remove(module) == null) {
      throw unknown("cuModuleUnload", "module", module);
    }
    functions.values().removeIf(function -> function.module() == module);
  }

  long function(long module, String entry, KernelTwin twin) {
    ModuleImage image = modules.get(module);
    if (image == null) {
      throw unknown("cuModuleGetFunction", "module", module);
    }
    FunctionProperties properties = image.entry(entry);
    long handle = context.platform().nextHandle();
    functions.put(handle, new LoadedFunction(module, entry, properties, twin));
    return handle;
  }

  LoadedFunction get(String call, long function) {
    LoadedFunction found = functions.get(function);
    if (found == null) {
      throw unknown(call, "function", function);
    }
    return found;
  }

  int count() {
    return modules.size();
  }

  void clear() {
    modules.clear();
    functions.clear();
  }

  private RuntimeException unknown(String call, String what, long handle) {
    return CudaResult.INVALID_HANDLE.of(
        call,
        "virtual device %d has no %s %s"
            .formatted(context.ordinal(), what, DeviceSpace.name(handle)));
  }
}
