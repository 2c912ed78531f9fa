package dev.stretto.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Loads classes as the agent would have them loaded, in a process without an agent. */
public final class Watching {
  private static final Rewriter REWRITER = new Rewriter(KnownCalls.read());
  private static final ClassLoader LOADER = Watching.class.getClassLoader();
  private static final Supertypes SUPERTYPES = new Supertypes(LOADER);

  private Watching() {}

  /**
   * Loads classes of a test's package, which nobody has used yet.
   *
   * @param lookup of the test
   */
  public static void load(MethodHandles.Lookup lookup, String... names) {
    for (String name : names) {
      String file = lookup.lookupClass().getPackageName().replace('.', '/') + "/" + name + ".class";
      try (InputStream in = Objects.requireNonNull(LOADER.getResourceAsStream(file), file)) {
        byte[] classFile = in.readAllBytes();
        byte[] rewritten = rewrite(classFile);
        Class<?> _ = lookup.defineClass(rewritten == null ? classFile : rewritten);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (IllegalAccessException e) {
        throw new IllegalArgumentException(e);
      }
    }
  }

  static byte @Nullable [] rewrite(byte[] classFile) {
    return REWRITER.rewrite(
        classFile, SUPERTYPES, ClassHierarchyResolver.ofResourceParsing(LOADER));
  }
}
