package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.compiler.ptx.PtxText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a script in the place of {@code ptxas}, which not every machine has. */
class AssemblerTest {
  private static final PtxText KERNEL = new PtxText("the text", "scale", List.of(), 0, 0);
  private static final String SAYS =
      """
      #!/bin/sh
      if [ "$1" = --version ]; then
        echo "Cuda compilation tools, release 13.0, V13.0.88"
        exit
      fi
      echo "$@" >>"${0%/*}/arguments"
      """;
  private static final String MEASURES =
      SAYS
          + """
          cat <<END >&2
          ptxas info    : 0 bytes gmem
          ptxas info    : Compiling entry function 'scale' for 'sm_90'
          ptxas info    : Function properties for scale
              16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
          ptxas info    : Used 255 registers, used 1 barriers, 1024 bytes smem
          END
          """;
  private static final String REFUSES =
      SAYS
          + """
          echo "ptxas scale.ptx, line 1; error   : Parsing error near 'the': syntax error" >&2
          exit 255
          """;

  @TempDir private Path folder;

  private Path script(String text) throws Exception {
    Path file = Files.writeString(folder.resolve("ptxas"), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private Resources measure() {
    return Assembler.find(Map.of("PATH", folder.toString()))
        .orElseThrow()
        .measure(KERNEL, "sm_90a");
  }

  @Test
  void tellsWhatItSays() throws Exception {
    script(MEASURES);
    assertThat(measure())
        .isEqualTo(new Resources("ptxas 13.0.88", 255, 1024, 16, Optional.of(8), Optional.of(12)));
    assertThat(Files.readString(folder.resolve("arguments")))
        .startsWith("-v -arch=sm_90a -o ")
        .endsWith("scale.ptx\n");
  }

  @Test
  void leavesNoFiles() throws Exception {
    script(MEASURES);
    measure();
    String text = Files.readString(folder.resolve("arguments")).strip();
    Path file = Path.of(text.substring(text.lastIndexOf(' ') + 1));
    assertThat(file).isAbsolute().hasFileName("scale.ptx");
    assertThat(file.getParent()).doesNotExist();
  }

  @Test
  void tellsWhyAKernelIsRefused() throws Exception {
    script(REFUSES);
    assertThatThrownBy(this::measure)
        .isInstanceOf(CommandFailure.class)
        .hasMessage(
            "ptxas 13.0.88 refuses the kernel: ptxas scale.ptx, line 1; error   : Parsing error"
                + " near 'the': syntax error");
  }

  @Test
  void whatIsNamedComesBeforeThePath() throws Exception {
    script(MEASURES);
    Path other = folder.resolve("another ptxas");
    assertThatThrownBy(
            () ->
                Assembler.find(Map.of("PATH", folder.toString(), "PTXAS", other.toString()))
                    .orElseThrow()
                    .measure(KERNEL, "sm_90"))
        .isInstanceOf(CommandFailure.class)
        .hasMessageStartingWith(other + " cannot be run: ");
  }

  @Test
  void isNotFoundWhereThereIsNone() throws Exception {
    Files.writeString(folder.resolve("ptxas"), MEASURES); // not executable
    assertThat(Assembler.find(Map.of("PATH", folder + "::/nowhere"))).isEmpty();
    assertThat(Assembler.find(Map.of())).isEmpty();
  }
}
