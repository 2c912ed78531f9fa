package dev.stretto.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.fault.SettingException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What values the system properties take, and what is said of those that they do not. */
class SettingTest {
  private static Setting<?> setting(String word) {
    return Settings.all().stream()
        .filter(setting -> setting.name().equals(Settings.PREFIX + word))
        .findAny()
        .orElseThrow();
  }

  static List<Setting<?>> numbers() {
    return Settings.all().stream().filter(it -> it.allowed().startsWith("a whole number")).toList();
  }

  static List<Setting<?>> flags() {
    return Settings.all().stream().filter(it -> it.allowed().equals("`true` or `false`")).toList();
  }

  @ParameterizedTest
  @MethodSource("numbers")
  void aNumberTakesItsBoundsAndItsDefaultAndNothingElse(Setting<?> setting) {
    String[] words = setting.allowed().split(" ", -1);
    long least = Long.parseLong(words[4]);
    long most = Long.parseLong(words[6]);
    assertThat(setting.parse(Long.toString(least))).isEqualTo(least);
    assertThat(setting.parse("0x" + Long.toHexString(most))).isEqualTo(most);
    assertThat(setting.byDefault()).startsWith(setting == Settings.AWAKE_NANOS ? "3000000," : "");
    assertThat(setting.unit()).isNotEmpty();
    for (String wrong :
        List.of(
            Long.toString(least - 1),
            Long.toString(most + 1),
            "",
            " ",
            "many",
            "4M",
            "1.5",
            "9223372036854775808")) {
      assertThatThrownBy(() -> setting.parse(wrong))
          .isExactlyInstanceOf(SettingException.class)
          .hasMessageContainingAll("-D" + setting.name() + "=" + wrong + ": ", setting.allowed());
    }
  }

  @ParameterizedTest
  @MethodSource("flags")
  void aFlagIsTrueOrFalseInWhateverCase(Setting<?> setting) {
    assertThat(setting.parse("True").toString()).contains("true");
    assertThat(setting.parse("FALSE").toString()).contains("false");
    for (String wrong : List.of("", " ", "yes", "1", "on", "true ")) {
      assertThatThrownBy(() -> setting.parse(wrong))
          .isExactlyInstanceOf(SettingException.class)
          .hasMessageStartingWith("-D" + setting.name() + "=" + wrong + ": ")
          .hasMessageEndingWith("allowed: `true` or `false`");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "cache, ''",
    "cache, ' '",
    "cache, cache",
    "cache, .",
    "cache, Off",
    "diagnosis, ''",
    "diagnosis, ' '",
    "libcuda, ''",
    "libcuda, ' '"
  })
  void aWordThatMeansNothingIsRefused(String word, String value) {
    Setting<?> setting = setting(word);
    assertThatThrownBy(() -> setting.parse(value))
        .isExactlyInstanceOf(SettingException.class)
        .hasMessageStartingWith("-D" + setting.name() + "=" + value + ": ")
        .hasMessageContaining("allowed: " + setting.allowed());
  }

  @Test
  void aPathThatCannotBeOneIsRefused() {
    for (String word : List.of("cache", "diagnosis")) {
      assertThatThrownBy(() -> setting(word).parse("/tmp/a\0b"))
          .isExactlyInstanceOf(SettingException.class)
          .hasMessageContaining("not a path");
    }
  }

  @Test
  void wordsAndPathsAreTaken() {
    assertThat(Settings.CACHE.parse("off")).contains(Settings.OFF);
    assertThat(Settings.CACHE.parse("/var/cache")).contains("/var/cache");
    assertThat(Settings.DIAGNOSIS.parse("TRUE")).isEqualTo("true");
    assertThat(Settings.DIAGNOSIS.parse("report.txt")).isEqualTo("report.txt");
    assertThat(Settings.LIBCUDA.parse("libcuda.so")).isEqualTo("libcuda.so");
  }

  @ParameterizedTest
  @CsvSource({
    "stretto.cache, dev.stretto.cache",
    "stretto.checked, dev.stretto.checked",
    "stretto.launchplaces, dev.stretto.launchPlaces",
    "stretto.cash, ",
    "dev.stretto.pump, dev.stretto.pumps",
    "dev.stretto.Leaks, dev.stretto.leaks",
    "dev.stretto.slot-bytes, dev.stretto.slotBytes",
    "dev.stretto.patience, dev.stretto.patienceMillis",
    "dev.stretto.diagnose, dev.stretto.diagnosis",
    "dev.stretto.launch.places, dev.stretto.launchPlaces"
  })
  void aMistakenNameIsReportedWithTheNearestOne(String mistaken, String nearest) {
    Optional<String> warning = MistakenNames.warning(Set.of(mistaken, "dev.stretto.slots"));
    if (nearest == null) {
      assertThat(warning).isEmpty();
    } else {
      assertThat(warning.orElseThrow())
          .startsWith("the system property " + mistaken + " has no effect: ")
          .contains(" name is " + nearest + ". ");
    }
  }

  @Test
  void aNameThatIsLikeNoneIsReportedTooAndSeveralAreOneWarning() {
    assertThat(
            MistakenNames.warning(Set.of("dev.stretto.telemetry", "dev.stretto.", "stretto.leaks")))
        .hasValueSatisfying(
            warning ->
                assertThat(warning)
                    .contains("dev.stretto.telemetry has no effect: no setting has a name like it")
                    .contains("dev.stretto. has no effect: no setting has a name like it")
                    .contains("its name is dev.stretto.leaks"));
  }

  @Test
  void propertiesOfTestsAndOfProgramsAreNoMistake() {
    assertThat(
            MistakenNames.warning(
                Set.of(
                    "stretto.seeds",
                    "stretto.machines",
                    "stretto.faults",
                    "stretto.faults.only",
                    "stretto.fuzz.seed",
                    "stretto.bench.depth",
                    "stretto.soak",
                    "stretto.math.print",
                    "stretto.",
                    "my.stretto.cache",
                    "dev.strettox",
                    "java.home")))
        .isEmpty();
  }
}
