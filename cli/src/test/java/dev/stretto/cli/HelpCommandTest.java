package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HelpCommandTest {
  /** The commands that the program itself lists. */
  static List<String> commands() {
    String list = Ran.stretto("help").out();
    return Stream.of(list.substring(list.indexOf("Commands:")).split("\\R", -1))
        .filter(line -> line.matches("  [a-z]+ .*"))
        .map(line -> line.strip().split(" ", 2)[0])
        .toList();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void describesACommandAsItsOwnOptionDoes(String command) {
    Ran ran = Ran.stretto("help", command);
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out()).startsWith("Usage: stretto " + command);
    assertThat(ran.out()).isEqualTo(Ran.stretto(command, "--help").out());
  }

  @Test
  void listsAllCommands() {
    assertThat(Ran.stretto("help").out()).isEqualTo(Ran.stretto("--help").out());
    assertThat(commands()).contains("overlap", "devices", "help", "completion");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nosuch", "", "overlapp", "two\nlines"})
  void anUnknownCommandIsOneLine(String name) {
    for (Ran ran : List.of(Ran.stretto("help", name), Ran.stretto(name))) {
      assertThat(ran.exitCode()).isEqualTo(2);
      assertThat(ran.out()).isEmpty();
      assertThat(ran.err())
          .startsWith("stretto: '" + name.lines().findFirst().orElse("") + "' is not a command (")
          .contains("stretto --help")
          .hasLineCount(1);
      assertThat(ran.err().strip().length()).isLessThanOrEqualTo(80);
    }
  }

  @Test
  void twoCommandsAreAWrongCommandLine() {
    Ran ran = Ran.stretto("help", "overlap", "devices");
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).contains("devices").hasLineCount(1);
  }
}
