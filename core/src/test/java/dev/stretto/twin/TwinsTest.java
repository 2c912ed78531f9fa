package dev.stretto.twin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Sample;
import dev.stretto.twin.Outcome.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * That virtual devices do what a GPU did: every twin, on threads and under seeds, against the
 * outcome of its C++ program that was noted on a GPU, but for what {@code virtual-differences.txt}
 * lists. {@code stretto.seeds} says how many seeds.
 */
class TwinsTest {
  private static final int SEEDS = Sample.of("stretto.seeds", 1, 4);

  /** Programs that came after the last note; those of a new note leave the list. */
  private static final List<String> NOT_NOTED =
      Outcome.resource("not-noted.txt").stream().filter(line -> !line.startsWith("#")).toList();

  private static final String FIRST = "virtual:h200x2";
  private static final String SECOND = "virtual:a100x2";

  /**
   * Otherwise each twin runs on threads of one machine and under a seed on the other. No stream
   * starves, since a GPU has none that does.
   */
  private static final boolean THOROUGH = SEEDS > 1;

  static Stream<Arguments> twinsAndMachines() {
    return Twins.all().stream()
        .filter(twin -> !NOT_NOTED.contains(twin.name()))
        .flatMap(twin -> machines(twin).map(machine -> Arguments.of(twin, machine)));
  }

  static Stream<Twin> twinsThatAreNotNoted() {
    return Twins.all().stream().filter(twin -> NOT_NOTED.contains(twin.name()));
  }

  private static Stream<TwinMachine> machines(Twin twin) {
    if (!THOROUGH && !twin.needsHopper()) {
      return Stream.of(FIRST, SECOND + ",schedule=quiet,seed=1").map(TwinMachine::new);
    }
    Stream<String> devices = twin.needsHopper() ? Stream.of(FIRST) : Stream.of(FIRST, SECOND);
    return devices
        .flatMap(
            those ->
                Stream.concat(
                    Stream.of(those),
                    IntStream.rangeClosed(1, SEEDS)
                        .mapToObj(seed -> those + ",schedule=quiet,seed=" + seed)))
        .map(TwinMachine::new);
  }

  @ParameterizedTest(name = "{0} on {1}")
  @MethodSource("twinsAndMachines")
  void aVirtualDeviceDoesWhatAGpuDid(Twin twin, TwinMachine machine) throws InterruptedException {
    assertThat(
            Comparison.ofVirtualDevices(Outcome.noted(), outcome(twin, machine))
                .unexpected(twin.name()))
        .isEmpty();
  }

  @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
  @MethodSource("twinsThatAreNotNoted")
  void whatNoGpuHasRunYetIsTheSameOnAllVirtualDevicesAndUnderAllSeeds(Twin twin)
      throws InterruptedException {
    Outcome first = outcome(twin, new TwinMachine(FIRST));
    assertThat(first.programs()).containsOnlyKeys(twin.name());
    for (TwinMachine machine : machines(twin).toList()) {
      assertThat(outcome(twin, machine)).as("%s", machine).isEqualTo(first);
    }
  }

  private static Outcome outcome(Twin twin, TwinMachine machine) throws InterruptedException {
    List<String> lines = new CopyOnWriteArrayList<>();
    Main.run(twin, machine, lines::add);
    return Outcome.of(lines);
  }

  @Test
  void whatVirtualDevicesDoOtherwiseIsListedWithWhatTheGpuDid() {
    Map<String, Map<String, Value>> noted = Outcome.noted().programs();
    assertThat(Differences.ofVirtualDevices().byPlace().values())
        .isNotEmpty()
        .allSatisfy(
            listed -> {
              String[] place = listed.place().split(": ", -1);
              assertThat(noted).containsKey(place[0]);
              assertThat(noted.get(place[0]).get(place[1]).text()).isEqualTo(listed.one());
              assertThat(listed.other()).isNotEqualTo(listed.one());
            });
  }

  @Test
  void everyProgramHasATwinAndNoNameIsUsedTwice() {
    List<String> names = Twins.all().stream().map(Twin::name).toList();
    assertThat(names).doesNotHaveDuplicates();
    List<String> known = new ArrayList<>(Outcome.noted().programs().keySet());
    known.addAll(NOT_NOTED);
    assertThat(names).containsExactlyInAnyOrderElementsOf(known);
  }
}
