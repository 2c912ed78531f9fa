package dev.stretto.contract;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.StrettoException;
import dev.stretto.memory.GlobalBytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A stream of each device that has nothing to do with a program in which a call fails. */
public final class Bystanders {
  private static final int SIZE = 50_000;

  private final List<Stream> streams = new ArrayList<>();
  private final List<GlobalBytes> arrays = new ArrayList<>();

  /** Makes them, and looks whether they work. */
  public Bystanders(List<Device> devices) {
    for (Device device : devices) {
      streams.add(device.stream());
      arrays.add(device.allocateBytes(SIZE));
      goRoundTrip(streams.size() - 1);
    }
  }

  /**
   * Checks that they still work.
   *
   * @param hasFailed whether the call was made that is to fail; otherwise it may be one of theirs
   * @param asked whether that call asks how far a stream is: the poller asks that of these streams
   *     too, even after they are done, and tells them of it
   * @param seen gets what is thrown at them then
   */
  public void check(BooleanSupplier hasFailed, boolean asked, List<Throwable> seen) {
    for (int i = 0; i < streams.size(); i++) {
      boolean before = hasFailed.getAsBoolean();
      try {
        goRoundTrip(i);
      } catch (StrettoException e) {
        boolean lost = streams.get(i).device().isLost();
        if (before && !asked && !(lost && e instanceof DeviceLostException)) {
          throw new AssertionError("a stream that has nothing to do with it: " + e, e);
        }
        seen.add(e);
        if (!lost) {
          goRoundTrip(i);
        }
      }
    }
    long lost = streams.stream().filter(stream -> stream.device().isLost()).count();
    if (lost > 1) {
      throw new AssertionError(lost + " devices are lost");
    }
  }

  private void goRoundTrip(int i) {
    byte[] data = EveryOperation.bytes(SIZE, i);
    byte[] out = new byte[SIZE];
    Stream stream = streams.get(i);
    stream.copy(data, arrays.get(i));
    stream.copy(arrays.get(i), out);
    for (int seconds = 0; !stream.await(Duration.ofSeconds(1)); seconds++) {
      if (seconds == 20) {
        throw new AssertionError("another stream does not come to its end");
      }
    }
    if (!Arrays.equals(out, data)) {
      throw new AssertionError("another stream's data are wrong");
    }
  }
}
