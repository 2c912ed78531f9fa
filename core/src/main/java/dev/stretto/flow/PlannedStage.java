package dev.stretto.flow;

import dev.stretto.Device;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One of a flow's stages.
 *
 * @param works makes the stage of a device
 * @param most how many bytes leave at most if so many enter; null if as many leave
 * @param isInOrder whether it works on one chunk after the other
 */
record PlannedStage(
    Function<? super Device, ?> works, @Nullable LongUnaryOperator most, boolean isInOrder) {
  PlannedStage inOrder() {
    return new PlannedStage(works, most, true);
  }

  boolean resizes() {
    return most != null;
  }

  /** {@return how many bytes leave at most if so many enter} */
  long most(long bytes) {
    if (most == null) {
      return bytes;
    }
    long leaving = most.applyAsLong(bytes);
    if (leaving < 1) {
      throw new IllegalArgumentException(
          "a stage makes at most %d bytes of a chunk of %d: must be 1 or more"
              .formatted(leaving, bytes));
    }
    return leaving;
  }

  /**
   * {@return the stage of a device} A program that has bypassed javac's checks may make anything.
   */
  MadeStage on(Device device, int number) {
    Object made = works.apply(device);
    Objects.requireNonNull(made, () -> "stage of " + device.name());
    if (!(made instanceof Stage) && !(made instanceof ResizingStage)) {
      throw new IllegalArgumentException(
          "the stage of " + device.name() + " is a " + made.getClass().getName());
    }
    return new MadeStage(made, this, number);
  }
}
