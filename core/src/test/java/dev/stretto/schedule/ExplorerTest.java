package dev.stretto.schedule;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stretto.Device;
import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.fault.RaceException;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExplorerTest {
  private static final int LENGTH = 1 << 14;

  private static final Explorer EXPLORER = Explorer.of("virtual:h200");

  private static Program program(ShortestRaces race) {
    return devices -> race.run(devices, null);
  }

  private static Outcome failing(ShortestRaces race) {
    Exploration found = EXPLORER.explore(0, 400, program(race));
    assertThat(found.differences()).isEmpty();
    return found.failing().orElseThrow(() -> new AssertionError(race + " fails under no seed"));
  }

  /** A program of random calls: streams, staged copies, callbacks, graphs. */
  private static Program random(long number) {
    return devices -> {
      Random calls = new Random(number);
      Device device = devices.getFirst();
      try (Stream one = device.stream("one");
          Stream two = device.stream();
          Stream three = device.stream("with blanks. And dots");
          PinnedArena pinned = device.pinnedArena();
          GlobalInts x = device.allocateInts(LENGTH)) {
        MemorySegment host = pinned.allocate(4L * LENGTH, 4);
        List<Stream> streams = List.of(one, two, three);
        for (int i = 0; i < 40; i++) {
          Stream stream = streams.get(calls.nextInt(3));
          switch (calls.nextInt(8)) {
            case 0 -> stream.copy(host, x);
            case 1 -> stream.copy(x, host);
            case 2 -> stream.copy(x, new int[LENGTH]);
            case 3 -> stream.copy(new int[LENGTH], x);
            case 4 -> stream.then(() -> {});
            case 5 -> stream.waitFor(streams.get(calls.nextInt(3)).record());
            case 6 -> {
              GraphBuilder builder = Graph.builder(device);
              builder.fill(x, 3);
              builder.copy(x, host);
              try (Graph graph = builder.build()) {
                graph.launch(stream);
              }
            }
            default -> stream.fill(x, i).await();
          }
        }
        streams.forEach(Stream::await);
      }
    };
  }

  @Test
  void aTraceRepeatsARunAndIsAText() {
    for (int seed = 0; seed < 40; seed++) {
      Outcome run = EXPLORER.run(seed, random(seed));
      assertThat(run.failure()).as("failure under seed %d", seed).isEmpty();
      Trace trace = Trace.parse(run.trace().toString());
      assertThat(trace).as("the text of seed %d", seed).isEqualTo(run.trace());
      Outcome again = EXPLORER.replay(trace, random(seed));
      assertThat(again.trace().toString())
          .as("replay of seed %d", seed)
          .isEqualTo(trace.toString());
      assertThat(again.misfits()).as("misfits of seed %d", seed).isZero();
    }
  }

  @Test
  void differentSeedsAreDifferentRuns() {
    Set<String> traces = new HashSet<>();
    for (int seed = 0; seed < 40; seed++) {
      traces.add(EXPLORER.run(seed, random(1)).trace().toString().replaceFirst(".*?: ", ""));
    }
    assertThat(traces).hasSizeGreaterThan(30);
  }

  @Test
  void whatIsNoTraceIsRefused() {
    for (String text :
        List.of(
            "", "h200,seed=1", "h200: a.copy1", "h200,seed=1: copy", "h200,seed=1: a.copy1@b")) {
      assertThatIllegalArgumentException()
          .as("'%s'", text)
          .isThrownBy(() -> Trace.parse(text))
          .withMessageContaining("trace");
    }
    assertThat(Trace.parse("h200,seed=1:").length()).isZero();
  }

  @Test
  void aTraceIsGoodForAProgramThatHasChangedElsewhere() {
    for (ShortestRaces race : ShortestRaces.values()) {
      Outcome failing = failing(race);
      Program changed =
          devices ->
              race.run(
                  devices,
                  () -> {
                    Device device = devices.getFirst();
                    try (Stream other = device.stream("other");
                        GlobalInts z = device.allocateInts(64)) {
                      other.fill(z, 1);
                      other.copy(z, new int[64]).await();
                    }
                  });
      Outcome again = EXPLORER.replay(failing.trace(), changed);
      assertThat(again.failed()).as("%s: %s", race, failing.trace()).isTrue();
      assertThat(again.misfits()).as("%s: %s", race, failing.trace()).isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource(ShortestRaces.class)
  void aShrunkTraceIsHardlyLongerThanTheShortest(ShortestRaces race) {
    Outcome failing = failing(race);
    Shrunk found = EXPLORER.shrink(failing, program(race));
    Outcome shrunk = found.outcome();
    int turns = shrunk.trace().turns() - 1; // but for the preparation
    assertThat(turns)
        .as("turns of %s, shrunk from %s", shrunk.trace(), failing.trace())
        .isBetween(race.turns(), (int) (1.3 * race.turns()));
    Outcome again = EXPLORER.replay(Trace.parse(shrunk.trace().toString()), program(race));
    assertThat(again.failed()).as("%s", shrunk.trace()).isTrue();
    assertThat(again.trace()).isEqualTo(shrunk.trace());
    assertThat(again.misfits()).isZero();
    assertThat(found.ends()).as("the ends in %s", shrunk.trace()).isEqualTo(race.ends());
  }

  @Test
  void aPictureHasAColumnForEachStreamAndALineForEachTurn() {
    Trace trace = Trace.parse("h200,seed=2: up.copy1*2 down.copy1-2 up.fill1@down.copy3");
    assertThat(trace.turns()).isEqualTo(3);
    assertThat(trace.early()).isEqualTo(1);
    assertThat(trace.length()).isEqualTo(5);
    assertThat(trace.picture())
        .isEqualTo(
            """
            up                down
            copy1*2           |
            |                 copy1-2
            fill1@down.copy3  |
            """);
  }

  @Test
  void aSeedThatDoesNotStandForOneRunIsReported() {
    AtomicInteger runs = new AtomicInteger();
    Program program =
        devices -> {
          Device device = devices.getFirst();
          try (Stream stream = device.stream("stream");
              GlobalInts x = device.allocateInts(64)) {
            int fills = 1 + runs.getAndIncrement() % 2;
            for (int i = 0; i < fills; i++) {
              stream.fill(x, i);
            }
            stream.await();
          }
        };
    Exploration exploration = EXPLORER.explore(0, 20, program);
    assertThat(exploration.runs()).isEqualTo(20);
    assertThat(exploration.failing()).isEmpty();
    assertThat(exploration.differences())
        .hasSize(2)
        .first()
        .asString()
        .contains("seed 0: after 1 choices, stream.record1 in one run and stream.fill2");
  }

  @Test
  void anOperationMayHappenBeforeTheProgramsNextStatement() {
    Set<Byte> arrived = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      Outcome run =
          EXPLORER.run(
              seed,
              devices -> {
                Device device = devices.getFirst();
                try (Stream stream = device.stream();
                    PinnedArena pinned = device.pinnedArena();
                    GlobalInts x = device.allocateInts(64)) {
                  MemorySegment host = pinned.allocate(256, 4);
                  stream.copy(host, x);
                  host.fill((byte) 1);
                  stream.copy(x, host).await();
                  arrived.add(host.get(JAVA_BYTE, 0));
                  assertThat(host.get(JAVA_INT, 0)).isIn(0, 0x01010101);
                }
              });
      assertThat(run.failure()).as("failure under seed %d", seed).isEmpty();
      assertThat(seed % 2 == 0 || run.trace().early() == 0).as("seed %d", seed).isTrue();
    }
    assertThat(arrived).containsExactlyInAnyOrder((byte) 0, (byte) 1);
  }

  @Test
  void theOrderIsCheckedIfTheNameSaysSo() {
    Program racing =
        devices -> {
          try (Stream one = devices.getFirst().stream();
              Stream two = devices.getFirst().stream();
              GlobalInts x = devices.getFirst().allocateInts(LENGTH)) {
            one.fill(x, 1);
            two.fill(x, 2);
          }
        };
    Explorer checked = Explorer.of("h200,order=checked");
    Outcome outcome = checked.run(0, racing);
    assertThat(outcome.failure()).get().isInstanceOf(RaceException.class);
    assertThat(checked.replay(outcome.trace(), racing).failure())
        .get()
        .isInstanceOf(RaceException.class);
    assertThat(EXPLORER.run(0, racing).failed()).isFalse();
  }

  @Test
  void aRunIsMadeShortInAsManyRunsAsAreAllowed() {
    ShortestRaces race = ShortestRaces.values()[0];
    Outcome failing = failing(race);
    int[] runs = {0};
    Program counted =
        devices -> {
          runs[0]++;
          race.run(devices, null);
        };
    Shrunk few = EXPLORER.shrink(failing, counted, 3);
    assertThat(runs[0]).isBetween(1, 3);
    assertThat(few.outcome().failed()).isTrue();
    assertThatIllegalArgumentException().isThrownBy(() -> EXPLORER.shrink(failing, counted, 0));
  }

  @Test
  void anExplorerChoosesTheSeedsItself() {
    assertThatIllegalArgumentException().isThrownBy(() -> Explorer.of("virtual:h200,seed=1"));
    assertThatIllegalArgumentException().isThrownBy(() -> Explorer.of("h200,schedule=random"));
    assertThatIllegalArgumentException().isThrownBy(() -> EXPLORER.explore(0, -1, devices -> {}));
  }
}
