package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the scripts start, in a checkout whose name has a space, with a {@code java} that tells. */
@Timeout(60)
class ScriptsTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().normalize().getParent();

  @TempDir private Path temporary;
  private Path checkout;
  private Path jdk;

  @BeforeEach
  void makeACheckout() throws IOException {
    checkout = temporary.resolve("a checkout");
    jdk = temporary.resolve("a jdk");
    copy("stretto");
    copy("tools/jdk25.sh");
    copy("tools/gpu-kit-run");
    copy("examples/run");
    Path example = checkout.resolve("examples/src/main/java/dev/stretto/examples");
    Files.createDirectories(example);
    Files.createFile(example.resolve("Example01Any.java"));
    for (String module : List.of("core", "cli")) {
      Files.createDirectories(checkout.resolve(module + "/src/main"));
      Files.createFile(checkout.resolve(module + "/pom.xml"));
    }
    Files.createFile(checkout.resolve("pom.xml"));
    Files.createDirectories(checkout.resolve("cli/target/lib"));
    later(Files.createFile(checkout.resolve("cli/target/stretto-cli.jar")));
    later(Files.createFile(checkout.resolve("cli/target/lib/stretto-core.jar")));
    Files.createDirectories(jdk.resolve("bin"));
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
    tellsItsArguments(jdk.resolve("bin/java"));
    tellsItsArguments(jdk.resolve("bin/javac"));
    for (String file : List.of("-Dx=one", "-Dx=two")) {
      Files.createFile(checkout.resolve(file));
    }
  }

  private void copy(String script) throws IOException {
    Path target = checkout.resolve(script);
    Files.createDirectories(target.getParent());
    Files.copy(ROOT.resolve(script), target);
  }

  private static void later(Path file) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(3600)));
  }

  private static void tellsItsArguments(Path program) throws IOException {
    Files.writeString(program, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private List<String> run(String script, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", checkout.resolve(script).toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(checkout.toFile()).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", jdk.toString());
    builder.environment().put("JAVA_OPTS", "-Dx=* -Dy=[a-z]*");
    builder.environment().put("STRETTO_JAVA_OPTS", "-Dz=?\n-Xmx64m");
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said.lines().toList();
  }

  private static final String[] OPTIONS = {"-Dx=*", "-Dy=[a-z]*", "-Dz=?", "-Xmx64m"};

  @Test
  void optionsOfTheJvmAreWordsAndNoNamesOfFiles() throws Exception {
    assertThat(run("stretto", "devices", "* ?"))
        .containsSequence(OPTIONS)
        .endsWith("dev.stretto.cli.Main", "devices", "* ?");
    assertThat(run("examples/run", "01", "virtual:*"))
        .containsSequence(OPTIONS)
        .endsWith("virtual:*");
  }

  @Test
  void soAreThoseOfAKit() throws Exception {
    Path kit = Files.createDirectories(checkout.resolve("kit"));
    Files.copy(checkout.resolve("tools/gpu-kit-run"), kit.resolve("run"));
    for (String part : List.of("runtime", "lib")) {
      Files.createFile(kit.resolve(part + ".tar.xz"));
      Files.createDirectories(kit.resolve(part + "/bin"));
      later(kit.resolve(part));
    }
    tellsItsArguments(kit.resolve("runtime/bin/java"));
    later(kit.resolve("runtime"));
    assertThat(run("kit/run", "java", "Main", "*")).containsSequence(OPTIONS).endsWith("Main", "*");
  }
}
