package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.CopyRequest;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.fault.RaceException;
import dev.stretto.memory.GlobalFloats;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * With a checked order, what a copy will write on the host holds garbage on a virtual device until
 * it does: so a program that reads it too early computes nonsense. The device of these tests does
 * nothing unless the program waits.
 */
@WithOrder("checked")
class SpoiledDestinationsTest {
  private static final int LENGTH = 64;

  private final float[] host = new float[LENGTH];
  private Device device;
  private Stream stream;
  private GlobalFloats sevens;

  @BeforeEach
  void open() {
    device = Device.open("virtual:h200,seed=1,schedule=quiet");
    stream = device.stream();
    sevens = device.allocateFloats(LENGTH);
    stream.fill(sevens, 7).await();
  }

  @AfterEach
  void close() {
    sevens.close();
    device.close();
  }

  private static float[] floats(int count, float value) {
    float[] floats = new float[count];
    Arrays.fill(floats, value);
    return floats;
  }

  @Test
  void anArrayHoldsNonsenseUntilTheCopyWritesIt() {
    stream.copy(sevens, host);
    assertThat(host).containsOnly(Float.NaN);
    stream.await();
    assertThat(host).containsOnly(7);
  }

  @Test
  void soDoesPinnedMemory() {
    try (PinnedArena pinned = device.pinnedArena()) {
      MemorySegment segment = pinned.allocate(LENGTH * 4L);
      stream.copy(sevens, segment);
      assertThat(segment.toArray(ValueLayout.JAVA_FLOAT)).containsOnly(Float.NaN);
      stream.await();
      assertThat(segment.toArray(ValueLayout.JAVA_FLOAT)).containsOnly(7);
    }
  }

  @Test
  void andWhatABatchWrites() {
    stream.copyAll(List.of(CopyRequest.of(sevens, MemorySegment.ofArray(host))));
    assertThat(host).containsOnly(Float.NaN);
    stream.await();
    assertThat(host).containsOnly(7);
  }

  @Test
  void onlyTheRowsThatAreWrittenAreSpoiled() {
    stream.copy2D(sevens, 32, MemorySegment.ofArray(host), 32, 16, 8);
    for (int i = 0; i < LENGTH; i++) {
      assertThat(Float.isNaN(host[i])).as("%d", i).isEqualTo(i % 8 < 4);
    }
    stream.await();
  }

  @Test
  void whatAnEarlierCopyStillReadsIsNotSpoiled() {
    Arrays.fill(host, 3);
    try (GlobalFloats threes = device.allocateFloats(LENGTH)) {
      stream.copy(host, threes);
      stream.copy(sevens, host);
      stream.await();
      assertThat(host).containsOnly(7);
      stream.copy(threes, host).await();
      assertThat(host).containsOnly(3);
    }
  }

  @Test
  void whatACallbackMayStillReadIsNotSpoiled() {
    Arrays.fill(host, 3);
    float[] seen = new float[1];
    Event called = stream.then(() -> seen[0] = host[3]);
    stream.copy(sevens, host);
    called.await();
    stream.await();
    assertThat(seen).containsExactly(3);
    assertThat(host).containsOnly(7);
  }

  @Test
  void aCopyThatIsRefusedLeavesItsDestinationAsItWas() {
    Arrays.fill(host, 3);
    try (Stream other = device.stream();
        GlobalFloats fresh = device.allocateFloats(LENGTH)) {
      other.fill(fresh, 1);
      assertThatThrownBy(() -> stream.copy(fresh, host)).isInstanceOf(RaceException.class);
      other.await();
    }
    assertThat(host).isEqualTo(floats(LENGTH, 3));
  }

  @Test
  @WithOrder("off")
  void withoutACheckNothingIsSpoiled() {
    try (Device unchecked = Device.open("virtual:h200,seed=1,schedule=quiet");
        Stream its = unchecked.stream();
        GlobalFloats array = unchecked.allocateFloats(LENGTH)) {
      its.copy(array, host);
      assertThat(host).containsOnly(0);
      its.await();
    }
  }
}
