package dev.stretto.compiler.classfile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
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
    ClassModel model =
        ClassFile.of(ClassFile.DeadCodeOption.KEEP_DEAD_CODE).parse(bytes);
    models.put(internalName, model);
    return Optional.of(model);
  }

  /** {@return a method of a class or of those above it} */
  Optional<Method> method(String owner, String name, String descriptor) {
    String at = owner;
    while (true) {
      Optional<ClassModel> model = find(at);
      if (model.isEmpty()) {
        return Optional.empty();
      }
      for (MethodModel method : model.get().methods()) {
        if (method.methodName().equalsString(name) && method.methodType().equalsString(descriptor)) {
          return Optional.of(new Method(model.get(), method));
        }
      }
      if (model.get().superclass().isEmpty()) {
        return Optional.empty();
      }
      at = model.get().superclass().get().asInternalName();
    }
  }

  /** A method and the class that declares it. */
  record Method(ClassModel owner, MethodModel model) {
    String key() {
      return owner.thisClass().asInternalName()
          + "."
          + model.methodName().stringValue()
          + model.methodType().stringValue();
    }

    String name() {
      String internal = owner.thisClass().asInternalName();
      return internal.substring(internal.lastIndexOf('/') + 1).replace('$', '.')
          + "."
          + model.methodName().stringValue();
    }
  }
}
