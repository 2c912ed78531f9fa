package dev.stretto.compiler.classfile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The class files that a kernel is made of, as a class loader finds them; none is initialized. */
public final class ClassFiles {
  private final @Nullable ClassLoader loader;
  private final Map<String, byte[]> read = new TreeMap<>();
  private final Map<String, ClassModel> models = new TreeMap<>();

  /**
   * Creates a reader.
   *
   * @param loader finds the classes; null for the loader of the JDK's own
   */
  public ClassFiles(@Nullable ClassLoader loader) {
    this.loader = loader;
  }

  /** {@return the bytes of every class that was looked at, by internal name} */
  public Map<String, byte[]> read() {
    return read;
  }

  /** {@return the loader} */
  @Nullable ClassLoader loader() {
    return loader;
  }

  /** {@return the bytes of a class, or nothing if there is no such file} */
  public static byte @Nullable [] bytes(@Nullable ClassLoader loader, String internalName) {
    byte[] bytes = file(loader, internalName);
    // Java's launcher of source files compiles a class when it is loaded, and has no file before.
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
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Has a class loaded and not initialized; says whether there is one. */
  private static boolean load(ClassLoader loader, String internalName) {
    try {
      Class<?> ignored = Class.forName(internalName.replace('/', '.'), false, loader);
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /** {@return a class, or nothing if there is no such file} */
  public Optional<ClassModel> find(String internalName) {
    ClassModel known = models.get(internalName);
    if (known != null) {
      return Optional.of(known);
    }
    byte[] bytes = bytes(loader, internalName);
    if (bytes == null) {
      return Optional.empty();
    }
    read.put(internalName, bytes);
    ClassModel model = ClassFile.of(ClassFile.DeadCodeOption.KEEP_DEAD_CODE).parse(bytes);
    models.put(internalName, model);
    return Optional.of(model);
  }

  /** {@return a method of a class or of those above it: of classes first, then of interfaces} */
  Optional<Method> method(String owner, String name, String descriptor) {
    Optional<ClassModel> at = find(owner);
    while (at.isPresent()) {
      Optional<Method> found = declared(at.get(), name, descriptor);
      if (found.isPresent()) {
        return found;
      }
      at = superclass(at.get());
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

  private Optional<ClassModel> superclass(ClassModel model) {
    return model.superclass().flatMap(above -> find(above.asInternalName()));
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

  /** {@return whether objects of a class are of another one or of an interface} */
  boolean isKind(String internalName, String of) {
    return internalName.equals(of)
        || above(internalName).stream().anyMatch(model -> nameOf(model).equals(of));
  }

  /**
   * {@return a class, those above it up to the topmost, and then their interfaces; without those
   * that have no file}
   */
  List<ClassModel> above(String internalName) {
    Map<String, ClassModel> above = new LinkedHashMap<>();
    Optional<ClassModel> at = find(internalName);
    while (at.isPresent()) {
      above.put(nameOf(at.get()), at.get());
      at = superclass(at.get());
    }
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

  /** A method and the class that declares it. */
  record Method(ClassModel owner, MethodModel model) {
    String key() {
      return owner.thisClass().asInternalName()
          + "."
          + model.methodName().stringValue()
          + model.methodType().stringValue();
    }

    /** Whether it is of the words that kernels use rather than of what somebody says with them. */
    boolean isVocabulary() {
      String internal = owner.thisClass().asInternalName();
      return (internal.startsWith("dev/stretto/kernel/")
              && !internal.startsWith("dev/stretto/kernel/Device"))
          || internal.startsWith("dev/stretto/memory/");
    }

    String name() {
      String internal = owner.thisClass().asInternalName();
      return internal.substring(internal.lastIndexOf('/') + 1).replace('$', '.')
          + "."
          + model.methodName().stringValue();
    }
  }
}
