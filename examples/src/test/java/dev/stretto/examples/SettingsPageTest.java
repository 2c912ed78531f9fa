package dev.stretto.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.settings.Setting;
import dev.stretto.settings.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The guide's page "Settings" is the class, and all else names settings that there are. */
class SettingsPageTest {
  private static final Path ROOT = Path.of("..");
  private static final Path PAGE = ROOT.resolve("docs/guide/settings.md");

  /** A property that is set on a command line, or in a program. */
  private static final Pattern SET =
      Pattern.compile(
          "-D((?:dev\\.)?stretto\\.[A-Za-z.]*[A-Za-z])=|\"((?:dev\\.)?stretto\\.\\w+)\"");

  /** A property that is read, in any of the ways that the JDK has. */
  private static final Pattern READ =
      Pattern.compile(
          "(?:getProperty|getInteger|getLong|getBoolean)\\(\\s*\"((?:dev\\.)?stretto\\.[^\"]*)\"");

  private static final List<String> MODULES = List.of("core", "cli", "examples");

  @Test
  void thePageHasEverySettingWithItsDefaultUnitAndEffectAndNoOther() throws IOException {
    List<String> rows =
        Files.readString(PAGE)
            .lines()
            .filter(line -> line.startsWith("| `" + Settings.PREFIX))
            .toList();
    assertThat(rows)
        .containsExactlyElementsOf(
            Settings.all().stream().map(SettingsPageTest::row).sorted().toList());
  }

  private static String row(Setting<?> setting) {
    return "| `%s` | %s | %s | %s | %s | %s |"
        .formatted(
            setting.name(),
            setting.byDefault(),
            setting.unit().isEmpty() ? "–" : setting.unit(),
            setting.allowed(),
            setting.effect(),
            setting.read().text());
  }

  @Test
  void theClassListsTheSettingsThatItDeclares() throws IllegalAccessException {
    List<Object> declared = new ArrayList<>();
    for (Field field : Settings.class.getDeclaredFields()) {
      if (field.getType() == Setting.class) {
        declared.add(field.get(null));
      }
    }
    assertThat(List.<Object>copyOf(Settings.all())).containsExactlyInAnyOrderElementsOf(declared);
  }

  @Test
  void documentsScriptsAndSourcesSetOnlySettingsThatThereAre() throws IOException {
    Set<String> names = Settings.all().stream().map(Setting::name).collect(Collectors.toSet());
    Set<String> earlier =
        names.stream().map(name -> name.substring("dev.".length())).collect(Collectors.toSet());
    List<String> wrong = new ArrayList<>();
    int found = 0;
    for (Path file : textFiles()) {
      for (MatchResult set : SET.matcher(Files.readString(file)).results().toList()) {
        String name = set.group(1) != null ? set.group(1) : set.group(2);
        boolean isSetting = names.contains(name);
        found += isSetting ? 1 : 0;
        boolean option = set.group(1) != null && name.startsWith(Settings.PREFIX);
        if ((option && !isSetting) || earlier.contains(name)) {
          wrong.add(ROOT.relativize(file) + ": " + set.group());
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(found).as("the files are looked at").isGreaterThan(20);
  }

  @Test
  void theLibraryReadsNoPropertyOfItsOwnButBySettings() throws IOException {
    List<String> read = new ArrayList<>();
    for (String module : MODULES) {
      for (Path file : files(ROOT.resolve(module + "/src/main"))) {
        READ.matcher(Files.readString(file)).results().forEach(it -> read.add(file + it.group()));
      }
    }
    assertThat(read).isEmpty();
  }

  /** Not the tests of settings themselves, which are about names that there are not. */
  private static List<Path> textFiles() {
    return Stream.of(
            "README.md", "CONTRIBUTING.md", "docs", "bench", "tools", "core", "cli", "stretto")
        .map(ROOT::resolve)
        .flatMap(place -> files(place).stream())
        .filter(file -> !file.toString().contains("/settings/"))
        .toList();
  }

  private static List<Path> files(Path place) {
    try (Stream<Path> files = Files.walk(place)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !file.toString().contains("/target/"))
          .filter(file -> isText(file.getFileName().toString()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isText(String name) {
    return !name.contains(".") || name.matches(".*\\.(md|sh|java|xml|py)");
  }
}
