package dev.stretto.compiler;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Loads the classes of one generated kernel, and whatever else there is. */
final class GeneratedClasses extends ClassLoader {
  /** Class files that all kernels need are read once. */
  private static final Map<String, byte[]> OTHERS = new ConcurrentHashMap<>();

  private final Map<String, byte[]> files;

  GeneratedClasses(Map<String, byte[]> files) {
    super(GeneratedClasses.class.getClassLoader());
    this.files = files;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] file = files.get(name);
    if (file == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, file, 0, file.length);
  }

  @Override
  public InputStream getResourceAsStream(String name) {
    byte[] file = files.get(name.replace(".class", "").replace('/', '.'));
    if (file == null) {
      file = OTHERS.computeIfAbsent(name, this::read);
    }
    return new ByteArrayInputStream(file);
  }

  private byte[] read(String name) {
    try (InputStream in = getParent().getResourceAsStream(name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
