package dev.stretto.compiler.classfile;

import dev.stretto.compiler.ir.Line;
import dev.stretto.fault.KernelRefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.reflect.AccessFlag;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The class files that a kernel is made of, as a class loader finds them. No class is initialized.
 */
public final class ClassFiles {
  /** More than any real class file has. */
  private static final int MOST_BYTES = 16 << 20;

  /** No class has so many superclasses; a class that is its own superclass exceeds this. */
  private static final int MOST_ABOVE = 1_000;

  private final @Nullable ClassLoader loader;
  private final Map<String, byte[]> read = new TreeMap<>();
  private final Map<String, ClassModel> models = new TreeMap<>();

  /** The files that were looked for, found or not. */
  private final Map<String, Optional<byte[]>> files = new HashMap<>();

  private Supplier<@Nullable Line> place = () -> null;

  /**
   * Creates a reader.
   *
   * @param loader finds the classes; null for the loader of the JDK's own
   */
  public ClassFiles(@Nullable ClassLoader loader) {
    this.loader = loader;
  }

  /** {@return the bytes of every class that was read, by internal name} */
  public Map<String, byte[]> read() {
    return read;
  }

  /** {@return the loader} */
  @Nullable ClassLoader loader() {
    return loader;
  }

  /**
   * Sets where the kernel code that is being read stands, for refusals of methods that it calls.
   */
  void readFor(Supplier<@Nullable Line> where) {
    place = where;
  }

  /** {@return the bytes of a class, or nothing if there is no such file} */
  public static byte @Nullable [] bytes(@Nullable ClassLoader loader, String internalName) {
    byte[] bytes = file(loader, internalName);
    // Java's launcher of source files compiles a class when it is loaded; before that, it has no
    // file.
    return bytes == null && loader != null && load(loader, internalName)
        ? file(loader, internalName)
        : bytes;
  }

  private static byte @Nullable [] file(@Nullable ClassLoader loader, String internalName) {
    String resource = internalName + ".class";
    try (InputStream in =
        loader == null
            ? ClassLoader.getSystemResourceAsStream(resource)
            : loader.getResourceAsStream(resource)) {
      return in == null ? null : in.readNBytes(MOST_BYTES + 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Loads a class without initializing it, and returns whether it exists. */
  private static boolean load(ClassLoader loader, String internalName) {
    try {
      Class<?> _ = Class.forName(internalName.replace('/', '.'), false, loader);
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /**
   * {@return a class, or nothing if there is no such file}
   *
   * @throws KernelRefusedException if a JVM would refuse the file
   */
  public Optional<ClassModel> find(String internalName) {
    ClassModel known = models.get(internalName);
    if (known != null) {
      return Optional.of(known);
    }
    byte[] bytes = file(internalName);
    if (bytes == null) {
      return Optional.empty();
    }
    read.put(internalName, bytes);
    ClassModel model = verified(internalName, bytes);
    models.put(internalName, model);
    return Optional.of(model);
  }

  private byte @Nullable [] file(String internalName) {
    return files
        .computeIfAbsent(
            internalName,
            name -> Optional.ofNullable(isJdk(name) ? file(null, name) : bytes(loader, name)))
        .orElse(null);
  }

  /** Whether only the JDK can have the class: other loaders are not trusted for it. */
  private static boolean isJdk(String internalName) {
    return internalName.startsWith("java/");
  }

  private ClassModel verified(String internalName, byte[] bytes) {
    if (isJdk(internalName) || isOurs(internalName, bytes)) {
      return Verification.parse(bytes);
    }
    if (bytes.length > MOST_BYTES) {
      throw malformed(
          internalName, "it has more than " + MOST_BYTES + " bytes, which no class file has", null);
    }
    try {
      return new Verification(internalName, this::file).verify(bytes);
    } catch (Verification.MalformedException e) {
      throw malformed(internalName, String.valueOf(e.getMessage()), e.getCause());
    }
  }

  /** Whether it is one of Stretto's own classes, identical to the one in this Stretto. */
  private static boolean isOurs(String internalName, byte[] bytes) {
    return internalName.startsWith("dev/stretto/")
        && Arrays.equals(bytes, file(ClassFiles.class.getClassLoader(), internalName));
  }

  private KernelRefusedException malformed(
      String internalName, String why, @Nullable Throwable cause) {
    return malformed(internalName, why, cause, place.get());
  }

  private static KernelRefusedException malformed(
      String internalName, String why, @Nullable Throwable cause, @Nullable Line where) {
    String reason = "the class file of " + internalName.replace('/', '.') + " is malformed: " + why;
    String advice =
        "a JVM would refuse it too: compile it again, or replace the archive that it "
            + "came from";
    KernelRefusedException refusal =
        where == null
            ? new KernelRefusedException(Calls.shortName(internalName), 0, reason, advice)
            : where.refuse(reason, advice);
    if (cause != null) {
      refusal.initCause(cause);
    }
    return refusal;
  }

  /**
   * {@return the result of reading a class file that nobody has verified} The Class-File API reads
   * lazily, so all reading must happen in {@code reader}.
   *
   * @param <T> the type of the result
   * @param internalName the class
   * @param bytes its file
   * @param reader reads the class
   * @throws KernelRefusedException if the file cannot be read
   */
  public static <T> T read(String internalName, byte[] bytes, Function<ClassModel, T> reader) {
    try {
      return reader.apply(Verification.parse(bytes));
    } catch (IllegalArgumentException | IndexOutOfBoundsException | ClassCastException e) {
      throw malformed(internalName, String.valueOf(e.getMessage()), e, null);
    }
  }

  /** {@return a method of a class or of its supertypes: superclasses first, then interfaces} */
  Optional<Method> method(String owner, String name, String descriptor) {
    for (ClassModel at : upwards(owner)) {
      Optional<Method> found = declared(at, name, descriptor);
      if (found.isPresent()) {
        return found;
      }
    }
    Method inherited = null;
    for (ClassModel model : above(owner)) {
      Method found = declared(model, name, descriptor).orElse(null);
      if (found != null
          && (inherited == null || isKind(nameOf(model), nameOf(inherited.owner())))) {
        inherited = found;
      }
    }
    return Optional.ofNullable(inherited);
  }

  /**
   * {@return a class and its superclasses, without interfaces, up to the first that has no file}
   *
   * @throws KernelRefusedException if a class is its own superclass
   */
  List<ClassModel> upwards(String internalName) {
    List<ClassModel> found = new ArrayList<>();
    Optional<ClassModel> at = find(internalName);
    while (at.isPresent()) {
      found.add(at.get());
      if (found.size() > MOST_ABOVE) {
        throw malformed(
            internalName,
            "it has more than " + MOST_ABOVE + " superclasses, or it is its own superclass",
            null);
      }
      at = at.get().superclass().flatMap(above -> find(above.asInternalName()));
    }
    return found;
  }

  private static String nameOf(ClassModel model) {
    return model.thisClass().asInternalName();
  }

  private static Optional<Method> declared(ClassModel model, String name, String descriptor) {
    return model.methods().stream()
        .filter(
            method ->
                method.methodName().equalsString(name)
                    && method.methodType().equalsString(descriptor))
        .findFirst()
        .map(method -> new Method(model, method));
  }

  /** {@return whether a class is a subtype of another class or interface} */
  boolean isKind(String internalName, String of) {
    return internalName.equals(of)
        || above(internalName).stream().anyMatch(model -> nameOf(model).equals(of));
  }

  /**
   * {@return a class, its superclasses up to the topmost, and then their interfaces; without those
   * that have no file}
   */
  List<ClassModel> above(String internalName) {
    Map<String, ClassModel> above = new LinkedHashMap<>();
    upwards(internalName).forEach(model -> above.put(nameOf(model), model));
    Deque<ClassModel> open = new ArrayDeque<>(above.values());
    while (!open.isEmpty()) {
      for (ClassEntry name : open.remove().interfaces()) {
        find(name.asInternalName())
            .filter(it -> above.putIfAbsent(name.asInternalName(), it) == null)
            .ifPresent(open::add);
      }
    }
    return List.copyOf(above.values());
  }

  static boolean isVocabulary(String internalName) {
    return (internalName.startsWith("dev/stretto/kernel/")
            && !internalName.startsWith("dev/stretto/kernel/math/"))
        || internalName.startsWith("dev/stretto/memory/");
  }

  /** A method and the class that declares it. */
  record Method(ClassModel owner, MethodModel model) {
    boolean isStatic() {
      return model.flags().has(AccessFlag.STATIC);
    }

    String key() {
      return owner.thisClass().asInternalName()
          + "."
          + model.methodName().stringValue()
          + model.methodType().stringValue();
    }

    /** Whether the method is part of the vocabulary of kernels, rather than code written in it. */
    boolean isVocabulary() {
      return ClassFiles.isVocabulary(owner.thisClass().asInternalName());
    }

    /** The class's binary name. */
    String type() {
      return owner.thisClass().asInternalName().replace('/', '.');
    }

    String name() {
      String internal = owner.thisClass().asInternalName();
      return internal.substring(internal.lastIndexOf('/') + 1).replace('$', '.')
          + "."
          + model.methodName().stringValue();
    }
  }
}
