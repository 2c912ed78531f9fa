package dev.stretto.cli;

import dev.stretto.compiler.ptx.PtxText;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** CUDA's assembler {@code ptxas}, if it is installed. */
final class Assembler {
  private static final int MOST_BYTES = 1 << 20;
  private static final long PATIENCE_SECONDS = 120;
  private static final Pattern VERSION = Pattern.compile("\\bV(\\d+(\\.\\d+)*)");

  private final String program;

  private Assembler(String program) {
    this.program = program;
  }

  /**
   * The assembler that {@code $PTXAS} names, or otherwise the one on the path.
   *
   * @param environment of the process
   */
  static Optional<Assembler> find(Map<String, String> environment) {
    String named = environment.getOrDefault("PTXAS", "");
    if (!named.isEmpty()) {
      return Optional.of(new Assembler(named));
    }
    for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      Path program = Path.of(folder, "ptxas");
      if (!folder.isEmpty() && Files.isRegularFile(program) && Files.isExecutable(program)) {
        return Optional.of(new Assembler(program.toString()));
      }
    }
    return Optional.empty();
  }

  /**
   * Assembles a kernel and keeps only its resource usage.
   *
   * @param target for example sm_90a
   * @throws CommandFailure if the assembler cannot be run, or refuses the text
   */
  Resources measure(PtxText kernel, String target) {
    try (TemporaryFiles files = new TemporaryFiles()) {
      Path text = files.create(kernel.entry() + ".ptx");
      Files.writeString(text, kernel.text());
      Path image = files.create(kernel.entry() + ".cubin");
      String tool = "ptxas " + version();
      List<String> said = new ArrayList<>();
      int status = run(said, "-v", "-arch=" + target, "-o", image.toString(), text.toString());
      if (status != 0) {
        throw new CommandFailure(
            tool
                + " refuses the kernel: "
                + said.stream()
                    .filter(line -> line.contains("error"))
                    .findFirst()
                    .orElse(String.join("; ", said)));
      }
      return Resources.ofAssembler(tool, kernel.entry(), String.join("\n", said));
    } catch (IOException e) {
      throw new CommandFailure(program + " cannot be run: " + Faults.reason(e), e);
    }
  }

  private String version() throws IOException {
    List<String> said = new ArrayList<>();
    run(said, "--version");
    Matcher version = VERSION.matcher(String.join("\n", said));
    return version.find() ? version.group(1) : "(of unknown version)";
  }

  private int run(List<String> said, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    // The assembler ends after the kernel; another program may run forever, or never stop printing.
    CompletableFuture<Void> patience =
        CompletableFuture.runAsync(
            process::destroyForcibly,
            CompletableFuture.delayedExecutor(PATIENCE_SECONDS, TimeUnit.SECONDS));
    try (InputStream in = process.getInputStream()) {
      new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8).lines().forEach(said::add);
      if (in.read() >= 0) {
        throw new CommandFailure(
            "%s prints more than %d bytes: it is not ptxas".formatted(program, MOST_BYTES));
      }
      int status = process.waitFor();
      if (patience.isDone()) {
        throw new CommandFailure(
            "%s was ended after %d seconds".formatted(program, PATIENCE_SECONDS));
      }
      return status;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(program + " was interrupted", e);
    } finally {
      boolean _ = patience.cancel(false);
      process.destroyForcibly();
    }
  }
}
