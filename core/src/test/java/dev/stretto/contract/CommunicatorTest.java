package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.collective.Communicator;
import dev.stretto.collective.CommunicatorId;
import dev.stretto.collective.Reduction;
import dev.stretto.collective.Transport;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeadlineExceededException;
import dev.stretto.fault.PeerLostException;
import dev.stretto.fault.RankMismatchException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Ranks that share arrays, in one process. Where there are fewer GPUs than ranks, the others have
 * virtual devices, and the data goes over TCP.
 */
class CommunicatorTest extends ContractTest {
  private static final int RANKS = 3;
  private static final Duration LONG = Duration.ofSeconds(60);

  /** Nothing, less than a rank each, not a multiple of the ranks, and several pieces. */
  private static final int[] LENGTHS = {0, 1, 2, 7, 1_000, 900_001};

  private final List<Device> devices = new ArrayList<>();
  private final List<Device> own = new ArrayList<>();
  private final List<Stream> streams = new ArrayList<>();
  private List<Communicator> ranks = List.of();
  private final SplittableRandom random = new SplittableRandom(7);

  @Override
  Machine machine() {
    return machine.isVirtual() && machine.isSeeded()
        ? new Machine(machine.name().replace("h200", "h200x" + RANKS))
        : machine.isVirtual() ? new Machine("virtual:h200x" + RANKS) : machine;
  }

  @BeforeEach
  void meet() {
    devices.addAll(opened.devices().subList(0, Math.min(RANKS, opened.devices().size())));
    while (devices.size() < RANKS) {
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

  private static List<Communicator> join(List<Device> devices) {
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

  private static <T> CompletableFuture<T> later(java.util.function.Supplier<T> body) {
    return CompletableFuture.supplyAsync(body, task -> Thread.ofVirtual().start(task));
  }

  // --- data -------------------------------------------------------------------------------------

  private GlobalInts ints(int rank, int... values) {
    GlobalInts array = empty(rank, values.length);
    if (values.length > 0) {
      streams.get(rank).copy(values.clone(), array);
    }
    return array;
  }

  /** {@return an array of undefined contents; without elements it is a part of one} */
  private GlobalInts empty(int rank, long length) {
    return devices.get(rank).allocateInts(Math.max(1, length)).slice(0, length);
  }

  private int[] read(int rank, GlobalInts array) {
    int[] values = new int[(int) array.length()];
    if (values.length > 0) {
      streams.get(rank).copy(array, values).await();
    }
    return values;
  }

  private int[] random(int length) {
    return random.ints(length).toArray();
  }

  /** Has all ranks enqueue, one after the other, and waits for all. */
  private void onAll(IntFunction<Event> call) {
    List<Event> events = IntStream.range(0, RANKS).mapToObj(call).toList();
    events.forEach(Event::await);
  }

  // --- what they compute ------------------------------------------------------------------------

  @Test
  void theRanksAgreeOnTheTransportAndSayWhy() {
    for (Communicator rank : ranks) {
      assertThat(rank.size()).isEqualTo(RANKS);
      assertThat(rank.rank()).isEqualTo(ranks.indexOf(rank));
      assertThat(rank.device()).isEqualTo(devices.get(rank.rank()));
      assertThat(rank.transport()).isEqualTo(ranks.getFirst().transport());
      assertThat(rank.reason()).isEqualTo(ranks.getFirst().reason());
    }
    if (devices.stream().anyMatch(each -> !each.properties().driver().equals("cuda"))) {
      assertThat(ranks.getFirst().transport()).isEqualTo(Transport.TCP);
      assertThat(ranks.getFirst().reason()).contains("is no GPU");
    }
  }

  @Test
  void allReduceGivesAllRanksTheSum() {
    for (int length : LENGTHS) {
      List<int[]> values = IntStream.range(0, RANKS).mapToObj(i -> random(length)).toList();
      int[] sum = new int[length];
      values.forEach(each -> Arrays.setAll(sum, i -> sum[i] + each[i]));
      List<GlobalInts> from = on(i -> ints(i, values.get(i)));
      List<GlobalInts> to = on(i -> empty(i, length));
      onAll(i -> ranks.get(i).allReduce(streams.get(i), from.get(i), to.get(i), Reduction.SUM));
      for (int i = 0; i < RANKS; i++) {
        assertThat(read(i, to.get(i))).as("rank %d of %d", i, length).isEqualTo(sum);
        assertThat(read(i, from.get(i))).isEqualTo(values.get(i));
      }
      onAll(i -> ranks.get(i).allReduce(streams.get(i), from.get(i), from.get(i), Reduction.SUM));
      for (int i = 0; i < RANKS; i++) {
        assertThat(read(i, from.get(i))).as("in place, rank %d of %d", i, length).isEqualTo(sum);
      }
    }
  }

  private static <T> List<T> on(IntFunction<T> each) {
    return IntStream.range(0, RANKS).mapToObj(each).toList();
  }

  @Test
  void eachReductionIsWhatItIsCalled() {
    int[][] values = {{7, -2, 0x4000_0000}, {3, 5, 0x4000_0000}, {-4, 9, 0x4000_0001}};
    int[][] results = {
      {6, 12, 0xC000_0001}, // a sum wraps around
      {-84, -90, 0}, // 2 to the power of 60, and of 90
      {7, 9, 0x4000_0001},
      {-4, -2, 0x4000_0000},
    };
    Reduction[] reductions = {
      Reduction.SUM, Reduction.PRODUCT, Reduction.MAX, Reduction.MIN,
    };
    for (int k = 0; k < reductions.length; k++) {
      Reduction reduction = reductions[k];
      List<GlobalInts> arrays = on(i -> ints(i, values[i]));
      onAll(i -> ranks.get(i).allReduce(streams.get(i), arrays.get(i), arrays.get(i), reduction));
      for (int i = 0; i < RANKS; i++) {
        assertThat(read(i, arrays.get(i))).as("%s", reduction).isEqualTo(results[k]);
      }
    }
  }

  @Test
  void eachTypeIsCombinedAsWhatItIs() {
    for (int i = 0; i < RANKS; i++) {
      streams.get(i).await();
    }
    List<GlobalFloats> floats = on(i -> devices.get(i).allocateFloats(5));
    List<GlobalDoubles> doubles = on(i -> devices.get(i).allocateDoubles(5));
    List<GlobalLongs> longs = on(i -> devices.get(i).allocateLongs(5));
    List<GlobalBytes> bytes = on(i -> devices.get(i).allocateBytes(5));
    for (int i = 0; i < RANKS; i++) {
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
    for (int i = 0; i < RANKS; i++) {
      float[] f = new float[5];
      double[] d = new double[5];
      long[] l = new long[5];
      byte[] b = new byte[5];
      streams.get(i).copy(floats.get(i), f).await();
      streams.get(i).copy(doubles.get(i), d).await();
      streams.get(i).copy(longs.get(i), l).await();
      streams.get(i).copy(bytes.get(i), b).await();
      assertThat(f).containsOnly(2.5f);
      assertThat(d).containsOnly(0.1 + 0.2 + 0.1 * 3);
      assertThat(l).containsOnly(7L << 40);
      assertThat(b).containsOnly((byte) (50 + 51 + 52));
    }
  }

  @Test
  void allGatherGivesAllRanksTheArraysOfAll() {
    for (int length : LENGTHS) {
      List<int[]> values = on(i -> random(length));
      int[] all = values.stream().flatMapToInt(Arrays::stream).toArray();
      List<GlobalInts> from = on(i -> ints(i, values.get(i)));
      List<GlobalInts> to = on(i -> empty(i, (long) length * RANKS));
      onAll(i -> ranks.get(i).allGather(streams.get(i), from.get(i), to.get(i)));
      for (int i = 0; i < RANKS; i++) {
        assertThat(read(i, to.get(i))).as("rank %d of %d", i, length).isEqualTo(all);
      }
    }
  }

  @Test
  void reduceScatterGivesEachRankItsPartOfTheSum() {
    for (int length : LENGTHS) {
      List<int[]> values = on(i -> random(length * RANKS));
      int[] sum = new int[length * RANKS];
      values.forEach(each -> Arrays.setAll(sum, i -> sum[i] + each[i]));
      List<GlobalInts> from = on(i -> ints(i, values.get(i)));
      List<GlobalInts> to = on(i -> empty(i, length));
      onAll(i -> ranks.get(i).reduceScatter(streams.get(i), from.get(i), to.get(i), Reduction.SUM));
      for (int i = 0; i < RANKS; i++) {
        assertThat(read(i, to.get(i)))
            .as("rank %d of %d", i, length)
            .isEqualTo(Arrays.copyOfRange(sum, i * length, (i + 1) * length));
      }
    }
  }

  @Test
  void aPartOfAnArrayIsGatheredAndScatteredInPlace() {
    int length = 300_000;
    List<int[]> values = on(i -> random(length * RANKS));
    List<GlobalInts> arrays = on(i -> ints(i, values.get(i)));
    onAll(
        i -> {
          GlobalInts part = arrays.get(i).slice((long) i * length, length);
          Event _ = ranks.get(i).reduceScatter(streams.get(i), arrays.get(i), part, Reduction.MAX);
          return ranks.get(i).allGather(streams.get(i), part, arrays.get(i));
        });
    int[] most = values.getFirst().clone();
    values.forEach(each -> Arrays.setAll(most, i -> Math.max(most[i], each[i])));
    for (int i = 0; i < RANKS; i++) {
      assertThat(read(i, arrays.get(i))).isEqualTo(most);
    }
  }

  @Test
  void broadcastGivesAllRanksTheArrayOfTheRoot() {
    for (int root = 0; root < RANKS; root++) {
      for (int length : LENGTHS) {
        List<int[]> values = on(i -> random(length));
        List<GlobalInts> arrays = on(i -> ints(i, values.get(i)));
        int from = root;
        onAll(i -> ranks.get(i).broadcast(streams.get(i), arrays.get(i), from));
        for (int i = 0; i < RANKS; i++) {
          assertThat(read(i, arrays.get(i))).isEqualTo(values.get(root));
        }
      }
    }
  }

  @Test
  void allToAllSendsEachRankItsPart() {
    for (int length : LENGTHS) {
      List<int[]> values = on(i -> random(length * RANKS));
      List<GlobalInts> from = on(i -> ints(i, values.get(i)));
      List<GlobalInts> to = on(i -> empty(i, (long) length * RANKS));
      onAll(i -> ranks.get(i).allToAll(streams.get(i), from.get(i), to.get(i)));
      for (int i = 0; i < RANKS; i++) {
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
  void whatIsSentIsReceivedInItsOrder() {
    int[] first = random(600_000);
    int[] second = random(3);
    GlobalInts a = ints(0, first);
    GlobalInts b = ints(0, second);
    GlobalInts c = devices.get(2).allocateInts(first.length);
    GlobalInts d = devices.get(2).allocateInts(second.length);
    Event _ = ranks.get(0).send(streams.get(0), a, 2);
    Event sent = ranks.get(0).send(streams.get(0), b, 2);
    Event _ = ranks.get(2).recv(streams.get(2), c, 0);
    Event received = ranks.get(2).recv(streams.get(2), d, 0);
    received.await();
    sent.await();
    assertThat(read(2, c)).isEqualTo(first);
    assertThat(read(2, d)).isEqualTo(second);
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
                      group.send(from.get(i), (i + 1) % RANKS);
                      group.recv(to.get(i), (i + RANKS - 1) % RANKS);
                    }));
    for (int i = 0; i < RANKS; i++) {
      assertThat(read(i, to.get(i))).isEqualTo(values.get((i + RANKS - 1) % RANKS));
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

  // --- when -------------------------------------------------------------------------------------

  @Test
  void aCallReturnsBeforeTheOtherRanksHaveMadeTheirs() throws Exception {
    List<GlobalInts> arrays = on(i -> ints(i, i + 1));
    Event first =
        ranks.get(0).allReduce(streams.get(0), arrays.get(0), arrays.get(0), Reduction.SUM);
    Event second =
        ranks.get(1).allReduce(streams.get(1), arrays.get(1), arrays.get(1), Reduction.SUM);
    assertThat(first.await(Duration.ofMillis(50))).isFalse();
    assertThat(second.isDone()).isFalse();
    Event third =
        ranks.get(2).allReduce(streams.get(2), arrays.get(2), arrays.get(2), Reduction.SUM);
    first.await();
    second.await();
    third.await();
    assertThat(read(0, arrays.get(0))).containsExactly(6);
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
    results.forEach(each -> assertThat(each).containsOnly(6));
  }

  @Test
  void operationsOfOneCommunicatorComeInOrderOnAnyStreams() {
    List<Stream> others = on(i -> devices.get(i).stream());
    List<GlobalInts> arrays = on(i -> ints(i, 1, 2, 3));
    onAll(
        i -> {
          streams.get(i).record(); // the copies
          Event _ =
              ranks.get(i).allReduce(streams.get(i), arrays.get(i), arrays.get(i), Reduction.SUM);
          Event _ =
              ranks.get(i).allReduce(others.get(i), arrays.get(i), arrays.get(i), Reduction.SUM);
          return ranks
              .get(i)
              .allReduce(streams.get(i), arrays.get(i), arrays.get(i), Reduction.SUM);
        });
    for (int i = 0; i < RANKS; i++) {
      assertThat(read(i, arrays.get(i))).containsExactly(27, 54, 81);
    }
    others.forEach(Stream::close);
  }

  // --- what is refused --------------------------------------------------------------------------

  @Test
  void argumentsThatDoNotMatchAreRefusedAtTheCall() {
    GlobalInts three = ints(0, 1, 2, 3);
    GlobalInts four = ints(0, 1, 2, 3, 4);
    GlobalLongs longs = devices.get(0).allocateLongs(3);
    GlobalShorts elsewhere = devices.get(1).allocateShorts(3);
    Stream stream = streams.getFirst();
    Communicator rank = ranks.getFirst();
    refused(() -> rank.allReduce(stream, three, four, Reduction.SUM), "do not match");
    refused(() -> rank.allReduce(stream, three, longs, Reduction.SUM), "different types");
    refused(() -> rank.allGather(stream, three, four), "do not match");
    refused(() -> rank.allToAll(stream, four, four), "equal parts");
    refused(() -> rank.allToAll(stream, three, three), "overlap");
    refused(
        () -> rank.allReduce(stream, four.slice(0, 3), four.slice(1, 3), Reduction.SUM), "overlap");
    refused(() -> rank.broadcast(stream, elsewhere, 0), "is not on");
    refused(() -> rank.broadcast(streams.get(1), three, 0), "communicator's device");
    refused(() -> rank.send(stream, three, 0), "to itself");
    refused(() -> rank.group(stream, _ -> {}), "without a call");
    assertThatThrownBy(() -> rank.broadcast(stream, three, RANKS))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("0 to 2");
    GlobalInts closed = devices.getFirst().allocateInts(1);
    closed.close();
    assertThatThrownBy(() -> rank.broadcast(stream, closed, 0)).isInstanceOf(ClosedException.class);
    stream.await(); // nothing was enqueued
  }

  private static void refused(Runnable call, String why) {
    assertThatThrownBy(call::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  @Test
  void ranksThatCallDifferentOperationsAreToldWhichOnes() {
    mismatch(
        i -> {
          GlobalInts array = ints(i, 1, 2, 3);
          return i == 1
              ? ranks.get(i).broadcast(streams.get(i), array, 0)
              : ranks.get(i).allReduce(streams.get(i), array, array, Reduction.SUM);
        },
        "all-reduce (sum) of 3 ints",
        "broadcast of 3 ints from rank 0");
  }

  @Test
  void ranksThatCallWithDifferentSizesAreToldWhichOnes() {
    mismatch(
        i -> {
          GlobalInts array = devices.get(i).allocateInts(10 + i / 2);
          return ranks.get(i).allReduce(streams.get(i), array, array, Reduction.SUM);
        },
        "all-reduce (sum) of 10 ints",
        "all-reduce (sum) of 11 ints");
  }

  @Test
  void ranksThatSendAndReceiveDifferentSizesAreToldWhichOnes() {
    mismatch(
        i -> {
          GlobalInts array = devices.get(i).allocateInts(10 + i);
          return switch (i) {
            case 0 -> ranks.get(i).send(streams.get(i), array, 1);
            case 1 -> ranks.get(i).recv(streams.get(i), array, 0);
            default -> ranks.get(i).recv(streams.get(i), array, 1);
          };
        },
        "send of 10 ints",
        "recv of 11 ints");
  }

  @Test
  void twoRanksThatFirstSendToEachOtherAreToldToGroup() {
    mismatch(
        i -> {
          GlobalInts array = devices.get(i).allocateInts(1_000_000);
          return i == 2
              ? ranks.get(i).recv(streams.get(i), array, 0)
              : ranks.get(i).send(streams.get(i), array, 1 - i);
        },
        "wait for each other",
        "group(…)");
  }

  private void mismatch(IntFunction<Event> calls, String... words) {
    List<RuntimeException> failures = new ArrayList<>();
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < RANKS; i++) {
      try {
        events.add(calls.apply(i));
      } catch (RuntimeException e) { // the others have found out already
        failures.add(e);
      }
    }
    events.forEach(event -> failures.add(failure(event)));
    int told = 0;
    for (RuntimeException failure : failures) {
      assertThat(failure).isInstanceOfAny(RankMismatchException.class, PeerLostException.class);
      assertThat(failure).hasMessageContainingAll(words);
      told += failure instanceof RankMismatchException ? 1 : 0;
    }
    assertThat(told).isPositive();
    GlobalInts array = ints(0, 1);
    assertThatThrownBy(() -> ranks.getFirst().broadcast(streams.getFirst(), array, 0))
        .isInstanceOfAny(RankMismatchException.class, PeerLostException.class);
    requireThatAllGoesOn();
  }

  private static RuntimeException failure(Event event) {
    try {
      event.await();
    } catch (RuntimeException e) {
      return e;
    }
    throw new AssertionError("the operation succeeded");
  }

  /** Waits for a stream, which may tell a failure once more. */
  private static void hear(Stream stream) {
    try {
      stream.await();
    } catch (PeerLostException | RankMismatchException _) {
      return;
    }
  }

  /** After a failure a new communicator works on the same devices. */
  private void requireThatAllGoesOn() {
    ranks.forEach(Communicator::close);
    for (Stream stream : streams) {
      hear(stream);
    }
    ranks = join(devices);
    List<GlobalInts> arrays = on(i -> ints(i, i));
    onAll(i -> ranks.get(i).allReduce(streams.get(i), arrays.get(i), arrays.get(i), Reduction.SUM));
    assertThat(read(1, arrays.get(1))).containsExactly(3);
  }

  // --- when some are missing --------------------------------------------------------------------

  @Test
  void aRankThatClosesEarlyIsNamedToTheOthers() {
    List<GlobalInts> arrays = on(i -> ints(i, 1));
    Event zero =
        ranks.get(0).allReduce(streams.get(0), arrays.get(0), arrays.get(0), Reduction.SUM);
    Event two = ranks.get(2).allReduce(streams.get(2), arrays.get(2), arrays.get(2), Reduction.SUM);
    ranks.get(1).close();
    for (Event each : List.of(zero, two)) {
      assertThat(failure(each))
          .isInstanceOf(PeerLostException.class)
          .hasMessageContaining("rank 1")
          .hasMessageContaining("has closed its communicator");
    }
    requireThatAllGoesOn();
  }

  @Test
  void aCopyBehindAnOperationThatHasFailedReportsTheFailure() {
    List<GlobalInts> arrays = on(i -> ints(i, 1));
    Event _ = ranks.get(0).allReduce(streams.get(0), arrays.get(0), arrays.get(0), Reduction.SUM);
    Event two = ranks.get(2).allReduce(streams.get(2), arrays.get(2), arrays.get(2), Reduction.SUM);
    Copy behind = streams.get(0).copy(arrays.get(0), new int[1]);
    ranks.get(1).close();
    assertThatThrownBy(behind::await)
        .isInstanceOf(PeerLostException.class)
        .hasMessageContaining("rank 1");
    assertThat(failure(two)).isInstanceOf(PeerLostException.class);
    requireThatAllGoesOn();
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
    for (int i = 0; i < RANKS; i++) {
      assertThat(read(i, arrays.get(i))).isEqualTo(least);
    }
  }

  @Test
  void whoDoesNotComeIsNamed() {
    CommunicatorId id = Communicator.id();
    assertThatThrownBy(
            () -> Communicator.awaitPeers(id, 1, 3, devices.get(1), Duration.ofMillis(200)))
        .isInstanceOf(DeadlineExceededException.class)
        .hasMessageContaining("1 of 3 ranks")
        .hasMessageContaining("missing: rank 0, rank 2");
  }

  @Test
  void aRankThatIsTakenTwiceAndSizesThatDifferAreRefused() {
    CommunicatorId twice = Communicator.id();
    refusedMeeting(i -> Communicator.awaitPeers(twice, 1, 3, devices.get(i), LONG), "taken twice");
    CommunicatorId sizes = Communicator.id();
    refusedMeeting(
        i -> Communicator.awaitPeers(sizes, i, 2 + i, devices.get(i), LONG), "there are");
    refused(() -> Communicator.awaitPeers(sizes, 3, 3, devices.get(0), LONG), "rank 3 of 3");
  }

  private static void refusedMeeting(IntFunction<Communicator> join, String why) {
    List<CompletableFuture<Communicator>> both =
        List.of(later(() -> join.apply(0)), later(() -> join.apply(1)));
    for (CompletableFuture<Communicator> each : both) {
      assertThatThrownBy(each::join)
          .isInstanceOf(CompletionException.class)
          .cause()
          .isInstanceOf(RankMismatchException.class)
          .hasMessageContaining(why);
    }
  }

  @Test
  void anIdMakesOneCommunicator() {
    CommunicatorId id = Communicator.id();
    try (Communicator only = Communicator.awaitPeers(id, 0, 1, devices.get(0), LONG)) {
      GlobalInts array = ints(0, 5);
      only.allReduce(streams.getFirst(), array, array, Reduction.AVERAGE).await();
      assertThat(read(0, array)).containsExactly(5);
      assertThatThrownBy(() -> Communicator.awaitPeers(id, 0, 1, devices.get(0), LONG))
          .isInstanceOf(PeerLostException.class)
          .hasMessageContaining("made the communicator's id");
    }
  }

  @Test
  void anIdSurvivesAsBytesAndAsTextAndNothingElseIsOne() {
    CommunicatorId id = Communicator.id();
    assertThat(CommunicatorId.of(id.bytes())).isEqualTo(id).hasSameHashCodeAs(id);
    assertThat(CommunicatorId.parse(id.toString())).isEqualTo(id);
    refused(() -> CommunicatorId.parse("rank 0"), "");
    byte[] longer = Arrays.copyOf(id.bytes(), id.bytes().length + 1);
    refused(() -> CommunicatorId.of(longer), "no communicator's id");
    refused(() -> CommunicatorId.of(new byte[128]), "no communicator's id");
  }

  @Test
  void anArrayThatIsUsedElsewhereAtTheSameTimeIsARace() {
    if (!machine.isVirtual()) {
      return;
    }
    List<Device> checked = Device.openAll("virtual:h200x2,order=checked");
    List<Communicator> both = join(checked);
    Consumer<GlobalArray> ignored = GlobalArray::close;
    try (Stream one = checked.getFirst().stream();
        Stream two = checked.getFirst().stream()) {
      GlobalInts array = checked.getFirst().allocateInts(10);
      one.fill(array, 1).await();
      Event _ = both.getFirst().allReduce(one, array, array, Reduction.SUM);
      assertThatThrownBy(() -> two.fill(array, 2))
          .isInstanceOf(dev.stretto.fault.RaceException.class);
      ignored.accept(array);
    } finally {
      both.forEach(Communicator::close);
      checked.forEach(Device::close);
    }
  }
}
