package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.driver.virtual.VirtualProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Asks a shell that has read the script. */
@Timeout(60)
class CompletionCommandTest {
  @TempDir private Path folder;
  private Path script;

  @BeforeEach
  void writeScript() throws IOException {
    Ran ran = Ran.stretto("completion", "bash");
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.err()).isEmpty();
    script = Files.writeString(folder.resolve("script"), ran.out());
  }

  private List<String> run(List<String> command) throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as("%s", out).isZero();
    return Files.readAllLines(out);
  }

  /** What bash would offer for the last of the words, which are split as bash splits them. */
  private List<String> offered(String... words) throws IOException, InterruptedException {
    String asking =
        """
        . ./script
        shopt -s nullglob
        f=$(complete -p stretto); f=${f#*-F }; f=${f%% *}
        COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
        "$f" stretto "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        for each in "${COMPREPLY[@]}"; do echo "$each"; done
        """;
    List<String> command =
        new ArrayList<>(List.of("bash", "--norc", "--noprofile", "-uc", asking, "bash", "stretto"));
    command.addAll(List.of(words));
    return run(command);
  }

  private static String[] words(String line) {
    return Stream.of(line.split(" ", -1))
        .map(word -> word.equals("''") ? "" : word)
        .toArray(String[]::new);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ov                                               | overlap
          nosuch                                           | ''
          help ex                                          | explain
          completion ''                                    | bash zsh
          overlap --dev                                    | --device
          overlap --device c --tr                          | --trace
          overlap --mode p                                 | pageable pinned
          overlap --mode sync,pi                           | sync,pinned
          overlap --mode = o                               | overlap
          overlap --mode = sync,o                          | sync,overlap
          overlap --mode=sync,o                            | --mode=sync,overlap
          overlap --device virtual : rtx4                  | rtx4090
          overlap --device = virtual : a10                 | a100
          overlap --device=virtual:a10                     | --device=virtual:a100
          overlap --chunk ''                               | ''
          bandwidth --test device_l                        | device_local_copy
          bandwidth --test host_to_device device_l         | device_local_copy
          bandwidth --test host_to_device --si             | --size
          explain --arch sm_9                              | sm_90 sm_90a
          explain --ir unroll-                             | unroll-some
          explain -cp here --che                           | --checked
          --ver                                            | --verbose --version
          --verbose dev                                    | devices
          """)
  void completes(String line, String expected) throws Exception {
    assertThat(offered(words(line)))
        .containsExactlyInAnyOrderElementsOf(
            expected.isEmpty() ? List.of() : List.of(expected.split(" ", -1)));
  }

  @Test
  void devicesAreThoseOfTheMachineAndAllProfiles() throws Exception {
    List<String> expected =
        VirtualProfile.all().stream().map(VirtualProfile::word).collect(Collectors.toList());
    assertThat(offered("overlap", "--device", "virtual", ":"))
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(offered("bandwidth", "--device", "virt")).contains("virtual", "virtual:h200");
  }

  static List<String> commands() {
    return HelpCommandTest.commands();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyOptionInTheHelpIsOffered(String command) throws Exception {
    List<String> inHelp =
        Stream.of(Ran.stretto(command, "--help").out().split("\\R", -1))
            .filter(line -> line.matches(" {2,6}(-\\w+, )*--[a-z][a-z-]+.*"))
            .map(line -> line.replaceFirst("^[^-]*(?:-\\w+, )*(--[a-z-]+).*", "$1"))
            .distinct()
            .toList();
    assertThat(inHelp).contains("--help");
    assertThat(offered(command, "--")).containsAll(inHelp);
  }

  @Test
  void allCommandsAreOffered() throws Exception {
    assertThat(offered("")).containsExactlyInAnyOrderElementsOf(commands());
  }

  @Test
  void filesAreOfferedWithTheirSpaces() throws Exception {
    Files.createFile(folder.resolve("a file"));
    Files.createFile(folder.resolve("a:file"));
    assertThat(offered("overlap", "a")).containsExactlyInAnyOrder("a file", "a:file");
    assertThat(offered("overlap", "--out", "a")).containsExactlyInAnyOrder("a file", "a:file");
    assertThat(offered("overlap", "a", ":", "f")).containsExactly("file");
  }

  @Test
  void behindDashesACommandOfTheMachineIsOffered() throws Exception {
    assertThat(offered("check", "--", "mkfif")).contains("mkfifo");
    assertThat(offered("check", "--", "cat", "scr")).containsExactly("script");
  }

  @Test
  void zshReadsTheSameScript() throws Exception {
    assertThat(Ran.stretto("completion", "zsh").out()).isEqualTo(Files.readString(script));
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/zsh")), "zsh is not there");
    String asking =
        """
        . ./script
        print -r -- ${_comps[stretto]}
        ask() {
          emulate -L sh
          COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
          compgen() { shift; for each in $1; do case $each in "$3"*) echo "$each";; esac; done; }
          _stretto_complete
          for each in "${COMPREPLY[@]}"; do echo "$each"; done
        }
        ask stretto overlap --device virtual:rtx4
        ask stretto overlap --mode=sync,pi
        """;
    assertThat(run(List.of("zsh", "-f", "-c", asking)))
        .containsExactly(
            "_bash_complete -F _stretto_complete", "virtual:rtx4090", "--mode=sync,pinned");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcsh", "", "BASH"})
  void anotherShellIsAWrongCommandLine(String shell) {
    Ran ran = Ran.stretto("completion", shell);
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).contains("use bash or zsh").hasLineCount(1);
  }
}
