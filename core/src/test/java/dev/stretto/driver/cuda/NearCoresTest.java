package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Host threads of a device stay on the cores that the system calls near to it. */
@EnabledOnOs(OS.LINUX)
class NearCoresTest {
  private static final String DEVICE = "0000:3b:00.0";

  @TempDir private Path devices;

  private void near(String cores) throws IOException {
    Path device = Files.createDirectories(devices.resolve(DEVICE));
    Files.writeString(device.resolve("local_cpulist"), cores + "\n");
  }

  /** What {@code /proc} says of a thread after it was kept near the device, and of its child. */
  private String allowedAfter() {
    CompletableFuture<String> allowed = new CompletableFuture<>();
    Thread.ofPlatform()
        .start(
            () -> {
              NearCores.of(devices, DEVICE).keepThread();
              Thread.ofPlatform().start(() -> allowed.complete(allowed()));
            });
    return allowed.join();
  }

  private static String allowed() {
    try {
      return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
          .filter(line -> line.startsWith("Cpus_allowed_list:"))
          .map(line -> line.replaceAll("^\\S+\\s+", ""))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String firstAllowed() {
    return allowed().split("[-,]", 2)[0];
  }

  @Test
  void aThreadAndThoseThatItCreatesRunNearTheDevice() throws IOException {
    near(firstAllowed() + ",4000-4100");
    assertThat(allowedAfter()).isEqualTo(firstAllowed());
  }

  @Test
  void anotherThreadStaysAsItWas() throws IOException {
    String before = allowed();
    near(firstAllowed());
    String _ = allowedAfter();
    assertThat(allowed()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4000-4100", "0-8191", "", "none", "3-1"})
  void aThreadThatWouldHaveNoCoreOrNothingToChooseStaysAsItWas(String cores) throws IOException {
    near(cores);
    assertThat(allowedAfter()).isEqualTo(allowed());
  }

  @Test
  void aDeviceThatTheSystemDoesNotKnowChangesNothing() {
    assertThat(allowedAfter()).isEqualTo(allowed());
  }
}
