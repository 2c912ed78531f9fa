package dev.stretto.kernel;

import dev.stretto.compiler.KernelCompiler;
import dev.stretto.compiler.KernelSource;
import dev.stretto.compiler.KernelStore;
import dev.stretto.compiler.KernelTarget;
import dev.stretto.compiler.LaunchText;
import dev.stretto.compiler.ParameterNames;
import dev.stretto.compiler.ir.ConstantArray;
import dev.stretto.driver.KernelTwin;
import dev.stretto.kernel.host.KernelBody;
import dev.stretto.kernel.host.MethodTwin;
import dev.stretto.kernel.host.SynchronizationScan;
import dev.stretto.settings.Settings;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The target of a {@link KernelMethod}: a static method, and the values that a lambda has captured.
 *
 * <p>Two references are equal if the method is the same and the captured values are equal.
 */
public final class KernelReference {
  /** The references that each class of lambdas stands for. */
  private static final ClassValue<KnownReferences> KNOWN =
      new ClassValue<>() {
        @Override
        protected KnownReferences computeValue(Class<?> type) {
          return new KnownReferences(type);
        }
      };

  private final KernelMethod kernel;
  private final Method method;
  private final List<Object> captured;
  private final KernelSignature signature;
  private final List<Parameter> parameters;
  private final int[] places;
  private final int hash;
  private volatile @Nullable Boolean asserts;
  private volatile @Nullable Boolean synchronizes;
  private volatile @Nullable Boolean copies;
  private volatile @Nullable Boolean communicates;
  private volatile @Nullable Boolean fetches;
  private volatile @Nullable Boolean keepsTime;

  private KernelReference(KernelMethod kernel, Method method, List<Object> captured) {
    this.kernel = kernel;
    this.method = method;
    this.captured = captured;
    this.signature = KernelSignature.of(method, captured.size());
    this.parameters = Parameter.pack(signature.values());
    this.places = signature.places();
    this.hash = 31 * method.hashCode() + captured.hashCode();
  }

  /** Creates a reference to the same method with other captured values. */
  private KernelReference(KernelReference other, KernelMethod kernel, List<Object> captured) {
    this.kernel = kernel;
    this.method = other.method;
    this.captured = captured;
    this.signature = other.signature;
    this.parameters = other.parameters;
    this.places = other.places;
    this.hash = 31 * method.hashCode() + captured.hashCode();
  }

  /**
   * {@return the target of a method reference or lambda}
   *
   * @param kernel a method reference or lambda
   * @throws IllegalArgumentException if it is neither, or refers to something that cannot be a
   *     kernel
   */
  public static KernelReference of(KernelMethod kernel) {
    KnownReferences known = KNOWN.get(Objects.requireNonNull(kernel, "kernel").getClass());
    KernelReference reference = known.find(kernel);
    return reference == null ? known.add(kernel, resolve(kernel)) : reference;
  }

  /** {@return a reference to the same method, for another lambda of the same class} */
  KernelReference with(KernelMethod other, List<Object> values) {
    return new KernelReference(this, other, values);
  }

  /** {@return whether this is the reference of this very object} */
  @SuppressWarnings("ReferenceEquality") // lambdas have no other
  boolean isOf(KernelMethod other) {
    return kernel == other;
  }

  private static KernelReference resolve(KernelMethod kernel) {
    SerializedLambda lambda = Replacement.of(kernel);
    if (lambda == null) {
      throw new IllegalArgumentException(
          kernel.getClass().getName()
              + " is a class of its own: a kernel is launched by a method reference, such as"
              + " Kernels::saxpy");
    }
    String name = lambda.getImplClass().replace('/', '.') + "." + lambda.getImplMethodName();
    if (lambda.getImplMethodKind() != MethodHandleInfo.REF_invokeStatic) {
      throw new IllegalArgumentException(
          name + " is not static, or the lambda captures 'this': a kernel has no object");
    }
    List<Object> captured = new ArrayList<>();
    for (int i = 0; i < lambda.getCapturedArgCount(); i++) {
      Object value = lambda.getCapturedArg(i);
      if (value == null) {
        throw new IllegalArgumentException(name + " captures null, which no kernel can use");
      }
      captured.add(value);
    }
    Method method = method(kernel, lambda);
    for (int i = 0; i < captured.size(); i++) {
      CapturedValues.require(method, i, captured.get(i));
    }
    return new KernelReference(kernel, method, List.copyOf(captured));
  }

  private static Method method(KernelMethod kernel, SerializedLambda lambda) {
    ClassLoader loader = kernel.getClass().getClassLoader();
    try {
      Class<?> owner = Class.forName(lambda.getImplClass().replace('/', '.'), false, loader);
      MethodType type =
          MethodType.fromMethodDescriptorString(lambda.getImplMethodSignature(), loader);
      return owner.getDeclaredMethod(lambda.getImplMethodName(), type.parameterArray());
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("the method behind " + lambda + " cannot be found", e);
    }
  }

  /** {@return the class that has the method} */
  public Class<?> owner() {
    return method.getDeclaringClass();
  }

  /** {@return the method's name; for a lambda, the Java compiler has made it} */
  public String name() {
    return method.getName();
  }

  /**
   * {@return the method's descriptor: captured values, the thread block, then the parameters} A
   * lambda's numbers may be boxed.
   */
  public String descriptor() {
    return MethodType.methodType(method.getReturnType(), method.getParameterTypes())
        .toMethodDescriptorString();
  }

  /** {@return the values that a lambda has captured, in the order of the method's parameters} */
  public List<Object> captured() {
    return captured;
  }

  /** {@return the parameters that a launch packs: those that are not {@code @Const}} */
  public List<Parameter> parameters() {
    return parameters;
  }

  /** {@return whether each parameter after the thread block is {@code @Const}} */
  public List<Boolean> constants() {
    return signature.constants();
  }

  /**
   * {@return the place of an argument: its index among the packed parameters, or, for a constant,
   * the complement of its index among the constants}
   *
   * @param argument the argument's index after the thread block
   * @throws IndexOutOfBoundsException if a launch passes no such argument
   */
  public int place(int argument) {
    return places[Objects.checkIndex(argument, places.length)];
  }

  /** {@return how many arguments a launch passes} */
  public int arity() {
    return places.length;
  }

  /**
   * {@return the constants among a launch's arguments, in order}
   *
   * @param arguments one for each parameter after the thread block
   * @throws IllegalArgumentException if there are more or fewer arguments than parameters
   */
  public List<Object> constants(Object... arguments) {
    return pick(true, arguments);
  }

  /**
   * {@return the packed ones among a launch's arguments, in order}
   *
   * @param arguments one for each parameter after the thread block
   * @throws IllegalArgumentException if there are more or fewer arguments than parameters
   */
  public Object[] values(Object... arguments) {
    return pick(false, arguments).toArray();
  }

  private List<Object> pick(boolean constant, Object[] arguments) {
    Objects.requireNonNull(arguments, "arguments");
    if (arguments.length != signature.types().size()) {
      throw new IllegalArgumentException(
          this
              + " takes "
              + signature.types().size()
              + " arguments "
              + declared()
              + ", not "
              + arguments.length);
    }
    List<Object> picked = new ArrayList<>();
    for (int i = 0; i < arguments.length; i++) {
      if (signature.constants().get(i) == constant) {
        picked.add(arguments[i]);
      }
    }
    return picked;
  }

  /**
   * {@return whether threads of a block may wait for each other or share memory} Determined once,
   * by reading the class files.
   */
  public boolean synchronizes() {
    Boolean known = synchronizes;
    if (known == null) {
      known = SynchronizationScan.finds(BlockCalls.WORDS, method);
      synchronizes = known;
    }
    return known;
  }

  private boolean communicates() {
    Boolean known = communicates;
    if (known == null) {
      known = !synchronizes() && SynchronizationScan.findsAtomics(BlockCalls.WORDS, method);
      communicates = known;
    }
    return known;
  }

  private boolean copies() {
    Boolean known = copies;
    if (known == null) {
      known = synchronizes() && SynchronizationScan.findsCopies(BlockCalls.WORDS, method);
      copies = known;
    }
    return known;
  }

  private boolean fetches() {
    Boolean known = fetches;
    if (known == null) {
      known = SynchronizationScan.findsBulkReads(BlockCalls.WORDS, method);
      fetches = known;
    }
    return known;
  }

  private boolean keepsTime() {
    Boolean known = keepsTime;
    if (known == null) {
      known = synchronizes() && SynchronizationScan.findsTime(BlockCalls.WORDS, method);
      keepsTime = known;
    }
    return known;
  }

  /**
   * {@return the implementation for virtual devices}
   *
   * @param entry the kernel's name, for messages
   * @param constants a value for each parameter that is {@code @Const}
   * @param computeCapability the compute capability to compile for: 80, 90
   * @throws IllegalArgumentException if there are more or fewer constants
   */
  public KernelTwin twin(String entry, List<?> constants, int computeCapability) {
    return twin(entry, constants, computeCapability, List.of());
  }

  private KernelTwin twin(
      String entry, List<?> constants, int computeCapability, List<ConstantArray> arrays) {
    KernelBody body =
        new KernelBody(
            handle(constants),
            BlockCalls.CALLS,
            synchronizes(),
            communicates(),
            copies(),
            fetches(),
            keepsTime(),
            KernelWays.areCompiled(),
            source(constants, asserts()));
    return new MethodTwin(
        entry,
        new PackedArguments(parameters, arrays),
        body,
        0,
        computeCapability,
        OptionalLong.empty(),
        false);
  }

  /**
   * {@return the kernel, compiled or found in the user's cache}
   *
   * @param constants a value for each parameter that is {@code @Const}
   * @param major the first number of the device's compute capability
   * @param minor the second number
   * @throws dev.stretto.fault.KernelRefusedException if the method uses Java that a kernel may not
   *     use
   */
  public DeviceKernel compile(List<?> constants, int major, int minor) {
    KernelTarget target = KernelTarget.of(major, minor);
    KernelSource source = source(constants, isChecked());
    LaunchText text =
        KernelStore.ofThisUser()
            .map(store -> store.get(source, target))
            .orElseGet(() -> KernelCompiler.compile(source, target).text());
    return DeviceKernel.compiled(
        text,
        parameters,
        twin(text.ptx().entry(), constants, target.sm(), text.constants()),
        this::valueNames);
  }

  private KernelSource source(List<?> constants, boolean checked) {
    return new KernelSource(
        owner().getClassLoader(),
        owner().getName().replace('.', '/'),
        name(),
        descriptor(),
        known(constants),
        checked);
  }

  /**
   * {@return whether the compiled kernel checks its indices, divisors and assertions} It does if
   * assertions are enabled for the class ({@code java -ea}), unless the system property {@code
   * dev.stretto.checked} is {@code true} or {@code false}.
   *
   * @throws dev.stretto.fault.SettingException if the property has another value
   */
  public boolean isChecked() {
    Optional<Boolean> said = Settings.CHECKED.value();
    return said.isPresent() ? said.get() : asserts();
  }

  /** Asked once: the class loader takes a lock and takes names apart. */
  private boolean asserts() {
    Boolean known = asserts;
    if (known == null) {
      known = owner().desiredAssertionStatus();
      asserts = known;
    }
    return known;
  }

  /** The known values of the method's parameters: captured values and constants. */
  private Map<Integer, Object> known(List<?> constants) {
    requireConstants(constants);
    Map<Integer, Object> known = new HashMap<>();
    for (int i = 0; i < captured.size(); i++) {
      known.put(i, captured.get(i));
    }
    int constant = 0;
    for (int i = 0; i < signature.constants().size(); i++) {
      if (signature.constants().get(i)) {
        known.put(captured.size() + 1 + i, constants.get(constant++));
      }
    }
    return known;
  }

  private void requireConstants(List<?> constants) {
    Objects.requireNonNull(constants, "constants");
    int expected = Collections.frequency(signature.constants(), true);
    if (constants.size() != expected) {
      throw new IllegalArgumentException(
          this + " has " + expected + " constants, not " + constants.size());
    }
  }

  /** A handle that takes the thread block and the packed parameters. */
  private MethodHandle handle(List<?> constants) {
    requireConstants(constants);
    // Called through the reference rather than directly, since the method may be private in a
    // module that opens nothing.
    List<Class<?>> types = new ArrayList<>(signature.types());
    types.addFirst(ThreadBlock.class);
    MethodHandle handle = run().bindTo(kernel).asType(MethodType.methodType(void.class, types));
    int constant = constants.size();
    for (int i = types.size() - 1; i > 0; i--) {
      if (signature.constants().get(i - 1)) {
        constant--;
        handle = MethodHandles.insertArguments(handle, i, constants.get(constant));
      }
    }
    return KernelSignature.withObjects(handle);
  }

  /** The method of the functional interface. */
  private MethodHandle run() {
    Class<?> type =
        Arrays.stream(kernel.getClass().getInterfaces())
            .filter(KernelMethod.class::isAssignableFrom)
            .findFirst()
            .orElseThrow();
    Method run =
        Arrays.stream(type.getMethods())
            .filter(candidate -> candidate.getName().equals("run"))
            .findFirst()
            .orElseThrow();
    try {
      return MethodHandles.publicLookup().unreflect(run);
    } catch (IllegalAccessException e) {
      throw new AssertionError(run + " is public", e);
    }
  }

  /**
   * {@return whether both refer to the same method, whatever their lambdas have captured}
   *
   * @param other another reference
   */
  public boolean isOfSameMethod(KernelReference other) {
    return method.equals(Objects.requireNonNull(other, "other").method);
  }

  /**
   * {@return the values that the kernel is compiled for: first those that a lambda has captured,
   * then the constants}
   *
   * @param constants a value for each parameter that is {@code @Const}
   */
  public List<Object> knownValues(List<?> constants) {
    Objects.requireNonNull(constants, "constants");
    List<Object> values = new ArrayList<>(captured);
    values.addAll(constants);
    return values;
  }

  private String declared() {
    List<String> names = namesAfterBlock(method, captured.size());
    StringJoiner text = new StringJoiner(", ", "(", ")");
    for (int i = 0; i < names.size(); i++) {
      text.add(signature.types().get(i).getSimpleName() + " " + names.get(i));
    }
    return text.toString();
  }

  /** The names of the parameters that a launch passes, which are those that are not constants. */
  private List<String> valueNames() {
    List<String> all = namesAfterBlock(method, captured.size());
    List<String> names = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (!signature.constants().get(i)) {
        names.add(all.get(i));
      }
    }
    return names;
  }

  /** {@return the names of a method's parameters after the captured values and the block} */
  static List<String> namesAfterBlock(Method method, int captured) {
    List<String> all =
        ParameterNames.of(
            method.getDeclaringClass().getClassLoader(),
            method.getDeclaringClass().getName().replace('.', '/'),
            method.getName(),
            MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .descriptorString());
    return all.subList(captured + 1, all.size());
  }

  /** {@return the names of those values in the source, as far as the class file contains them} */
  public List<String> knownNames() {
    List<String> all =
        ParameterNames.of(
            owner().getClassLoader(), owner().getName().replace('.', '/'), name(), descriptor());
    List<String> names = new ArrayList<>(all.subList(0, captured.size()));
    for (int i = 0; i < signature.constants().size(); i++) {
      if (signature.constants().get(i)) {
        names.add(all.get(captured.size() + 1 + i));
      }
    }
    return names;
  }

  /** {@return a description of the kernel for messages: the method, and the place of a lambda} */
  public String where() {
    int line =
        ParameterNames.line(
            owner().getClassLoader(), owner().getName().replace('.', '/'), name(), descriptor());
    return "kernel "
        + this
        + (line == 0 ? "" : " (line " + line + " of " + owner().getName() + ")");
  }

  /**
   * {@return whether values are the same to the compiler} NaNs are compared by their bits.
   *
   * @param some values
   * @param others as many
   */
  public static boolean areSame(List<Object> some, List<Object> others) {
    Objects.requireNonNull(some, "some");
    Objects.requireNonNull(others, "others");
    if (!some.equals(others)) {
      return false;
    }
    for (int i = 0; i < some.size(); i++) {
      if (some.get(i) instanceof Float a
          && others.get(i) instanceof Float b
          && Float.floatToRawIntBits(a) != Float.floatToRawIntBits(b)) {
        return false;
      }
      if (some.get(i) instanceof Double a
          && others.get(i) instanceof Double b
          && Double.doubleToRawLongBits(a) != Double.doubleToRawLongBits(b)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof KernelReference that
            && hash == that.hash
            && method.equals(that.method)
            && areSame(captured, that.captured));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return owner().getSimpleName() + "::" + name();
  }

  /**
   * Begins to serialize a lambda and stops as soon as its target is known. This is the only way
   * that needs no permission of the lambda's module.
   */
  private static final class Replacement extends ObjectOutputStream {
    private @Nullable SerializedLambda found;

    private Replacement() throws IOException {
      super(OutputStream.nullOutputStream());
      enableReplaceObject(true);
    }

    static @Nullable SerializedLambda of(KernelMethod kernel) {
      try (Replacement replacement = new Replacement()) {
        replacement.writeObject(kernel);
        return replacement.found;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    protected Object replaceObject(Object written) {
      if (written instanceof SerializedLambda lambda) {
        found = lambda;
      }
      return "";
    }
  }
}
