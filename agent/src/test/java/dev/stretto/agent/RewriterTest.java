package dev.stretto.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassHierarchyResolver;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/**
 * Every class of every jar and folder of the class path, Stretto's own and large libraries among
 * them, and of those that {@code -Dstretto.jars} names: rewritten, it passes the JVM's verifier.
 */
class RewriterTest {
  private static final Rewriter REWRITER = new Rewriter(KnownCalls.read());

  /** Defines all classes itself, and finds only the JDK's elsewhere. */
  private static final class Rewritten extends URLClassLoader {
    private final Map<String, byte[]> all;

    Rewritten(URL[] places, Map<String, byte[]> all) {
      super(places, ClassLoader.getPlatformClassLoader());
      this.all = all;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      byte[] bytes = all.get(name);
      if (bytes == null) {
        throw new ClassNotFoundException(name);
      }
      return defineClass(name, bytes, 0, bytes.length);
    }
  }

  private static Map<String, byte[]> classes(Path place) throws IOException {
    Map<String, byte[]> all = new HashMap<>();
    if (Files.isDirectory(place)) {
      try (Stream<Path> files = Files.walk(place)) {
        for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
          all.put(nameOf(place.relativize(file).toString()), Files.readAllBytes(file));
        }
      }
    } else {
      try (ZipFile jar = new ZipFile(place.toFile())) {
        for (var entry : jar.stream().filter(each -> each.getName().endsWith(".class")).toList()) {
          try (InputStream in = jar.getInputStream(entry)) {
            all.put(nameOf(entry.getName()), in.readAllBytes());
          }
        }
      }
    }
    all.keySet().removeIf(name -> name.startsWith("META-INF") || name.endsWith("module-info"));
    return all;
  }

  private static String nameOf(String file) {
    return file.substring(0, file.length() - ".class".length())
        .replace('/', '.')
        .replace(File.separatorChar, '.');
  }

  @Test
  void everyRewrittenClassPassesTheVerifier() throws IOException {
    Map<String, byte[]> all = new HashMap<>();
    List<URL> urls = new ArrayList<>();
    String places =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
            + File.pathSeparator
            + System.getProperty("stretto.jars", "");
    for (String place : places.split(File.pathSeparator, -1)) {
      if (!place.isEmpty() && Files.exists(Path.of(place))) {
        classes(Path.of(place)).forEach(all::putIfAbsent);
        urls.add(Path.of(place).toUri().toURL());
      }
    }
    List<String> wrong = new ArrayList<>();
    List<String> changed = new ArrayList<>();
    try (Rewritten loader = new Rewritten(urls.toArray(URL[]::new), all)) {
      Supertypes supertypes = new Supertypes(loader);
      ClassHierarchyResolver hierarchy = ClassHierarchyResolver.ofResourceParsing(loader);
      for (Map.Entry<String, byte[]> each : all.entrySet()) {
        try {
          byte[] watched = REWRITER.rewrite(each.getValue(), supertypes, hierarchy);
          if (watched != null) {
            changed.add(each.getKey());
            each.setValue(watched);
          }
        } catch (RuntimeException e) {
          wrong.add(each.getKey() + ": " + e);
        }
      }
      for (String name : changed) {
        link(loader, name).ifPresent(wrong::add);
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(changed).hasSizeGreaterThan(500);
    System.out.println(changed.size() + " of " + all.size() + " classes have accesses");
  }

  /** {@return what the JVM does not like about a class} */
  private static Optional<String> link(ClassLoader loader, String name) {
    try {
      var _ = Class.forName(name, false, loader).getDeclaredMethods(); // which links it
      return Optional.empty();
    } catch (NoClassDefFoundError | ClassNotFoundException | TypeNotPresentException _) {
      return Optional.empty(); // the class path lacks what it refers to
    } catch (LinkageError | SecurityException e) {
      return Optional.of(name + ": " + e);
    }
  }
}
