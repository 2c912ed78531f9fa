package dev.stretto.agent;

import java.lang.classfile.ClassHierarchyResolver;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes the program's classes as they are loaded: all but the JDK's, Stretto's own, and those
 * whose loader does not see Stretto. A class that cannot be changed is told of on standard error,
 * and stays as it is. No logger is asked: it may be just what is being loaded.
 */
final class WatchedClasses implements ClassFileTransformer {
  private final Instrumentation instrumentation;
  private final ClassFilter filter;
  private final Rewriter rewriter;
  private final Loaders loaders = new Loaders();

  WatchedClasses(Instrumentation instrumentation, ClassFilter filter, Rewriter rewriter) {
    this.instrumentation = instrumentation;
    this.filter = filter;
    this.rewriter = rewriter;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable Module module,
      @Nullable ClassLoader loader,
      @Nullable String path,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (loader == null || module == null || loader.equals(ClassLoader.getPlatformClassLoader())) {
      return null;
    }
    String name = path == null ? "" : path.replace('/', '.'); // a hidden class may have none
    if (isOfJdk(module) || !filter.admits(name)) {
      return null;
    }
    Loaders.Seen seen = loaders.of(loader);
    Class<?> hooks = seen.hooks();
    if (hooks == null
        || isSameSource(domain, hooks.getProtectionDomain())
        || isSameSource(domain, WatchedClasses.class.getProtectionDomain())) {
      return null;
    }
    try {
      byte[] watched =
          rewriter.rewrite(
              classFile, seen.supertypes(), ClassHierarchyResolver.ofResourceParsing(loader));
      if (watched != null) {
        letCall(module, hooks);
      }
      return watched;
    } catch (RuntimeException | LinkageError e) {
      System.err.println("stretto: the accesses of " + name + " to host memory are not seen: " + e);
      return null;
    }
  }

  private static boolean isOfJdk(Module module) {
    return module.isNamed()
        && (module.getName().startsWith("java.") || module.getName().startsWith("jdk."));
  }

  private static boolean isSameSource(
      @Nullable ProtectionDomain one, @Nullable ProtectionDomain other) {
    CodeSource source = one == null ? null : one.getCodeSource();
    CodeSource others = other == null ? null : other.getCodeSource();
    return source != null
        && others != null
        && source.getLocation() != null
        && others.getLocation() != null
        && Objects.equals(
            source.getLocation().toExternalForm(), others.getLocation().toExternalForm());
  }

  /** Lets the classes of a module call the hooks, which Stretto exports to nobody. */
  private void letCall(Module module, Class<?> hooks) {
    Module stretto = hooks.getModule();
    String its = hooks.getPackageName();
    if (!module.canRead(stretto)) {
      instrumentation.redefineModule(
          module, Set.of(stretto), Map.of(), Map.of(), Set.of(), Map.of());
    }
    if (!stretto.isExported(its, module)) {
      instrumentation.redefineModule(
          stretto, Set.of(), Map.of(its, Set.of(module)), Map.of(), Set.of(), Map.of());
    }
  }
}
