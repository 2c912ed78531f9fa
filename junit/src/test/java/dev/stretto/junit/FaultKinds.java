package dev.stretto.junit;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.fault.StrettoException;
import dev.stretto.memory.GlobalInts;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A right program that keeps what it is told when calls fail. */
class FaultKinds {
  private static final List<StrettoException> TOLD = new CopyOnWriteArrayList<>();

  /** {@return what the program is told} */
  static List<StrettoException> told() {
    TOLD.clear();
    Runs runs = Runs.of(FaultKinds.class, "copies");
    if (!runs.failed().isEmpty()) {
      throw new AssertionError(runs.failed().toString(), runs.firstThrown());
    }
    return List.copyOf(TOLD);
  }

  @DeviceTest(seeds = 1, faults = Faults.ONE_BY_ONE)
  void copies(Device device) {
    try (Stream stream = device.stream();
        GlobalInts x = device.allocateInts(10)) {
      stream.fill(x, 1);
      stream.copy(x, new int[10]).await();
    } catch (StrettoException e) {
      TOLD.add(e);
      throw e;
    }
  }
}
