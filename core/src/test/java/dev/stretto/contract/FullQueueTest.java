package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.collective.Collective;
import dev.stretto.collective.CollectiveCopy;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A stream of the driver's that is full blocks the call that enqueues more, in the middle of
 * whatever Stretto is doing. What goes on meanwhile is the device's work and nothing else: no
 * callback, no pump, nothing that could find Stretto half-way through a change.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FullQueueTest extends ContractTest {
  private static final int[] SIZES = {1, 2, 3, 5, 8, 1024};

  /** Runs a program on one device with each size of the driver's queue. */
  private void onEachSize(Program program) {
    for (int size : sizes()) {
      try (Machine.Opened small = machine(size).open()) {
        program.run(small.device());
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("queue=" + size + ": " + e, e);
      }
    }
  }

  private void onEachSizeOfPairs(PairProgram program) {
    for (int size : sizes()) {
      try (Machine.Opened pair = machine(size).openPair(UnaryOperator.identity())) {
        if (pair.devices().size() > 1) {
          program.run(pair.devices().get(0), pair.devices().get(1));
        }
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("queue=" + size + ": " + e, e);
      }
    }
  }

  private int[] sizes() {
    return machine.isVirtual() && !hasSize() ? SIZES : new int[1];
  }

  private boolean hasSize() {
    return machine.name().contains("queue=");
  }

  private Machine machine(int size) {
    return hasSize() ? machine : machine.with("queue=" + size);
  }

  private interface Program {
    void run(Device device);
  }

  private interface PairProgram {
    void run(Device one, Device two);
  }

  @Test
  void aDefaultStreamIsFilledBeyondItsQueueWhileOtherStreamsCallBack() {
    onEachSize(
        device -> {
          AtomicInteger called = new AtomicInteger();
          try (Stream legacy = device.legacyStream();
              Stream one = device.stream();
              Stream two = device.stream();
              GlobalInts array = device.allocateInts(64);
              GlobalInts other = device.allocateInts(64);
              GlobalInts ofCallbacks = device.allocateInts(64)) {
            for (int i = 1; i <= 1100; i++) {
              legacy.fill(array, i);
              if (i % 50 == 0) {
                one.fill(other, i);
                one.then(called::incrementAndGet);
                two.then(
                    () -> {
                      called.incrementAndGet();
                      two.fill(ofCallbacks, 1);
                    });
              }
            }
            legacy.await();
            one.await();
            two.await();
            assertThat(called).hasValue(44);
            int[] ints = new int[64];
            one.copy(array, ints).await();
            assertThat(ints).containsOnly(1100);
          }
        });
  }

  @Test
  void stagedCopiesCrossEachOtherAndKernels() {
    onEachSize(
        device -> {
          try (Stream in = device.stream();
              Stream out = device.stream();
              GlobalInts array = device.allocateInts(1_500_000);
              GlobalInts second = device.allocateInts(1_500_000)) {
            int[] source = new int[1_500_000];
            Arrays.setAll(source, i -> i);
            int[] target = new int[source.length];
            int[] again = new int[source.length];
            for (int round = 0; round < 2; round++) {
              in.copy(source, array);
              in.launch(Grid.covering(source.length, 256), Kernels.ADD, array, 3, source.length);
              in.copy(source, second);
              Event filled = in.record();
              out.waitFor(filled);
              out.copy(array, target);
              Copy last = out.copy(second, again);
              in.waitFor(out.record());
              last.await();
              assertThat(target[12_345]).isEqualTo(12_348);
              assertThat(again).isEqualTo(source);
            }
            in.await();
          }
        });
  }

  @Test
  void graphsAreLaunchedAgainAndAgainOnSeveralStreams() {
    onEachSize(
        device -> {
          AtomicInteger called = new AtomicInteger();
          try (Stream one = device.stream();
              Stream two = device.stream();
              GlobalInts array = device.allocateInts(1000);
              GlobalInts other = device.allocateInts(1000)) {
            one.fill(array, 0);
            one.fill(other, 0).await();
            Graph plain =
                Graph.capture(
                    one,
                    () -> {
                      one.launch(Grid.covering(1000, 128), Kernels.ADD, array, 1, 1000);
                      Event event = one.record();
                      two.waitFor(event);
                      two.launch(Grid.covering(1000, 128), Kernels.ADD, other, 1, 1000);
                      one.waitFor(two.record());
                    });
            Graph calling =
                Graph.capture(
                    one,
                    () -> {
                      one.launch(Grid.covering(1000, 128), Kernels.ADD, array, 1, 1000);
                      one.then(called::incrementAndGet);
                      one.launch(Grid.covering(1000, 128), Kernels.ADD, array, 1, 1000);
                    });
            for (int i = 0; i < 20; i++) {
              plain.launch(one);
              calling.launch(one);
            }
            one.await();
            assertThat(called).hasValue(20);
            int[] ints = new int[1000];
            one.copy(array, ints).await();
            assertThat(ints).startsWith(60);
            plain.close();
            calling.close();
          }
        });
  }

  @Test
  void devicesCopyToEachOtherWithAndWithoutAccess() {
    onEachSizeOfPairs(
        (one, two) -> {
          byte[] source = bytes(6 << 20, 1);
          try (Stream here = one.stream();
              Stream there = two.stream();
              GlobalBytes a = one.allocateBytes(source.length);
              GlobalBytes b = two.allocateBytes(source.length);
              GlobalBytes c = one.allocateBytes(source.length)) {
            here.copy(source, a);
            here.copy(a, b);
            there.waitFor(here.record());
            there.copy(b, c);
            for (int i = 0; i < 50; i++) {
              there.copy(b.slice(i * 100, 100), c.slice(i * 100, 100));
            }
            here.waitFor(there.record());
            assertSame(read(here, c), source);
          }
        });
  }

  @Test
  void collectivesRunOneAfterTheOther() {
    onEachSizeOfPairs(
        (one, two) -> {
          try (Collective all = Collective.of(List.of(one, two), 4_096);
              Stream here = one.stream();
              Stream there = two.stream();
              GlobalBytes a = one.allocateBytes(100_000);
              GlobalBytes b = two.allocateBytes(100_000);
              GlobalBytes c = one.allocateBytes(100_000)) {
            for (int i = 0; i < 5; i++) {
              here.fill(a, (byte) i);
              CollectiveCopy sent = all.broadcast(a, List.of(b), here.record());
              CollectiveCopy back = all.broadcast(b, List.of(c), sent.events());
              back.before(here);
            }
            assertThat(read(here, c)).containsOnly(4);
            assertThat(read(there, b)).containsOnly(4);
          }
        });
  }
}
