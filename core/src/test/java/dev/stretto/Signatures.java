package dev.stretto;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a program can compile against: the public types of the exported packages, each with its
 * public and protected members, one to a line.
 *
 * <p>A type that is not exported does not appear. What a public type inherits from one counts as
 * its own, so that moving members to a hidden superclass changes nothing.
 */
final class Signatures {
  private static final Path MODULE = Path.of("src/main/java/module-info.java");
  private static final Pattern EXPORT = Pattern.compile("exports ([\\w.]+);");

  /** What says how a member does its work, not how it is called. */
  private static final Pattern INSIDE = Pattern.compile("\\b(synchronized|native|strictfp) ");

  private final Set<String> exported;

  private Signatures(Set<String> exported) {
    this.exported = exported;
  }

  /** {@return the lines for the whole of core} */
  static List<String> ofCore() {
    try {
      Path place =
          Path.of(Device.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      boolean folder = Files.isDirectory(place);
      JavaClasses core =
          folder
              ? new ClassFileImporter().importPath(place)
              : new ClassFileImporter().importJar(new JarFile(place.toFile()));
      return new Signatures(folder ? exportsInSource() : exportsInJar(place)).of(core);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Class files in a folder were compiled beside their sources, perhaps without the module. */
  private static Set<String> exportsInSource() throws IOException {
    return EXPORT
        .matcher(Files.readString(MODULE))
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toSet());
  }

  private static Set<String> exportsInJar(Path jar) {
    return ModuleFinder.of(jar).find("dev.stretto").orElseThrow().descriptor().exports().stream()
        .map(ModuleDescriptor.Exports::source)
        .collect(Collectors.toSet());
  }

  private List<String> of(JavaClasses core) {
    List<String> lines = new ArrayList<>();
    core.stream()
        .filter(type -> exported.contains(type.getPackageName()))
        .map(type -> type.reflect())
        .filter(this::isReachable)
        .sorted((a, b) -> a.getName().compareTo(b.getName()))
        .forEach(
            type -> {
              lines.add(head(type));
              members(type).forEach(member -> lines.add("  " + member));
            });
    return lines;
  }

  private boolean isReachable(Class<?> type) {
    Class<?> outer = type.getDeclaringClass();
    return exported.contains(type.getPackageName())
        && isReachable(type.getModifiers())
        && (outer == null || isReachable(outer));
  }

  private static boolean isReachable(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  /** Some type of ours that a program cannot name. */
  private boolean isHidden(Class<?> type) {
    return type.getName().startsWith("dev.stretto.") && !isReachable(type);
  }

  private String head(Class<?> type) {
    StringBuilder head = new StringBuilder(type.toGenericString());
    Class<?> parent = type;
    Set<Type> interfaces = new LinkedHashSet<>(List.of(type.getGenericInterfaces()));
    Type named = type.getGenericSuperclass();
    while (parent.getSuperclass() != null && isHidden(parent.getSuperclass())) {
      parent = parent.getSuperclass();
      named = parent.getGenericSuperclass();
      interfaces.addAll(List.of(parent.getGenericInterfaces()));
    }
    if (named != null) {
      head.append(" extends ").append(named.getTypeName());
    }
    append(head, " implements ", interfaces.stream());
    if (type.isSealed()) {
      append(head, " permits ", Stream.of(type.getPermittedSubclasses()).filter(this::isReachable));
    }
    return head.toString();
  }

  private static void append(StringBuilder head, String word, Stream<? extends Type> types) {
    String names = types.map(Type::getTypeName).sorted().collect(Collectors.joining(", "));
    if (!names.isEmpty()) {
      head.append(word).append(names);
    }
  }

  private SortedSet<String> members(Class<?> type) {
    SortedSet<String> lines = new TreeSet<>();
    Stream.of(type.getDeclaredConstructors())
        .filter(Signatures::isCallable)
        .forEach(constructor -> lines.add(line(constructor)));
    Class<?> declaring = type;
    do {
      Stream.of(declaring.getDeclaredMethods())
          .filter(Signatures::isCallable)
          .forEach(method -> lines.add(line(method)));
      Stream.of(declaring.getDeclaredFields())
          .filter(Signatures::isCallable)
          .forEach(field -> lines.add(line(field)));
      declaring = declaring.getSuperclass();
    } while (declaring != null && isHidden(declaring));
    return lines;
  }

  private static boolean isCallable(Member member) {
    return isReachable(member.getModifiers()) && !member.isSynthetic();
  }

  private static String line(Executable member) {
    String name =
        member instanceof Constructor
            ? member.getDeclaringClass().getTypeName()
            : member.getDeclaringClass().getTypeName() + "." + member.getName();
    String simple = member instanceof Constructor ? "new" : member.getName();
    String line =
        INSIDE.matcher(member.toGenericString()).replaceAll("").replace(name + "(", simple + "(");
    if (member instanceof Method method && method.getDefaultValue() != null) {
      return line + " default " + List.of(method.getDefaultValue());
    }
    return line;
  }

  private static String line(Field field) {
    String name = field.getDeclaringClass().getTypeName() + "." + field.getName();
    return field.toGenericString().replace(" " + name, " " + field.getName());
  }
}
