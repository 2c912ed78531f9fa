package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.driver.DriverException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.Int4;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A check that fails in a kernel is reported with its line, and with the code that CUDA has for it,
 * the same on a GPU as on a virtual device. Most threads of several warps fail at once.
 */
@ExtendWith(OwnProcess.class)
class FailedCheckTest extends ContractTest {
  private static final int ILLEGAL_ADDRESS = 700;
  private static final int ASSERT = 710;
  private static final int MISALIGNED_ADDRESS = 716;
  private static final int LAUNCH_FAILED = 719;

  private void isReported(
      KernelMethod.Of1<GlobalInts> kernel, int code, String finding, String method) {
    Stream stream = device.stream();
    GlobalInts array = device.allocateInts(256);
    stream.fill(array, 1);
    stream.launch(Grid.of(4, 96), kernel, array);
    DeviceLostException lost =
        catchThrowableOfType(DeviceLostException.class, () -> stream.await());
    assertThat(lost)
        .hasMessageStartingWith(finding)
        .hasMessageContaining("FailedCheckTest.java:")
        .hasMessageContaining(method);
    Throwable cause = lost;
    while (!(cause instanceof DriverException) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    assertThat(cause)
        .isInstanceOfSatisfying(
            DriverException.class, driver -> assertThat(driver.code()).isEqualTo(code));
  }

  @Test
  void anAssertionIsAnAssertion() {
    isReported(
        FailedCheckTest::asserts, ASSERT, "assertion failed: an element 100% of \"1\"", "asserts");
  }

  @Test
  void anAssertionWithoutAMessageIsOneToo() {
    isReported(FailedCheckTest::assertsBriefly, ASSERT, "assertion failed", "assertsBriefly");
  }

  @Test
  void anIndexOutOfBoundsIsAnIllegalAddress() {
    isReported(FailedCheckTest::indexes, ILLEGAL_ADDRESS, "", "indexes");
  }

  @Test
  void fourElementsFromAnOddPlaceAreAMisalignedAddress() {
    isReported(FailedCheckTest::misaligns, MISALIGNED_ADDRESS, "", "misaligns");
  }

  @Test
  void aDivisionByZeroIsALaunchThatFailed() {
    isReported(FailedCheckTest::divides, LAUNCH_FAILED, "", "divides");
  }

  @Kernel
  private static void asserts(ThreadBlock block, GlobalInts array) {
    block.sync();
    assert array.get(block.threadRank()) == block.threadRank() - 300 : "an element 100% of \"1\"";
    block.sync();
    array.set(block.threadRank(), 2);
  }

  @Kernel
  private static void assertsBriefly(ThreadBlock block, GlobalInts array) {
    assert array.get(block.threadRank()) == 0;
  }

  @Kernel
  private static void indexes(ThreadBlock block, GlobalInts array) {
    assert array.get(0) == 1;
    array.set(256L + block.threadRank(), 1);
  }

  @Kernel
  private static void misaligns(ThreadBlock block, GlobalInts array) {
    array.set4(array.get(0), new Int4(1, 2, 3, 4));
  }

  @Kernel
  private static void divides(ThreadBlock block, GlobalInts array) {
    array.set(block.threadRank(), 7 / (array.get(1) - 1));
  }
}
