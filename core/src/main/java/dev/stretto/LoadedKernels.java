package dev.stretto;

import dev.stretto.fault.KernelImageException;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.Module;
import java.lang.ref.Cleaner;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The images and kernels that are loaded on a device, each once. If there are very many, the least
 * recently used are unloaded; an image that is used again is loaded again. The image of a prepared
 * launch or a graph stays loaded until that is unreachable, and no image is unloaded before work in
 * progress that uses it is done.
 */
final class LoadedKernels {
  /** More images than a program has, unless it keeps making new ones. */
  private static final int MOST_IMAGES = 1024;

  /**
   * Reports when no launch has a kernel any more. Initialized when the first such kernel has to be
   * unloaded.
   */
  private static final class Unreachable {
    static final Cleaner CLEANER = Cleaner.create();
  }

  private static final HexFormat HEX = HexFormat.ofDelimiter(" ");
  private static final byte[] CUBIN = {0x7f, 'E', 'L', 'F'};
  private static final byte[] FATBIN = {0x50, (byte) 0xed, 0x55, (byte) 0xba};

  private final DeviceRuntime engine;
  private final Map<KernelImage, Module> modules = new HashMap<>();

  /** The least recently used kernel comes first. */
  private final Map<DeviceKernel, LoadedKernel> kernels = new LinkedHashMap<>(16, 0.75f, true);

  private long loads;
  private boolean warned;

  /** Whether kernels may have to be unloaded, so that it counts which one was used last. */
  private volatile boolean crowded;

  LoadedKernels(DeviceRuntime engine) {
    this.engine = engine;
  }

  /**
   * Loads a kernel, unless it is loaded already.
   *
   * @param prepared whether the program may keep a launch or graph that uses the kernel
   */
  LoadedKernel load(DeviceKernel kernel, boolean prepared) {
    LoadedKernel loaded;
    boolean warn;
    synchronized (this) {
      loaded = kernels.get(kernel);
      if (loaded == null) {
        loaded = add(kernel);
      }
      if (prepared) {
        loaded.prepared().set(true);
      }
      warn = modules.size() > MOST_IMAGES && unloadOldest();
    }
    if (warn) {
      System.getLogger("dev.stretto")
          .log(
              System.Logger.Level.WARNING,
              "more than %d kernel images are loaded on %s; from now on the least recently used are"
                      .formatted(MOST_IMAGES, engine.name())
                  + " unloaded, and loaded again when they are used. Make each KernelImage and"
                  + " DeviceKernel once and keep it");
    }
    return loaded;
  }

  private LoadedKernel add(DeviceKernel kernel) {
    Module module = modules.computeIfAbsent(kernel.image(), image -> load(kernel, image));
    LoadedKernel loaded = engine.call(() -> find(kernel, module));
    kernels.put(kernel, loaded);
    crowded |= modules.size() >= MOST_IMAGES;
    loads++;
    return loaded;
  }

  private Module load(DeviceKernel kernel, KernelImage image) {
    byte[] bytes = image.bytes();
    try {
      return Module.load(engine, bytes);
    } catch (KernelImageException e) {
      if (image.isPtx() || beginsWith(bytes, CUBIN) || beginsWith(bytes, FATBIN)) {
        throw e;
      }
      throw new KernelImageException(
          ("the image of %s, %s, is no machine code: it begins with %s, a cubin with %s and a"
                  + " fatbin with %s. Text is an image by KernelImage.ofPtx. The driver took it"
                  + " for text: %s")
              .formatted(
                  kernel,
                  image,
                  HEX.formatHex(bytes, 0, Math.min(CUBIN.length, bytes.length)),
                  HEX.formatHex(CUBIN),
                  HEX.formatHex(FATBIN),
                  e.getMessage()),
          e);
    }
  }

  private static boolean beginsWith(byte[] bytes, byte[] magic) {
    int length = Math.min(bytes.length, magic.length);
    return Arrays.equals(bytes, 0, length, magic, 0, magic.length);
  }

  /** Unloads the least recently used image, and returns whether to log a warning. */
  private boolean unloadOldest() {
    unload(kernels.keySet().iterator().next());
    boolean first = !warned;
    warned = true;
    return first;
  }

  /** Unloads a kernel's image and all its kernels, as soon as they are no longer used. */
  synchronized void unload(DeviceKernel kernel) {
    Module module = modules.remove(kernel.image());
    if (module == null) {
      return;
    }
    boolean prepared = false;
    for (LoadedKernel loaded : kernels.values()) {
      if (loaded.module().equals(module) && loaded.prepared().get()) {
        prepared = true;
        // All kernels of the image share the module: the last one to become unreachable releases
        // it.
        module.retain();
        Unreachable.CLEANER.register(loaded, module::letGoOf);
      }
    }
    kernels.values().removeIf(loaded -> loaded.module().equals(module));
    if (!prepared) {
      module.closeAfterLastUse();
    }
  }

  /** Whether every use of a kernel has to be noted, by {@link #load}. */
  boolean isCrowded() {
    return crowded;
  }

  /** The number of kernels loaded so far. */
  synchronized long loads() {
    return loads;
  }

  private LoadedKernel find(DeviceKernel kernel, Module module) {
    long function = engine.driver().function(module.handle(), kernel.entry(), kernel.twin());
    EntryParameters.require(kernel);
    return new LoadedKernel(
        kernel,
        module,
        function,
        engine.driver().functionProperties(function),
        faultRecord(kernel, module),
        new IdleLaunches(engine));
  }

  private long faultRecord(DeviceKernel kernel, Module module) {
    // On a virtual device the method itself throws, with the place.
    return engine.isVirtual()
        ? 0
        : kernel.shape().faultWords().map(module::addFaultRecord).orElse(0L);
  }
}
