package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files with faults, given to the command, are taken or refused in one line, in a second and 256
 * MiB.
 *
 * <p>{@code -Dstretto.fuzz.files=20000} gives it that many, {@code -Dstretto.fuzz.seed=7} the one
 * with that seed, or begins there if both are given.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES) // as many as one likes
class MutatedFilesTest {
  private static final Long SEED = Long.getLong("stretto.fuzz.seed");
  private static final int FILES = Integer.getInteger("stretto.fuzz.files", SEED == null ? 300 : 1);

  @Test
  void areTakenOrRefusedInOneLine(@TempDir Path folder) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Xmx256m", "-cp"));
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(MutatedFilesProgram.class.getName());
    command.add(folder.toString());
    command.add(Long.toString(SEED == null ? 1 : SEED));
    command.add(Integer.toString(FILES));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PATH", folder.toString()); // no assembler
    builder.environment().remove("PTXAS");
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    System.out.print(said);
    assertThat(process.waitFor()).as(said).isZero();
  }
}
