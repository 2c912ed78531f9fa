package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** NCCL as Stretto calls it, on fakes of the library and of the driver that check each argument. */
class NcclOnFakesTest {
  /** {@return what {@link NcclRanks} has printed} */
  private static String run(Path folder, List<String> options, String... arguments)
      throws Exception {
    FakeCuda cuda = FakeCuda.reset();
    Path library = folder.resolve("libfakenccl.so");
    Path log = folder.resolve("cc.log");
    List<String> compiler =
        new ArrayList<>(
            List.of("-std=c11", "-D_GNU_SOURCE", "-O1", "-shared", "-fPIC", "-pthread"));
    compiler.addAll(options);
    compiler.addAll(
        List.of(FakeCuda.sources().resolve("fakenccl.c").toString(), "-o", library.toString()));
    int status = FakeCuda.compile(log, compiler).orElseThrow();
    assertThat(status).as(Files.readString(log)).isZero();
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea",
                "--enable-native-access=ALL-UNNAMED",
                "-Ddev.stretto.libcuda=" + cuda.library(),
                "-Ddev.stretto.nccl=" + library,
                "-cp",
                place(NcclRanks.class) + File.pathSeparator + place(Device.class),
                NcclRanks.class.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder program = new ProcessBuilder(command).redirectErrorStream(true);
    program.environment().put("FAKE_CUDA", cuda.library().toString());
    Process process = program.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  @Test
  void whereTheLibraryCanSplitCallsAreMadeByACommunicatorThatDoesNotStartThreads(
      @TempDir Path folder) throws Exception {
    String output = run(folder, List.of("-DWITH_SPLIT"), "split");
    assertThat(output.lines())
        .contains(
            "sum: [[3, 21], [3, 21]]",
            "exchanged: [[1, 2], [10, 11]]",
            "broadcast: [[2, 11], [2, 11]]",
            "swapped: [[101], [100]]",
            "launched: [[3], [3]], swapped: [[2], [1]]",
            "launched: [[6], [6]], swapped: [[4], [2]]",
            "refused: rank 0 of 2: invalid argument (as the test has asked)",
            "again: [[14], [14]]",
            "broken in a call: false, NcclException: rank 0 of 2: remote error (the network is"
                + " down)",
            "split off: 14",
            "watching: 0");
    assertThat(output.lines()).containsAll(broken("split")).containsAll(broken("joined"));
    assertThat(output.lines().filter(line -> line.equals("again: [[14], [14]]"))).hasSize(6);
    assertThat(output.lines().filter(line -> line.startsWith("left: "))).containsOnly("left: 0");
  }

  @Test
  void windowsAreRegisteredByAllRanksAndGivenBack(@TempDir Path folder) throws Exception {
    String output = run(folder, List.of("-DWITH_SPLIT", "-DWITH_WINDOWS"), "windows");
    assertThat(output.lines())
        .contains(
            "NCCL: all 2 ranks have NCCL 2.28.9 and a GPU of their own",
            "exchanged: [[1, 2], [10, 11]]",
            "by copy engines: [true, true]",
            "gathered: [[5, 6], [5, 6]]",
            "exchanged: [[10, 20], [11, 21]]",
            "windows left: 0")
        .noneMatch(line -> line.startsWith("WARNING"));
    assertThat(output.lines().filter(line -> line.startsWith("refused: ")))
        .singleElement()
        .asString()
        .contains("lies in a window");
    assertThat(output.lines().filter(line -> line.startsWith("short: ")))
        .singleElement()
        .asString()
        .contains("2199023255552 bytes", "out of memory");
    assertThat(output.lines().filter(line -> line.startsWith("left: "))).containsOnly("left: 0");
  }

  @Test
  void twoRanksShareArraysAndFailTogether(@TempDir Path folder) throws Exception {
    String output = run(folder, List.of());
    assertThat(output.lines())
        .contains(
            "NCCL: all 2 ranks have NCCL 2.27.5 and a GPU of their own",
            "sum: [[3, 21], [3, 21]]",
            "product: [[2, 110], [2, 110]]",
            "maximum: [[2, 11], [2, 11]]",
            "minimum: [[1, 10], [1, 10]]",
            "average: [[1, 10], [1, 10]]",
            "gathered: [[1, 10, 2, 11], [1, 10, 2, 11]]",
            "scattered: [[3], [21]]",
            "exchanged: [[1, 2], [10, 11]]",
            "broadcast: [[2, 11], [2, 11]]",
            "floats: [2.0, 2.0, 2.0]",
            "swapped: [[101], [100]]",
            "early: false, then [3]",
            "launched: [[3], [3]], swapped: [[2], [1]]",
            "launched: [[6], [6]], swapped: [[4], [2]]",
            "lost in a launch: rank 1",
            "closed: [[6], [6]], still there: 2",
            "refused in a capture: rank 0 of 2: invalid argument (as the test has asked)",
            "graphs left: 0",
            "refused: rank 0 of 2: invalid argument (as the test has asked)",
            "told: rank 0 (…, cuda:0) has given the communicator up: rank 0 of 2: invalid"
                + " argument (as the test has asked)",
            "lost: rank 1",
            "watching: 0");
    assertThat(output.lines()).containsAll(broken("joined"));
    assertThat(output.lines().filter(line -> line.equals("again: [[14], [14]]"))).hasSize(7);
    assertThat(output.lines().filter(line -> line.startsWith("left: "))).containsOnly("left: 0");
  }

  /** {@return what two ranks print when the library of one finds an error while nobody calls} */
  private static List<String> broken(String where) {
    String words = "rank 0 of 2: remote error (the network is down)";
    return List.of(
        "broken " + where + " at 0: false, NcclException: " + words,
        "broken "
            + where
            + " at 1: false, PeerLostException: rank 0 (…, cuda:0) has given the communicator up: "
            + words,
        "after it was broken: NcclException: " + words);
  }

  private static Path place(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
