package dev.stretto.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a thread that copies memory which another one closes. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostBytesTest {
  private static final int BYTES = 8 << 20;

  /** Copies until the memory is gone. */
  @FunctionalInterface
  private interface Copying {
    void copy(MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long bytes);
  }

  private static boolean isInterruptedAfterTheMemoryIsClosed(Copying copying, boolean before)
      throws InterruptedException {
    Arena arena = Arena.ofShared();
    MemorySegment from = arena.allocate(BYTES);
    MemorySegment to = MemorySegment.ofArray(new byte[BYTES]);
    boolean[] copied = new boolean[1];
    Thread closing =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!isSet(copied)) {
                    Thread.onSpinWait();
                  }
                  arena.close();
                });
    if (before) {
      Thread.currentThread().interrupt();
    }
    assertThatThrownBy(
            () -> {
              while (true) {
                copying.copy(from, 0, to, 0, BYTES);
                synchronized (copied) {
                  copied[0] = true;
                }
              }
            })
        .isInstanceOf(IllegalStateException.class);
    boolean interrupted = Thread.interrupted();
    closing.join();
    return interrupted;
  }

  private static boolean isSet(boolean[] flag) {
    synchronized (flag) {
      return flag[0];
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aThreadIsAsInterruptedAfterwardsAsItWasBefore(boolean before) throws InterruptedException {
    for (int i = 0; i < 20; i++) {
      assertThat(isInterruptedAfterTheMemoryIsClosed(HostBytes::copy, before)).isEqualTo(before);
    }
  }

  /**
   * Or else there would be no need for it. In interpreted code it can be seen: compiled code looks
   * only after the copy whether another thread wants something, and is out of the method by then.
   */
  @Test
  void theJdkInterruptsIt() throws Exception {
    Process interpreted =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xint",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Interpreted.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(interpreted.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(interpreted.waitFor()).as(said).isZero();
  }

  /** Ends with 0 if the JDK's own copy leaves its thread interrupted. */
  static final class Interpreted {
    private Interpreted() {}

    static void main() throws InterruptedException {
      boolean interrupted = false;
      for (int i = 0; i < 200 && !interrupted; i++) {
        interrupted = isInterruptedAfterTheMemoryIsClosed(MemorySegment::copy, false);
      }
      System.exit(interrupted ? 0 : 1);
    }
  }
}
