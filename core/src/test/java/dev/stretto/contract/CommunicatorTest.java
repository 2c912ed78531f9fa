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
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/**
 * Three ranks that share arrays, in one process. Where there are fewer GPUs than ranks, the others
 * have virtual devices, and the data goes over TCP.
 */
class CommunicatorTest extends RanksTest {
  CommunicatorTest() {
    super(3);
  }

  // --- what they compute ------------------------------------------------------------------------

  @Test
  void theRanksAgreeOnTheTransportAndSayWhy() {
    for (Communicator rank : ranks) {
      assertThat(rank.size()).isEqualTo(3);
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
    for (int i = 0; i < 3; i++) {
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
    assertThatThrownBy(() -> rank.broadcast(stream, three, 3))
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
    for (int i = 0; i < 3; i++) {
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
