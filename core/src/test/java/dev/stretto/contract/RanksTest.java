package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.Stream;
import dev.stretto.collective.Communicator;
import dev.stretto.collective.CommunicatorId;
import dev.stretto.collective.Reduction;
import dev.stretto.collective.Window;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.PeerLostException;
import dev.stretto.fault.RankMismatchException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntBinaryOperator;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What any number of ranks do together, in one process. Where there are fewer GPUs than ranks, the
 * others have virtual devices, and the data goes over TCP; where there are enough, NCCL brings it.
 */
abstract class RanksTest extends ContractTest {
  /** How many ranks there are. */
  private final int count;

  static final Duration LONG = Duration.ofSeconds(60);

  /** Nothing, less than a rank each, not a multiple of the ranks, and several pieces. */
  private static final int[] LENGTHS = {0, 1, 2, 7, 1_000, 900_001};

  final List<Device> devices = new ArrayList<>();
  private final List<Device> own = new ArrayList<>();
  final List<Stream> streams = new ArrayList<>();
  List<Communicator> ranks = List.of();
  private final SplittableRandom random = new SplittableRandom(7);

  RanksTest(int count) {
    this.count = count;
  }

  @Override
  Machine machine() {
    return machine.isVirtual() && machine.isSeeded()
        ? new Machine(machine.name().replace("h200", "h200x" + count))
        : machine.isVirtual() ? new Machine("virtual:h200x" + count) : machine;
  }

  /** All GPUs, where there are some. */
  @Override
  Machine.Opened opened() {
    return machine().isVirtual() ? super.opened() : machine.openPair(UnaryOperator.identity());
  }

  @BeforeEach
  void meet() {
    devices.addAll(opened.devices().subList(0, Math.min(count, opened.devices().size())));
    while (devices.size() < count) {
      own.add(Device.open("virtual"));
      devices.add(own.getLast());
    }
    ranks = join(devices);
    devices.forEach(each -> streams.add(each.stream()));
  }

  @AfterEach
  void part() {
    ranks.forEach(Communicator::close);
    streams.forEach(Stream::close);
    own.forEach(Device::close);
  }

  static List<Communicator> join(List<Device> devices) {
    CommunicatorId id = CommunicatorId.parse(Communicator.id().toString());
    List<CompletableFuture<Communicator>> all =
        IntStream.range(0, devices.size())
            .mapToObj(
                i ->
                    later(
                        () -> Communicator.awaitPeers(id, i, devices.size(), devices.get(i), LONG)))
            .toList();
    return all.stream().map(CompletableFuture::join).toList();
  }

  static <T> CompletableFuture<T> later(java.util.function.Supplier<T> body) {
    return CompletableFuture.supplyAsync(body, task -> Thread.ofVirtual().start(task));
  }

  GlobalInts ints(int rank, int... values) {
    GlobalInts array = empty(rank, values.length);
    if (values.length > 0) {
      streams.get(rank).copy(values.clone(), array);
    }
    return array;
  }

  int[] read(int rank, GlobalInts array) {
    int[] values = new int[(int) array.length()];
    if (values.length > 0) {
      streams.get(rank).copy(array, values).await();
    }
    return values;
  }

  int[] random(int length) {
    return random.ints(length).toArray();
  }

  /** Has all ranks enqueue, one after the other, and waits for all. */
  void onAll(IntFunction<Event> call) {
    List<Event> events = IntStream.range(0, count).mapToObj(call).toList();
    events.forEach(Event::await);
  }

  @Test
  void allReduceGivesAllRanksTheSum() {
    for (int length : LENGTHS) {
      List<int[]> values = on(i -> random(length));
      int[] sum = new int[length];
      values.forEach(each -> Arrays.setAll(sum, i -> sum[i] + each[i]));
      List<GlobalInts> from = on(i -> ints(i, values.get(i)));
      List<GlobalInts> to = on(i -> empty(i, length));
      onAll(i -> ranks.get(i).allReduce(streams.get(i), from.get(i), to.get(i), Reduction.SUM));
      for (int i = 0; i < count; i++) {
        assertThat(read(i, to.get(i))).as("rank %d of %d", i, length).isEqualTo(sum);
        assertThat(read(i, from.get(i))).isEqualTo(values.get(i));
      }
      onAll(i -> ranks.get(i).allReduce(streams.get(i), from.get(i), from.get(i), Reduction.SUM));
      for (int i = 0; i < count; i++) {
        assertThat(read(i, from.get(i))).as("in place, rank %d of %d", i, length).isEqualTo(sum);
      }
    }
  }

  <T> List<T> on(IntFunction<T> each) {
    return IntStream.range(0, count).mapToObj(each).toList();
  }

  @Test
  void eachReductionIsWhatItIsCalled() {
    List<int[]> values = on(i -> new int[] {7 - 11 * i, 7 * i - 2, 0x4000_0000 + i});
    Map<Reduction, IntBinaryOperator> reductions =
        Map.of(
            Reduction.SUM, Integer::sum, // which wraps around
            Reduction.PRODUCT, (x, y) -> x * y,
            Reduction.MAX, Math::max,
            Reduction.MIN, Math::min);
    for (Reduction reduction : reductions.keySet()) {
      int[] result =
          IntStream.range(0, 3)
              .map(
                  i ->
                      IntStream.range(0, count)
                          .map(rank -> values.get(rank)[i])
                          .reduce(reductions.get(reduction))
                          .orElseThrow())
              .toArray();
      List<GlobalInts> arrays = on(i -> ints(i, values.get(i)));
      onAll(i -> ranks.get(i).allReduce(streams.get(i), arrays.get(i), arrays.get(i), reduction));
      for (int i = 0; i < count; i++) {
        assertThat(read(i, arrays.get(i))).as("%s", reduction).isEqualTo(result);
      }
    }
  }

  @Test
  void eachTypeIsCombinedAsWhatItIs() {
    for (int i = 0; i < count; i++) {
      streams.get(i).await();
    }
    List<GlobalFloats> floats = on(i -> devices.get(i).allocateFloats(5));
    List<GlobalDoubles> doubles = on(i -> devices.get(i).allocateDoubles(5));
    List<GlobalLongs> longs = on(i -> devices.get(i).allocateLongs(5));
    List<GlobalBytes> bytes = on(i -> devices.get(i).allocateBytes(5));
    for (int i = 0; i < count; i++) {
      streams.get(i).fill(floats.get(i), 1.5f + i);
      streams.get(i).fill(doubles.get(i), 0.1 * (i + 1));
      streams.get(i).fill(longs.get(i), 1L << (40 + i));
      streams.get(i).fill(bytes.get(i), (byte) (50 + i));
    }
    onAll(
        i ->
            ranks
                .get(i)
                .group(
                    streams.get(i),
                    group -> {
                      group.allReduce(floats.get(i), floats.get(i), Reduction.AVERAGE);
                      group.allReduce(doubles.get(i), doubles.get(i), Reduction.SUM);
                      group.allReduce(longs.get(i), longs.get(i), Reduction.SUM);
                      group.allReduce(bytes.get(i), bytes.get(i), Reduction.SUM);
                    }));
    for (int i = 0; i < count; i++) {
      float[] f = new float[5];
      double[] d = new double[5];
      long[] l = new long[5];
      byte[] b = new byte[5];
      streams.get(i).copy(floats.get(i), f).await();
      streams.get(i).copy(doubles.get(i), d).await();
      streams.get(i).copy(longs.get(i), l).await();
      streams.get(i).copy(bytes.get(i), b).await();
      assertThat(f).containsOnly(1.5f + (count - 1) / 2f);
      assertThat(d)
          .containsOnly(
              IntStream.range(0, count).mapToDouble(k -> 0.1 * (k + 1)).reduce(0, (x, y) -> x + y));
      assertThat(l).containsOnly(((1L << count) - 1) << 40);
      assertThat(b).containsOnly((byte) IntStream.range(0, count).map(k -> 50 + k).sum());
    }
  }

  @Test
  void allGatherGivesAllRanksTheArraysOfAll() {
    for (int length : LENGTHS) {
      List<int[]> values = on(i -> random(length));
      int[] all = values.stream().flatMapToInt(Arrays::stream).toArray();
      List<GlobalInts> from = on(i -> ints(i, values.get(i)));
      List<GlobalInts> to = on(i -> empty(i, (long) length * count));
      onAll(i -> ranks.get(i).allGather(streams.get(i), from.get(i), to.get(i)));
      for (int i = 0; i < count; i++) {
        assertThat(read(i, to.get(i))).as("rank %d of %d", i, length).isEqualTo(all);
      }
    }
  }

  @Test
  void reduceScatterGivesEachRankItsPartOfTheSum() {
    for (int length : LENGTHS) {
      List<int[]> values = on(i -> random(length * count));
      int[] sum = new int[length * count];
      values.forEach(each -> Arrays.setAll(sum, i -> sum[i] + each[i]));
      List<GlobalInts> from = on(i -> ints(i, values.get(i)));
      List<GlobalInts> to = on(i -> empty(i, length));
      onAll(i -> ranks.get(i).reduceScatter(streams.get(i), from.get(i), to.get(i), Reduction.SUM));
      for (int i = 0; i < count; i++) {
        assertThat(read(i, to.get(i)))
            .as("rank %d of %d", i, length)
            .isEqualTo(Arrays.copyOfRange(sum, i * length, (i + 1) * length));
      }
    }
  }

  @Test
  void aPartOfAnArrayIsGatheredAndScatteredInPlace() {
    int length = 300_000;
    List<int[]> values = on(i -> random(length * count));
    List<GlobalInts> arrays = on(i -> ints(i, values.get(i)));
    onAll(
        i -> {
          GlobalInts part = arrays.get(i).slice((long) i * length, length);
          Event _ = ranks.get(i).reduceScatter(streams.get(i), arrays.get(i), part, Reduction.MAX);
          return ranks.get(i).allGather(streams.get(i), part, arrays.get(i));
        });
    int[] most = values.getFirst().clone();
    values.forEach(each -> Arrays.setAll(most, i -> Math.max(most[i], each[i])));
    for (int i = 0; i < count; i++) {
      assertThat(read(i, arrays.get(i))).isEqualTo(most);
    }
  }

  @Test
  void broadcastGivesAllRanksTheArrayOfTheRoot() {
    for (int root = 0; root < count; root++) {
      for (int length : LENGTHS) {
        List<int[]> values = on(i -> random(length));
        List<GlobalInts> arrays = on(i -> ints(i, values.get(i)));
        int from = root;
        onAll(i -> ranks.get(i).broadcast(streams.get(i), arrays.get(i), from));
        for (int i = 0; i < count; i++) {
          assertThat(read(i, arrays.get(i))).isEqualTo(values.get(root));
        }
      }
    }
  }

  @Test
  void allToAllSendsEachRankItsPart() {
    for (int length : LENGTHS) {
      List<int[]> values = on(i -> random(length * count));
      List<GlobalInts> from = on(i -> ints(i, values.get(i)));
      List<GlobalInts> to = on(i -> empty(i, (long) length * count));
      onAll(i -> ranks.get(i).allToAll(streams.get(i), from.get(i), to.get(i)));
      for (int i = 0; i < count; i++) {
        int rank = i;
        int[] expected =
            values.stream()
                .flatMapToInt(each -> Arrays.stream(each, rank * length, (rank + 1) * length))
                .toArray();
        assertThat(read(i, to.get(i))).as("rank %d of %d", i, length).isEqualTo(expected);
      }
    }
  }

  @Test
  void inAGroupAllSendToTheNextAndReceiveOfTheOneBefore() {
    List<int[]> values = on(i -> random(700_000));
    List<GlobalInts> from = on(i -> ints(i, values.get(i)));
    List<GlobalInts> to = on(i -> devices.get(i).allocateInts(700_000));
    onAll(
        i ->
            ranks
                .get(i)
                .group(
                    streams.get(i),
                    group -> {
                      group.send(from.get(i), (i + 1) % count);
                      group.recv(to.get(i), (i + count - 1) % count);
                    }));
    for (int i = 0; i < count; i++) {
      assertThat(read(i, to.get(i))).isEqualTo(values.get((i + count - 1) % count));
    }
  }

  @Test
  void aGroupMeetsSingleCallsAndARankSendsToItself() {
    int[] values = random(1_000);
    GlobalInts there = ints(0, values);
    GlobalInts back = devices.get(0).allocateInts(1_000);
    GlobalInts same = devices.get(0).allocateInts(1_000);
    GlobalInts other = devices.get(1).allocateInts(1_000);
    Event group =
        ranks
            .get(0)
            .group(
                streams.get(0),
                calls -> {
                  calls.send(there, 1);
                  calls.recv(back, 1);
                  calls.send(there, 0);
                  calls.recv(same, 0);
                });
    Event _ = ranks.get(1).recv(streams.get(1), other, 0);
    Event answered = ranks.get(1).send(streams.get(1), other, 0);
    group.await();
    answered.await();
    assertThat(read(0, back)).isEqualTo(values);
    assertThat(read(0, same)).isEqualTo(values);
  }

  @Test
  void anOperationComesInTheOrderOfItsStreamAndArraysMayBeClosedAtOnce() {
    int length = 400_000;
    List<int[]> results = on(i -> new int[length]);
    onAll(
        i -> {
          GlobalInts array = devices.get(i).allocateInts(length);
          Stream stream = streams.get(i);
          Event _ = stream.fill(array, i + 1);
          Event _ = ranks.get(i).allReduce(stream, array, array, Reduction.SUM);
          stream.copy(array, results.get(i));
          array.close();
          return stream.record();
        });
    results.forEach(each -> assertThat(each).containsOnly(count * (count + 1) / 2));
  }

  @Test
  void aClosedCommunicatorFinishesWhatIsUnderWay() {
    List<int[]> values = on(i -> random(500_000));
    List<GlobalInts> arrays = on(i -> ints(i, values.get(i)));
    onAll(
        i -> {
          Event event =
              ranks.get(i).allReduce(streams.get(i), arrays.get(i), arrays.get(i), Reduction.MIN);
          ranks.get(i).close();
          assertThatThrownBy(() -> ranks.get(i).broadcast(streams.get(i), arrays.get(i), 0))
              .isInstanceOf(ClosedException.class);
          return event;
        });
    int[] least = values.getFirst().clone();
    values.forEach(each -> Arrays.setAll(least, i -> Math.min(least[i], each[i])));
    for (int i = 0; i < count; i++) {
      assertThat(read(i, arrays.get(i))).isEqualTo(least);
    }
  }

  /** {@return an array of undefined contents; without elements it is a part of one} */
  GlobalInts empty(int rank, long length) {
    return devices.get(rank).allocateInts(Math.max(1, length)).slice(0, length);
  }

  // --- windows ----------------------------------------------------------------------------------

  /** Opens a window on all ranks, each on a thread of its own, since each waits for the others. */
  private List<Window> windows(long bytes) {
    return together(i -> ranks.get(i).awaitWindow(bytes));
  }

  private <T> List<T> together(IntFunction<T> call) {
    return on(i -> later(() -> call.apply(i))).stream().map(CompletableFuture::join).toList();
  }

  private static GlobalInts part(Window window, long first, long length) {
    return window.memory().asInts().slice(first, length);
  }

  @Test
  void aWindowGathersInPlaceAndExchangesWithAnother() {
    int most = 300_000;
    List<Window> from = windows(4L * count * most);
    List<Window> to = windows(4L * count * most + 4);
    assertThat(on(i -> from.get(i).isByCopyEngines())).containsOnly(from.get(0).isByCopyEngines());
    for (int length : new int[] {1, 3, 1_000, most}) {
      List<int[]> values = on(i -> random(length * count));
      for (int i = 0; i < count; i++) {
        streams.get(i).copy(values.get(i).clone(), part(from.get(i), 0, length * count));
      }
      onAll(i -> from.get(i).allToAll(streams.get(i), to.get(i), 4L * length));
      for (int i = 0; i < count; i++) {
        int rank = i;
        assertThat(read(i, part(to.get(i), 0, length * count)))
            .as("exchanged, rank %d of %d", i, length)
            .isEqualTo(
                values.stream()
                    .flatMapToInt(each -> Arrays.stream(each, rank * length, (rank + 1) * length))
                    .toArray());
      }
      onAll(i -> from.get(i).allGather(streams.get(i), 4L * length));
      int[] all =
          IntStream.range(0, count)
              .flatMap(i -> Arrays.stream(values.get(i), i * length, (i + 1) * length))
              .toArray();
      for (int i = 0; i < count; i++) {
        assertThat(read(i, part(from.get(i), 0, length * count)))
            .as("gathered, rank %d of %d", i, length)
            .isEqualTo(all);
      }
    }
    from.forEach(Window::close);
    to.forEach(Window::close);
  }

  @Test
  void aLaunchOfAGraphGathersInAWindow() {
    List<Window> all = windows(4L * count);
    List<Graph> graphs = graphs(i -> all.get(i).allGather(streams.get(i), 4));
    for (int round = 0; round < 3; round++) {
      int first = 10 * round;
      onAll(
          i -> {
            Event _ = streams.get(i).fill(part(all.get(i), i, 1), first + i);
            return graphs.get(i).launch(streams.get(i));
          });
      for (int i = 0; i < count; i++) {
        assertThat(read(i, part(all.get(i), 0, count)))
            .isEqualTo(IntStream.range(first, first + count).toArray());
      }
    }
    graphs.forEach(Graph::close);
    all.forEach(Window::close);
  }

  @Test
  void aWindowIsUsedByItsOwnOperationsAlone() {
    List<Window> some = windows(400);
    Window window = some.getFirst();
    Stream stream = streams.getFirst();
    GlobalInts array = ints(0, 1, 2);
    assertThatThrownBy(() -> ranks.getFirst().broadcast(stream, part(window, 3, 2), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("window");
    assertThatThrownBy(() -> ranks.getFirst().send(stream, part(window, 3, 2), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("window");
    assertThatThrownBy(() -> window.allToAll(stream, window, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two windows");
    assertThatThrownBy(() -> window.allToAll(stream, some.getLast(), 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not a window of");
    for (long bytes : new long[] {0, -4, 400 / count + 1, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> window.allGather(stream, bytes))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(bytes + " bytes for each of " + count + " ranks");
    }
    assertThatThrownBy(() -> ranks.getFirst().awaitWindow(0))
        .isInstanceOf(IllegalArgumentException.class);
    stream.copy(array, part(window, 3, 2)).await();
    assertThat(read(0, part(window, 3, 2))).containsExactly(1, 2);
    some.forEach(Window::close);
    window.close();
    assertThatThrownBy(() -> window.allGather(stream, 4)).isInstanceOf(ClosedException.class);
  }

  @Test
  void aWindowOutlivesItsCommunicatorAsMemory() {
    List<Window> some = windows(4L * count);
    onAll(
        i -> {
          Event _ = streams.get(i).fill(part(some.get(i), i, 1), i);
          return some.get(i).allGather(streams.get(i), 4);
        });
    ranks.forEach(Communicator::close);
    assertThatThrownBy(() -> some.getFirst().allGather(streams.getFirst(), 4))
        .isInstanceOf(ClosedException.class);
    for (int i = 0; i < count; i++) {
      assertThat(read(i, part(some.get(i), 0, count)))
          .isEqualTo(IntStream.range(0, count).toArray());
    }
    some.forEach(Window::close);
  }

  @Test
  void windowsOfDifferentSizesAreNamedOnAllRanks() {
    List<Throwable> failures =
        together(
            i -> {
              try (Window window = ranks.get(i).awaitWindow(i == 0 ? 400 : 404)) {
                return new AssertionError(window + " was opened");
              } catch (RuntimeException e) {
                return e;
              }
            });
    assertThat(failures)
        .allSatisfy(
            each ->
                assertThat(each)
                    .isInstanceOfAny(RankMismatchException.class, PeerLostException.class))
        .anySatisfy(
            each ->
                assertThat(each)
                    .isInstanceOf(RankMismatchException.class)
                    .hasMessageContaining("awaitWindow of 400 bytes")
                    .hasMessageContaining("awaitWindow of 404 bytes"));
  }

  // --- in graphs --------------------------------------------------------------------------------

  /** NCCL connects the ranks in the capture, so each rank has a thread. */
  private List<Graph> graphs(IntConsumer calls) {
    return IntStream.range(0, count)
        .mapToObj(i -> later(() -> Graph.capture(streams.get(i), () -> calls.accept(i))))
        .toList()
        .stream()
        .map(CompletableFuture::join)
        .toList();
  }

  @Test
  void allRanksLaunchWhatTheyHaveCaptured() {
    List<GlobalInts> from = on(i -> ints(i, 0, 0));
    List<GlobalInts> sums = on(i -> ints(i, 0, 0));
    List<GlobalInts> next = on(i -> ints(i, 0, 0));
    List<Graph> graphs =
        graphs(
            i -> {
              Stream stream = streams.get(i);
              ranks.get(i).allReduce(stream, from.get(i), sums.get(i), Reduction.SUM);
              ranks
                  .get(i)
                  .group(
                      stream,
                      group -> {
                        group.send(from.get(i), (i + 1) % count);
                        group.recv(next.get(i), (i + count - 1) % count);
                      });
              stream.fill(from.get(i), 100);
            });
    for (int round = 1; round <= 3; round++) {
      int times = round;
      on(i -> streams.get(i).fill(from.get(i), times * (i + 1)));
      onAll(i -> graphs.get(i).launch(streams.get(i)));
      for (int i = 0; i < count; i++) {
        assertThat(read(i, sums.get(i))).containsOnly(count * (count + 1) / 2 * round);
        assertThat(read(i, next.get(i))).containsOnly(round * ((i + count - 1) % count + 1));
      }
      List<GlobalInts> ones = on(i -> ints(i, 1));
      onAll(i -> ranks.get(i).allReduce(streams.get(i), ones.get(i), ones.get(i), Reduction.SUM));
      assertThat(read(1, ones.get(1))).containsExactly(count);
    }
    ranks.forEach(Communicator::close);
    onAll(i -> graphs.get(i).launch(streams.get(i)));
    assertThat(read(0, sums.getFirst())).containsOnly(100 * count);
    graphs.forEach(Graph::close);
  }

  @Test
  void aRankThatIsLostEndsTheLaunchesThatWaitForIt() {
    List<GlobalInts> arrays = on(i -> ints(i, 1));
    List<Graph> graphs =
        graphs(
            i ->
                ranks
                    .get(i)
                    .allReduce(streams.get(i), arrays.get(i), arrays.get(i), Reduction.SUM));
    List<Integer> others = IntStream.range(0, count).filter(i -> i != 1).boxed().toList();
    List<Event> launched = others.stream().map(i -> graphs.get(i).launch(streams.get(i))).toList();
    graphs.get(1).close();
    ranks.get(1).close();
    for (Event each : launched) {
      assertThat(failure(each))
          .isInstanceOf(PeerLostException.class)
          .hasMessageContaining("rank 1 ");
    }
    assertThatThrownBy(() -> graphs.get(0).launch(streams.get(0)))
        .isInstanceOf(PeerLostException.class);
    graphs.forEach(Graph::close);
    others.forEach(i -> hear(streams.get(i)));
    GlobalInts array = ints(0, 3);
    assertThat(read(0, array)).containsExactly(3);
  }

  static RuntimeException failure(Event event) {
    try {
      event.await();
    } catch (RuntimeException e) {
      return e;
    }
    throw new AssertionError("the operation succeeded");
  }

  /** Waits for a stream, which may tell a failure once more. */
  static void hear(Stream stream) {
    try {
      stream.await();
    } catch (PeerLostException | RankMismatchException _) {
      return;
    }
  }
}
