package dev.stretto.compiler;

import dev.stretto.compiler.classfile.ClassFiles;
import dev.stretto.fault.KernelRefusedException;
import java.lang.classfile.ClassModel;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the class files that a loaded kernel may call. A JVM has verified the kernel's own class,
 * but it verifies other classes only when the kernel reaches calls to them, which is too late to
 * refuse a launch.
 */
public final class CalledClasses {
  private final @Nullable ClassLoader loader;
  private final String loaded;
  private final ClassFiles files;
  private final Map<String, Optional<byte[]>> own = new HashMap<>();

  /**
   * Creates a reader.
   *
   * @param loader finds the class files; null for the system's
   * @param loaded the internal name of the kernel's class
   */
  public CalledClasses(@Nullable ClassLoader loader, String loaded) {
    this.loader = loader;
    this.loaded = loaded;
    this.files = new ClassFiles(loader);
  }

  /**
   * {@return the result of reading a class, or nothing if it has no file}
   *
   * @param <T> the type of the result
   * @param internalName the class's internal name
   * @param reader reads the class
   * @throws KernelRefusedException if the class file is malformed
   */
  public <T> Optional<T> read(String internalName, Function<ClassModel, T> reader) {
    if (!internalName.equals(loaded)) {
      return files.find(internalName).map(reader);
    }
    return own.computeIfAbsent(
            internalName, name -> Optional.ofNullable(ClassFiles.bytes(loader, name)))
        .map(bytes -> ClassFiles.read(internalName, bytes, reader));
  }
}
