package dev.stretto.kernel;

import dev.stretto.driver.KernelTwin;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A kernel: an entry of an image for the GPU, and the Java method that does the same on a virtual
 * device.
 *
 * <p>The method is static, returns nothing and takes a {@link ThreadBlock} first; its other
 * parameters are those of the entry, in order: {@code byte}, {@code short}, {@code int}, {@code
 * long}, {@code float}, {@code double}, and the global array types, which the entry sees as
 * pointers. It is called once for each thread, and blocks of the grid may run at the same time.
 * Threads of a block run one after the other, so a kernel whose threads talk to each other cannot
 * have such a twin.
 *
 * <pre>{@code
 * static void saxpy(ThreadBlock block, float a, GlobalFloats x, GlobalFloats y, int n) {
 *   long i = block.globalIndexX();
 *   if (i < n) {
 *     y.set(i, a * x.get(i) + y.get(i));
 *   }
 * }
 *
 * DeviceKernel saxpy = DeviceKernel.of(KernelImage.ofPtx(text), "saxpy", Kernels.class, "saxpy");
 * }</pre>
 *
 * Kernels are immutable and may be shared by devices and threads.
 */
public final class DeviceKernel {
  private final KernelImage image;
  private final String entry;
  private final List<Parameter> parameters;
  private final long packedBytes;
  private final MethodHandle method;
  private final double operationsPerThread;

  private DeviceKernel(
      KernelImage image,
      String entry,
      List<Parameter> parameters,
      long packedBytes,
      MethodHandle method,
      double operationsPerThread) {
    this.image = image;
    this.entry = entry;
    this.parameters = parameters;
    this.packedBytes = packedBytes;
    this.method = method;
    this.operationsPerThread = operationsPerThread;
  }

  /**
   * {@return a kernel}
   *
   * @param image the file that holds it
   * @param entry its name there ({@code extern "C"}, or mangled)
   * @param owner the class with the Java method; the method, and the class if it is in a named
   *     module that does not open it, must be public
   * @param method the method's name; only one method of the class may have it
   * @throws IllegalArgumentException if there is no such method, or it is not static, or a kernel
   *     cannot have its parameters
   */
  public static DeviceKernel of(KernelImage image, String entry, Class<?> owner, String method) {
    Objects.requireNonNull(image, "image");
    Objects.requireNonNull(entry, "entry");
    Method found = find(owner, method);
    Class<?>[] types = found.getParameterTypes();
    String where = owner.getName() + "." + method;
    if (!Modifier.isStatic(found.getModifiers()) || found.getReturnType() != void.class) {
      throw new IllegalArgumentException(
          where + " has to be static and return nothing to be a kernel's twin");
    }
    if (types.length == 0 || types[0] != ThreadBlock.class) {
      throw new IllegalArgumentException(
          where + " has to take a ThreadBlock first to be a kernel's twin");
    }
    List<Parameter> parameters = new ArrayList<>();
    long end = 0;
    for (int i = 1; i < types.length; i++) {
      Integer bytes = Parameter.valueBytes(types[i]);
      if (bytes == null) {
        throw new IllegalArgumentException(
            "parameter "
                + (i - 1)
                + " of "
                + where
                + " is a "
                + types[i].getTypeName()
                + ": a kernel takes byte, short, int, long, float, double and global arrays");
      }
      long offset = (end + bytes - 1) / bytes * bytes;
      boolean array = !types[i].isPrimitive();
      parameters.add(new Parameter(types[i], offset, array ? 0 : -1));
      end = offset + bytes;
    }
    long lengths = (end + 7) / 8 * 8;
    for (int i = 0; i < parameters.size(); i++) {
      Parameter parameter = parameters.get(i);
      if (parameter.isArray()) {
        parameters.set(i, new Parameter(parameter.type(), parameter.offset(), lengths));
        lengths += 8;
      }
    }
    return new DeviceKernel(image, entry, List.copyOf(parameters), lengths, handle(found), 0);
  }

  private static Method find(Class<?> owner, String name) {
    List<Method> found =
        Arrays.stream(owner.getDeclaredMethods())
            .filter(method -> method.getName().equals(name) && !method.isSynthetic())
            .toList();
    if (found.size() != 1) {
      throw new IllegalArgumentException(
          owner.getName()
              + " has "
              + found.size()
              + " methods named "
              + name
              + ": a kernel's twin is exactly one");
    }
    return found.getFirst();
  }

  private static MethodHandle handle(Method method) {
    try {
      method.setAccessible(true);
      return MethodHandles.lookup().unreflect(method);
    } catch (IllegalAccessException | RuntimeException e) {
      throw new IllegalArgumentException(
          method
              + " cannot be called: make it and its class public, or open its package to"
              + " dev.stretto",
          e);
    }
  }

  /**
   * {@return the same kernel with a hint for the modelled clock of virtual devices}
   *
   * <p>Without it, a launch is taken to be bound by memory: every array that it is given is moved
   * once.
   *
   * @param operations 32-bit operations that a thread does, about
   */
  public DeviceKernel withOperationsPerThread(double operations) {
    return new DeviceKernel(image, entry, parameters, packedBytes, method, operations);
  }

  /** {@return the file that holds the kernel} */
  public KernelImage image() {
    return image;
  }

  /** {@return the kernel's name in its image} */
  public String entry() {
    return entry;
  }

  /** {@return the parameters, without the thread block} */
  public List<Parameter> parameters() {
    return parameters;
  }

  /** {@return the bytes of the packed parameters, the arrays' lengths behind them included} */
  public long packedBytes() {
    return packedBytes;
  }

  /** {@return what runs on a virtual device} */
  public KernelTwin twin() {
    return new MethodTwin(entry, parameters, method, operationsPerThread);
  }

  @Override
  public String toString() {
    return "kernel " + entry;
  }
}
