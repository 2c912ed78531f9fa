package dev.stretto.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.bench.CollectiveJob.Operation;
import dev.stretto.collective.Collective;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CollectiveTurnsTest {
  private static List<String> answers(String devices, String... requests) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    CollectiveTurns.run(
        List.of("--devices", devices),
        new StringReader(String.join("\n", requests)),
        new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8})
  void everyOperationIsRightAndHasATime(int count) {
    for (Operation operation : Operation.values()) {
      List<String> answers =
          answers(
              "virtual:h200x" + count, "prepare " + operation.label() + " 1048576", "measure 2 3");

      assertThat(answers).hasSize(2);
      assertThat(answers.getFirst())
          .isEqualTo(
              "{\"operation\":\"%s\",\"devices\":%d,\"bytes\":1048576}"
                  .formatted(operation.label(), count));
      assertThat(answers.getLast()).matches("\\{\"milliseconds\":[0-9.]*[1-9][0-9]*}");
    }
  }

  @Test
  void whatCannotBeDividedAmongTheDevicesIsLeftOut() {
    assertThat(answers("virtual:h200x3", "prepare all-gather 1000"))
        .containsExactly("{\"operation\":\"all-gather\",\"devices\":3,\"bytes\":984}");
  }

  @Test
  void sizesAndBandwidthsAreThoseOfNccl() {
    assertThat(Operation.BROADCAST.busFactor(4)).isEqualTo(1);
    assertThat(Operation.ALL_GATHER.busFactor(4)).isCloseTo(0.75, within(1e-9));
    assertThat(Operation.ALL_TO_ALL.busFactor(8)).isCloseTo(0.875, within(1e-9));
  }

  @ParameterizedTest
  @EnumSource
  void aWrongWordOnTheLastDeviceIsFound(Operation operation) {
    List<Device> devices = Device.openAll("virtual:h200x3");
    Device last = devices.getLast();
    try (Collective collective = Collective.of(devices);
        CollectiveJob job = new CollectiveJob(collective, operation, 3 << 10);
        Stream stream = last.stream()) {
      job.run();
      job.destinations().forEach(Words::compare);
      Words received = job.destinations().getLast();
      stream.fill(received.part(8 * 100, 8), 7).await();
      assertThatThrownBy(received::compare).hasMessage("1 wrong words on " + last.name());
    } finally {
      devices.forEach(Device::close);
    }
  }

  @Test
  void copiesThroughTheHostAreNotMeasured() {
    List<Device> devices = Device.openAll("virtual:h200x2");
    // Without access.
    try (Collective collective = Collective.of(devices);
        CollectiveJob job = new CollectiveJob(collective, Operation.BROADCAST, 1 << 20)) {
      assertThatThrownBy(job::verify).hasMessageContaining("PEER_");
    } finally {
      devices.forEach(Device::close);
    }
  }

  @Test
  void whatFailsIsToldAndDoesNotEndTheProcess() {
    List<String> answers =
        answers(
            "virtual:h200x2", "measure 1 1", "prepare reduce 8", "dance", "prepare broadcast 4096");

    assertThat(answers).hasSize(4);
    assertThat(answers.get(0)).contains("\"failed\"").contains("nothing is prepared");
    assertThat(answers.get(1)).contains("no such operation: reduce").contains("all-to-all");
    assertThat(answers.get(2)).contains("no such request: dance");
    assertThat(answers.get(3)).contains("\"bytes\":4096");
  }

  @Test
  void oneDeviceIsTooFew() {
    assertThatThrownBy(() -> answers("virtual", "prepare broadcast 4096"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("needs two GPUs, has 1");
  }
}
