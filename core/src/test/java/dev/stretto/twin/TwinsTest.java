package dev.stretto.twin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.twin.Outcome.Value;
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
  private static final int SEEDS = Integer.getInteger("stretto.seeds", 4);

  static Stream<Arguments> twinsAndMachines() {
    return Stream.concat(
        twinsOn("virtual:h200x2", Twins.all()),
        twinsOn(
            "virtual:a100x2", Twins.all().stream().filter(twin -> !twin.needsHopper()).toList()));
  }

  private static Stream<Arguments> twinsOn(String devices, List<Twin> twins) {
    return Stream.concat(
            Stream.of(devices),
            IntStream.rangeClosed(1, SEEDS).mapToObj(seed -> devices + ",seed=" + seed))
        .flatMap(
            machine -> twins.stream().map(twin -> Arguments.of(twin, new TwinMachine(machine))));
  }

  @ParameterizedTest(name = "{0} on {1}")
  @MethodSource("twinsAndMachines")
  void aVirtualDeviceDoesWhatAGpuDid(Twin twin, TwinMachine machine) throws InterruptedException {
    List<String> lines = new CopyOnWriteArrayList<>();
    Main.run(twin, machine, lines::add);
    assertThat(
            Comparison.ofVirtualDevices(Outcome.noted(), Outcome.of(lines)).unexpected(twin.name()))
        .isEmpty();
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
    assertThat(names).containsExactlyElementsOf(Outcome.noted().programs().keySet());
    assertThat(names).hasSizeGreaterThanOrEqualTo(70);
  }
}
