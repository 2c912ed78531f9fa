package dev.stretto.cli;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where class files are looked up: the value of {@code --classpath}, or the command's own class
 * path.
 */
final class ClassPath implements AutoCloseable {
  private final String name;
  private final ClassLoader loader;
  private final @Nullable URLClassLoader own;

  private ClassPath(String name, ClassLoader loader, @Nullable URLClassLoader own) {
    this.name = name;
    this.loader = loader;
    this.own = own;
  }

  /**
   * A class path.
   *
   * @param text as {@code java} accepts it, with {@code folder/*} for a folder's jars; null for the
   *     command's own class path
   * @throws CommandFailure if something on it does not exist
   */
  static ClassPath of(@Nullable String text) {
    ClassLoader ours = ClassPath.class.getClassLoader();
    if (text == null) {
      return new ClassPath("the command's own class path", ours, null);
    }
    List<URL> urls = new ArrayList<>();
    for (String entry : text.split(File.pathSeparator, -1)) {
      if (entry.endsWith("/*")) {
        jars(Path.of(entry.substring(0, entry.length() - 1)), urls);
      } else if (!entry.isEmpty()) {
        urls.add(url(Path.of(entry)));
      }
    }
    URLClassLoader loader = new ClassFileLoader(urls, ours);
    return new ClassPath("the class path " + text, loader, loader);
  }

  private static void jars(Path folder, List<URL> urls) {
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(require(folder), "*.{jar,JAR}")) {
      jars.forEach(jar -> urls.add(url(jar)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static URL url(Path path) {
    try {
      return require(path).toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException("a path is a URL", e);
    }
  }

  private static Path require(Path path) {
    if (!Files.exists(path)) {
      throw CommandFailure.wrongCommandLine("--classpath: " + path + " does not exist");
    }
    if (!Files.isDirectory(path) && !Files.isRegularFile(path)) {
      throw CommandFailure.wrongCommandLine(
          "--classpath: " + path + " is neither a folder nor a file");
    }
    return path;
  }

  ClassLoader loader() {
    return loader;
  }

  /** A class file, or null if there is none. */
  byte @Nullable [] bytes(String internalName) {
    try (InputStream in = loader.getResourceAsStream(internalName + ".class")) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return name;
  }

  @Override
  public void close() {
    if (own != null) {
      try {
        own.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
