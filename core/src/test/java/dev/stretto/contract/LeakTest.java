package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Leak;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.WorkScope;
import dev.stretto.memory.GlobalInts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** That leaks are reported with the stack of the allocation, to those who ask for that. */
class LeakTest {
  @Test
  void whatIsOpenAndWhatIsForgottenIsReportedWithItsStackWhenAskedFor() throws Exception {
    String output = run("-Ddev.stretto.leaks=true");
    assertThat(output)
        .contains("open: 1", "leak: 49380 bytes on virtual:0", "  at allocateHere", "left: 0")
        .contains("log: leaked: a pinned arena of virtual:0 was never closed", "  at forgetHere");
  }

  @Test
  void nothingIsKeptWhenNobodyAsks() throws Exception {
    assertThat(run("-Ddev.stretto.leaks=false"))
        .contains("open: 0", "left: 0")
        .doesNotContain("leak");
  }

  @Test
  void aDeviceThatIsWatchedListsStreamsAndMemoryUntilTheyAreClosed() {
    try (Device device = Device.open("virtual:h200,seed=1")) {
      device.watchLeaks();
      Stream stream = device.stream("upload");
      GlobalInts array = device.allocateInts(10);
      PinnedArena arena = device.pinnedArena();
      assertThat(device.leaks())
          .extracting(Leak::what)
          .containsExactlyInAnyOrder(
              stream.toString(),
              "40 bytes on " + device.name(),
              "a pinned arena of " + device.name());
      assertThat(device.leaks())
          .allSatisfy(leak -> assertThat(leak.where()).hasStackTraceContaining("LeakTest.aDevice"));
      stream.close();
      array.close();
      arena.close();
      assertThat(device.leaks()).isEmpty();
    }
  }

  @Test
  void streamsOfAFlowAScopeOrOthersAreNotLeftOpen() {
    try (Device device = Device.open("virtual:h200,seed=1")) {
      device.watchLeaks();
      try (WorkScope scope = device.scope();
          Stream legacy = device.legacyStream()) {
        GlobalInts array = device.allocateInts(10);
        scope.stream().fill(array, 1);
        scope.awaitAll();
        assertThat(legacy.isOpen()).isTrue();
        array.close();
      }
      assertThat(device.leaks()).isEmpty();
    }
  }

  private static String run(String property) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-Xmx64m",
            property,
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            LeakProgram.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }
}
