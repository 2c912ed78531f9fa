package dev.stretto.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MethodTypeEntry;
import java.lang.classfile.constantpool.NameAndTypeEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The picture of packages in docs/architecture.md shows the dependencies of the compiled classes.
 */
class ArchitecturePageTest {
  private static final Path PAGE = Path.of("../docs/architecture.md");
  private static final Pattern ARROW = Pattern.compile("(?m)^ +(\\w+) --> (\\w+)$");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(dev\\.stretto[\\w.]*)` \\|");

  private static final Pattern OURS = Pattern.compile("(dev/stretto[\\w/]*)/\\w");

  /** Nearly every package uses these, so the picture leaves out their arrows. */
  private static final Set<String> EVERYWHERE = Set.of("dev/stretto/fault", "dev/stretto/settings");

  private static final Map<String, Set<String>> USES = readUses();

  @Test
  void thePictureHasEveryDependencyBetweenPackagesAndNoOther() throws IOException {
    String drawn =
        ARROW
            .matcher(Files.readString(PAGE))
            .results()
            .map(MatchResult::group)
            .map(String::strip)
            .sorted()
            .collect(Collectors.joining("\n"));
    assertThat(drawn).isEqualTo(String.join("\n", arrows()));
  }

  @Test
  void theTableHasEveryPackageOrThePackageThatItIsPartOf() throws IOException {
    Set<String> listed =
        ROW.matcher(Files.readString(PAGE))
            .results()
            .map(it -> it.group(1))
            .collect(Collectors.toSet());
    Set<String> packages = USES.keySet();
    assertThat(packages.stream().map(it -> it.replace('/', '.')).toList())
        .containsAll(listed)
        .allMatch(it -> listed.contains(it) || listed.contains(it.replaceFirst("\\.\\w+$", "")));
  }

  private static Set<String> arrows() {
    Set<String> arrows = new TreeSet<>();
    USES.forEach(
        (from, used) ->
            used.stream()
                .filter(to -> !to.equals(from) && !EVERYWHERE.contains(to))
                .forEach(to -> arrows.add(node(from) + " --> " + node(to))));
    return arrows;
  }

  /** As the picture names a package. */
  private static String node(String slashed) {
    return slashed.equals("dev/stretto")
        ? "stretto"
        : slashed.replaceFirst("^dev/stretto/", "").replace('/', '_');
  }

  /** By package of core, the packages of core whose classes its classes name. */
  private static Map<String, Set<String>> readUses() {
    try {
      Path place =
          Path.of(Device.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isDirectory(place)) {
        return usesUnder(place);
      }
      try (FileSystem jar = FileSystems.newFileSystem(place)) {
        return usesUnder(jar.getPath("/"));
      }
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Set<String>> usesUnder(Path folder) throws IOException {
    Map<String, Set<String>> uses = new TreeMap<>();
    List<Path> classes;
    try (Stream<Path> files = Files.walk(folder)) {
      classes = files.filter(it -> it.toString().endsWith(".class")).toList();
    }
    for (Path file : classes) {
      Path within = folder.relativize(file).getParent();
      if (within != null && within.startsWith("dev/stretto")) {
        Set<String> used = uses.computeIfAbsent(within.toString(), _ -> new TreeSet<>());
        ClassModel type = ClassFile.of().parse(Files.readAllBytes(file));
        type.constantPool().forEach(entry -> used.addAll(packagesIn(entry)));
        type.fields().forEach(it -> used.addAll(packagesIn(it.fieldType().stringValue())));
        type.methods().forEach(it -> used.addAll(packagesIn(it.methodType().stringValue())));
      }
    }
    return uses;
  }

  private static Set<String> packagesIn(PoolEntry entry) {
    return switch (entry) {
      case ClassEntry type -> packagesIn(type.asInternalName());
      case NameAndTypeEntry member -> packagesIn(member.type().stringValue());
      case MethodTypeEntry type -> packagesIn(type.descriptor().stringValue());
      default -> Set.of();
    };
  }

  /** Of the name of a class, or of a descriptor. */
  private static Set<String> packagesIn(String text) {
    return OURS.matcher(text).results().map(it -> it.group(1)).collect(Collectors.toSet());
  }
}
