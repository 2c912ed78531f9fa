package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.fault.CopyRule;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.memory.GlobalInts;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A virtual device tells a thread that has not waited for a copy from a copy that comes too early
 * for a thread: what cures the one does not cure the other.
 */
class OmittedWaitTest {
  private static final int LENGTH = 256;

  /** Which turns leave something out: all, all but the first, and a late one alone. */
  private static final int[][] TURNS = {{0, 9}, {1, 9}, {2, 2}};

  private static final Set<CopyRule> OF_WAITS =
      EnumSet.of(
          CopyRule.MISSING_WAIT,
          CopyRule.MISSING_BARRIER,
          CopyRule.WAIT_LEAVES_GROUP,
          CopyRule.STALE_STAGE,
          CopyRule.UNORDERED_WRITES);

  /** A copy may also come too early for the one before it. */
  private static final Set<CopyRule> OF_MEETINGS =
      EnumSet.of(CopyRule.EARLY_REFILL, CopyRule.UNORDERED_WRITES);

  /** Where threads that do not meet miss a phase altogether. */
  private static final String HANG = "no thread of the block can go on";

  /** A kernel of {@link OmittedWaits}. */
  interface Omitting extends KernelMethod.Of5<GlobalInts, GlobalInts, Integer, Integer, Integer> {}

  /** One of them. */
  record Named(String name, Omitting kernel) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static java.util.stream.Stream<Named> kernels() {
    return java.util.stream.Stream.of(
        new Named("groupsOfTheBlock", OmittedWaits::groupsOfTheBlock),
        new Named("groupsOfEachThread", OmittedWaits::groupsOfEachThread),
        new Named("changesBetween", OmittedWaits::changesBetween),
        new Named("twoStages", OmittedWaits::twoStages),
        new Named("aBarrier", OmittedWaits::aBarrier),
        new Named("bulkCopies", OmittedWaits::bulkCopies),
        new Named("aPipeline", OmittedWaits::aPipeline),
        new Named("producersAndConsumers", OmittedWaits::producersAndConsumers),
        new Named("oneThreadForAll", OmittedWaits::oneThreadForAll),
        new Named("eachWarpForItself", OmittedWaits::eachWarpForItself));
  }

  private static List<Machine> machines() {
    List<Machine> machines = new ArrayList<>(Machine.seeded());
    machines.add(new Machine("virtual"));
    return machines;
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void nothingIsSaidWhereNothingIsLeftOut(Named named) {
    for (Machine machine : machines()) {
      assertThat(catchThrowable(() -> run(machine, named.kernel, OmittedWaits.NONE, 0, 0)))
          .as("%s on %s", named, machine)
          .isNull();
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void aThreadThatHasNotWaitedIsToldToWait(Named named) {
    assertTold(named, OmittedWaits.WAIT, OF_WAITS);
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void aCopyThatComesTooEarlyIsToldToComeLater(Named named) {
    assertTold(named, OmittedWaits.MEETING, OF_MEETINGS);
  }

  private static void assertTold(Named named, int omitted, Set<CopyRule> rules) {
    for (int[] turns : TURNS) {
      for (Machine machine : machines()) {
        Throwable report =
            catchThrowable(() -> run(machine, named.kernel, omitted, turns[0], turns[1]));
        assertThat(rules)
            .as("%s from turn %d on %s: %s", named, turns[0], machine, report)
            .anyMatch(
                rule ->
                    String.valueOf(report).contains(" " + rule.title() + ": ")
                        || (canHang(named, omitted) && String.valueOf(report).contains(HANG)));
      }
    }
  }

  /**
   * Whether nothing may race. A consumer that does not wait may also be so far ahead that it reads
   * a stage again which no producer has filled anew: then the phases no longer fit.
   */
  private static boolean canHang(Named named, int omitted) {
    return omitted == OmittedWaits.MEETING || named.name.equals("producersAndConsumers");
  }

  private static void run(Machine machine, Omitting kernel, int omitted, int from, int to) {
    try (Device device = Device.open(machine.name());
        Stream stream = device.stream();
        GlobalInts in = device.allocateInts(LENGTH);
        GlobalInts out = device.allocateInts(LENGTH)) {
      stream.copy(IntStream.range(0, LENGTH).toArray(), in);
      stream.launch(Grid.of(1, 64), kernel, in, out, omitted, from, to);
      stream.await();
    }
  }
}
