package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.memory.GlobalInts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Mistakes in kernels are told with kernel, line, block and thread, where kernels are checked. */
@ExtendWith(OwnProcess.class)
class CheckedKernelTest extends ContractTest {
  @Test
  void anIndexOutOfBoundsIsToldWithItsPlace() {
    Stream stream = device.stream();
    GlobalInts array = device.allocateInts(32);
    stream.launch(Grid.of(2, 32), MethodKernels::outOfBounds, array, 95);
    assertThatThrownBy(stream::await)
        .isInstanceOf(DeviceLostException.class)
        .hasMessageContaining("outOfBounds")
        .hasMessageContaining("MethodKernels.java:")
        .hasMessageContaining("100")
        .hasMessageContaining("32")
        .hasMessageContaining("thread (5, 0, 0)");
  }

  @Test
  void aDivisionByZeroIsToldWithItsPlace() {
    Stream stream = device.stream();
    GlobalInts array = device.allocateInts(32);
    stream.launch(Grid.of(1, 32), MethodKernels::divides, array);
    assertThatThrownBy(stream::await)
        .isInstanceOf(DeviceLostException.class)
        .hasMessageContaining("divides")
        .hasMessageContaining("zero")
        .hasMessageContaining("thread (3, 0, 0)");
  }

  @Test
  void aFailedAssertionIsToldWithItsMessage() {
    Stream stream = device.stream();
    GlobalInts array = device.allocateInts(32);
    stream.launch(Grid.of(1, 32), MethodKernels::asserts, array);
    assertThatThrownBy(stream::await)
        .isInstanceOf(DeviceLostException.class)
        .hasMessageContaining("asserts")
        .hasMessageContaining("seven is not allowed")
        .hasMessageContaining("thread (7, 0, 0)");
  }
}
