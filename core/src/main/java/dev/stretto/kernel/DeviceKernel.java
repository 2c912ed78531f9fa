package dev.stretto.kernel;

import dev.stretto.compiler.KernelTarget;
import dev.stretto.compiler.LaunchText;
import dev.stretto.driver.KernelTwin;
import dev.stretto.kernel.host.KernelBody;
import dev.stretto.kernel.host.MethodTwin;
import dev.stretto.kernel.host.SynchronizationScan;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * A kernel: an entry of an image for the GPU, and a Java method that does the same on a virtual
 * device.
 *
 * <p>The method is static, returns nothing and takes a {@link ThreadBlock} first; its other
 * parameters are those of the entry, in order: {@code byte}, {@code short}, {@code int}, {@code
 * long}, {@code float}, {@code double}, records of them, which the entry sees as structs by value,
 * and the global array types, which the entry sees as pointers. It is called once for each thread,
 * and blocks of the grid may run at the same time.
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
  private final KernelTwin twin;
  private final CallShape shape;
  private final Supplier<KernelReach> reach;
  private final boolean meetsGrid;
  private final Supplier<List<String>> names;

  private DeviceKernel(
      KernelImage image,
      String entry,
      List<Parameter> parameters,
      KernelTwin twin,
      CallShape shape,
      Supplier<KernelReach> reach,
      boolean meetsGrid,
      Supplier<List<String>> names) {
    this.image = image;
    this.entry = entry;
    this.parameters = parameters;
    this.twin = twin;
    this.shape = shape;
    this.reach = reach;
    this.meetsGrid = meetsGrid;
    this.names = names;
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
    Objects.requireNonNull(owner, "owner");
    Objects.requireNonNull(method, "method");
    Method found = find(owner, method);
    List<Class<?>> types = KernelSignature.of(found, 0).values();
    KernelBody body =
        new KernelBody(
            handle(found),
            BlockCalls.CALLS,
            SynchronizationScan.finds(BlockCalls.WORDS, found),
            SynchronizationScan.findsAtomics(BlockCalls.WORDS, found),
            SynchronizationScan.findsCopies(BlockCalls.WORDS, found),
            SynchronizationScan.findsBulkReads(BlockCalls.WORDS, found),
            SynchronizationScan.findsTime(BlockCalls.WORDS, found),
            false,
            null);
    List<Parameter> parameters = Parameter.pack(types);
    return new DeviceKernel(
        image,
        entry,
        parameters,
        new MethodTwin(
            entry,
            new PackedArguments(parameters, List.of()),
            body,
            0,
            KernelTarget.USUAL,
            OptionalLong.empty(),
            false),
        CallShape.ofValues(parameters),
        new TwinReach(found, parameters),
        SynchronizationScan.calls(BlockCalls.WORDS, found, PtxGrid.class),
        () -> KernelReference.namesAfterBlock(found, 0));
  }

  /**
   * {@return a kernel}
   *
   * @param image the file that holds it
   * @param entry its name there
   * @param parameters its parameters, see {@link Parameter#pack}
   * @param twin the implementation for virtual devices
   */
  public static DeviceKernel of(
      KernelImage image, String entry, List<Parameter> parameters, KernelTwin twin) {
    for (Parameter parameter : Objects.requireNonNull(parameters, "parameters")) {
      Objects.requireNonNull(parameter, "an element of parameters");
    }
    return new DeviceKernel(
        Objects.requireNonNull(image, "image"),
        Objects.requireNonNull(entry, "entry"),
        List.copyOf(parameters),
        Objects.requireNonNull(twin, "twin"),
        CallShape.ofValues(parameters),
        () -> KernelReach.assumed(parameters),
        false,
        List::of);
  }

  /**
   * {@return a kernel that was compiled from its method}
   *
   * @param text the compiler's output
   * @param parameters its parameters, see {@link Parameter#pack}
   * @param twin the implementation for virtual devices
   * @param names finds the names of the parameters
   */
  static DeviceKernel compiled(
      LaunchText text, List<Parameter> parameters, KernelTwin twin, Supplier<List<String>> names) {
    KernelReach reach = KernelReach.inferred(parameters, text.reach());
    return new DeviceKernel(
        KernelImage.ofPtx(text.ptx().text()),
        text.ptx().entry(),
        parameters,
        twin,
        CallShape.ofCompiled(parameters, text.ptx()),
        () -> reach,
        text.ptx().text().contains(PtxGrid.MARK),
        names);
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
      return KernelSignature.withObjects(MethodHandles.lookup().unreflect(method));
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
   * <p>Without the hint, a launch is assumed to be limited by memory: every array that it uses is
   * moved once. A kernel that was created with its own {@code twin} models its time itself.
   *
   * @param operations the approximate number of 32-bit operations of a thread
   */
  public DeviceKernel withOperationsPerThread(double operations) {
    return twin instanceof MethodTwin method
        ? new DeviceKernel(
            image,
            entry,
            parameters,
            method.withOperationsPerThread(operations),
            shape,
            reach,
            meetsGrid,
            names)
        : this;
  }

  /**
   * {@return the same kernel with a declaration of what it does with its arguments} That is worth
   * something for a kernel that is PTX or machine code: what a method does is known. Where the
   * order of operations is checked, an array counts as read and written by a kernel of which
   * nothing is known, and a race that only that makes is logged as possible, once.
   *
   * @param uses what the kernel does with each argument; {@link ArgumentUse#NONE} for a number
   * @throws IllegalArgumentException if there are more or fewer than arguments, or a use of a
   *     number
   */
  public DeviceKernel withUses(ArgumentUse... uses) {
    for (ArgumentUse use : Objects.requireNonNull(uses, "uses")) {
      Objects.requireNonNull(use, "an element of uses");
    }
    List<ArgumentUse> all = List.of(uses);
    KernelReach declared = KernelReach.declared(parameters, all);
    return new DeviceKernel(
        image, entry, parameters, twin, shape, () -> declared, meetsGrid, names);
  }

  /** {@return what the kernel does with its arguments} */
  public KernelReach reach() {
    return reach.get();
  }

  /**
   * {@return whether the kernel's method, or a method that it calls, waits for all blocks of the
   * launch: {@link GridGroup#sync()}} Such a kernel can be launched only with {@code
   * Grid.cooperative()}. Of a kernel whose twin is no method nobody knows.
   */
  public boolean meetsGrid() {
    return meetsGrid;
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

  /** {@return the layout of a launch's arguments for the entry on a GPU} */
  public CallShape shape() {
    return shape;
  }

  /** {@return the implementation for virtual devices} */
  public KernelTwin twin() {
    return twin;
  }

  /**
   * {@return a parameter as its declaration, for messages, such as {@code float a}} The name is
   * left out if the class file does not tell it.
   *
   * @param index of the parameter, not counting the thread block
   * @throws IndexOutOfBoundsException if there is no such parameter
   */
  public String declaration(int index) {
    Objects.checkIndex(index, parameters.size());
    String type = parameters.get(index).type().getSimpleName();
    List<String> known = names.get();
    boolean named = index < known.size() && !Character.isDigit(known.get(index).charAt(0));
    return named ? type + " " + known.get(index) : type;
  }

  @Override
  public String toString() {
    return "kernel " + entry;
  }
}
