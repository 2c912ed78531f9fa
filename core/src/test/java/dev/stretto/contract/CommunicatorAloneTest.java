package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.collective.Communicator;
import dev.stretto.collective.Reduction;
import dev.stretto.collective.Transport;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalInts;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A communicator of one rank. On a GPU it is NCCL's, if the library is there. */
class CommunicatorAloneTest extends ContractTest {
  private static final int LENGTH = 100_000;

  private Communicator alone;
  private Stream stream;

  @BeforeEach
  void join() {
    alone = Communicator.awaitPeers(Communicator.id(), 0, 1, device, Duration.ofSeconds(60));
    stream = device.stream();
  }

  @AfterEach
  void part() {
    alone.close();
    stream.close();
  }

  private GlobalInts ints(int first) {
    GlobalInts array = device.allocateInts(LENGTH);
    stream.copy(IntStream.range(first, first + LENGTH).toArray(), array);
    return array;
  }

  private void requireInts(GlobalInts array, int first) {
    int[] values = new int[LENGTH];
    stream.copy(array, values).await();
    assertThat(values).isEqualTo(IntStream.range(first, first + LENGTH).toArray());
  }

  @Test
  void theTransportIsNcclIfItCanBe() {
    System.out.println(alone + ": " + alone.reason());
    if (machine.isVirtual()) {
      assertThat(alone.transport()).isEqualTo(Transport.TCP);
      assertThat(alone.reason()).contains(device.name() + " is no GPU");
    } else if (alone.transport() == Transport.TCP) {
      assertThat(alone.reason()).contains("libnccl.so.2");
    } else {
      assertThat(alone.reason()).contains("all 1 ranks have NCCL 2.");
    }
  }

  @Test
  void everyOperationIsItsOwnResult() {
    GlobalInts from = ints(5);
    for (int i = 0; i < 6; i++) {
      GlobalInts to = ints(9);
      int which = i;
      Event event =
          switch (which) {
            case 0 -> alone.allReduce(stream, from, to, Reduction.SUM);
            case 1 -> alone.allGather(stream, from, to);
            case 2 -> alone.reduceScatter(stream, from, to, Reduction.MAX);
            case 3 -> alone.allToAll(stream, from, to);
            case 4 ->
                alone.group(
                    stream,
                    group -> {
                      group.send(from, 0);
                      group.recv(to, 0);
                    });
            default -> {
              Event _ = stream.record();
              Event _ = alone.allReduce(stream, from, to, Reduction.AVERAGE);
              yield alone.broadcast(stream, to, 0);
            }
          };
      event.await();
      requireInts(to, 5);
      requireInts(from, 5);
    }
  }

  @Test
  void operationsComeInTheOrderOfTheStreamAndKeepTheirArrays() {
    for (int round = 0; round < 50; round++) {
      GlobalInts from = ints(round);
      GlobalInts to = device.allocateInts(LENGTH);
      Event _ = alone.allReduce(stream, from, to, Reduction.SUM);
      from.close();
      requireInts(to, round);
      to.close();
    }
  }

  @Test
  void manyOperationsOnTwoStreamsAreInOrder() {
    try (Stream other = device.stream()) {
      GlobalInts a = ints(3);
      GlobalInts b = ints(4);
      stream.await();
      for (int round = 0; round < 200; round++) {
        Event _ = alone.allReduce(round % 2 == 0 ? stream : other, a, b, Reduction.SUM);
        Event _ = alone.allReduce(round % 3 == 0 ? stream : other, b, a, Reduction.SUM);
      }
      stream.waitFor(other.record());
      requireInts(a, 3);
      requireInts(b, 3);
    }
  }

  @Test
  void anotherCommunicatorCanBeMadeOfTheSameDevice() {
    alone.close();
    GlobalInts array = ints(1);
    assertThatThrownBy(() -> alone.broadcast(stream, array, 0)).isInstanceOf(ClosedException.class);
    for (int i = 0; i < 3; i++) {
      try (Communicator next = Communicator.awaitPeers(Communicator.id(), 0, 1, device)) {
        next.allReduce(stream, array, array, Reduction.MIN).await();
      }
    }
    requireInts(array, 1);
  }
}
