package dev.stretto.agent;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.constant.ClassDesc;
import java.lang.ref.WeakReference;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which classes extend which, as the loader of a class sees them. Classes of the program are looked
 * at as files, since a class that is being loaded must not cause others to be.
 */
final class Supertypes {
  private static final ClassLoader JDK = ClassLoader.getPlatformClassLoader();

  private final WeakReference<ClassLoader> loader;
  private final Map<String, List<String>> direct = new ConcurrentHashMap<>();
  private final Map<String, Set<String>> volatiles = new ConcurrentHashMap<>();

  Supertypes(ClassLoader loader) {
    this.loader = new WeakReference<>(loader);
  }

  /** {@return whether a class is another one of the JDK, or a subtype of it; names with dots} */
  boolean is(String name, String of) {
    if (name.equals(of)) {
      return true;
    }
    return direct.computeIfAbsent(name, this::direct).stream().anyMatch(each -> is(each, of));
  }

  static boolean isOfJdk(String name) {
    return name.startsWith("java.") || name.startsWith("javax.crypto.");
  }

  /** {@return whether only the JDK can extend one of its classes} */
  static boolean isClosed(String name) {
    try {
      Class<?> type = Class.forName(name, false, JDK);
      return type.isSealed() || Modifier.isFinal(type.getModifiers());
    } catch (ClassNotFoundException _) {
      return true;
    }
  }

  private List<String> direct(String name) {
    try {
      return isOfJdk(name) ? ofLoaded(Class.forName(name, false, JDK)) : ofFile(name);
    } catch (ClassNotFoundException | IOException | IllegalArgumentException _) {
      return List.of(); // it cannot be told, so its calls are not watched
    }
  }

  private static List<String> ofLoaded(Class<?> type) {
    List<String> all = new ArrayList<>();
    if (type.getSuperclass() != null) {
      all.add(type.getSuperclass().getName());
    }
    for (Class<?> each : type.getInterfaces()) {
      all.add(each.getName());
    }
    return all;
  }

  private List<String> ofFile(String name) throws IOException {
    ClassModel model = file(name);
    if (model == null) {
      return List.of();
    }
    List<String> all = new ArrayList<>();
    model.superclass().map(Supertypes::nameOf).ifPresent(all::add);
    model.interfaces().stream().map(Supertypes::nameOf).forEach(all::add);
    return all;
  }

  private @Nullable ClassModel file(String name) throws IOException {
    String file = name.replace('.', '/') + ".class";
    ClassLoader its = loader.get();
    try (InputStream in = its == null ? null : its.getResourceAsStream(file)) {
      return in == null ? null : ClassFile.of().parse(in.readAllBytes());
    }
  }

  /** {@return whether a field of a class of the program is volatile} */
  boolean isVolatile(String name, String field) {
    if (isOfJdk(name)) {
      return false;
    }
    return volatiles.computeIfAbsent(name, this::volatiles).contains(field)
        || direct.computeIfAbsent(name, this::direct).stream()
            .anyMatch(each -> isVolatile(each, field));
  }

  private Set<String> volatiles(String name) {
    try {
      ClassModel model = file(name);
      return model == null
          ? Set.of()
          : model.fields().stream()
              .filter(each -> each.flags().has(AccessFlag.VOLATILE))
              .map(each -> each.fieldName().stringValue())
              .collect(Collectors.toUnmodifiableSet());
    } catch (IOException | IllegalArgumentException _) {
      return Set.of(); // it cannot be told
    }
  }

  private static String nameOf(ClassEntry entry) {
    return nameOf(entry.asSymbol());
  }

  /** {@return a class's name with dots} */
  static String nameOf(ClassDesc type) {
    String text = type.descriptorString();
    return !type.isClassOrInterface()
        ? text
        : text.substring(1, text.length() - 1).replace('/', '.');
  }
}
