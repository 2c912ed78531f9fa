package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import dev.stretto.route.HostStep;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Steps of seeded devices that await copies, while other threads await the steps. Whoever waits may
 * bring about what another one waits for, at any moment of the other one's wait: none of these
 * moments is a deadlock. A thread that always computes has the others stopped at any of them.
 */
class SeededHostStepsTest {
  private static final int ROUNDS = 400;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aStepThatAwaitsCopiesIsNeverTakenForADeadlock(int seed) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    List<Thread> busy = new ArrayList<>();
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      busy.add(Thread.ofPlatform().daemon().start(() -> compute(over)));
    }
    List<Device> devices = Device.openAll("virtual:h200x3,seed=" + seed);
    try {
      AtomicInteger awaited = new AtomicInteger();
      for (int round = 0; round < ROUNDS; round++) {
        List<Stream> streams = new ArrayList<>();
        List<Event> events = new ArrayList<>();
        for (Device device : devices) {
          Stream stream = device.stream();
          streams.add(stream);
          events.add(stream.then(new AwaitingStep(device, awaited)));
        }
        events.forEach(Event::await);
        streams.forEach(Stream::close);
      }
      assertThat(awaited).hasValue(ROUNDS * devices.size() * AwaitingStep.COPIES);
    } finally {
      over.set(true);
      devices.forEach(Device::close);
      for (Thread thread : busy) {
        thread.join();
      }
    }
  }

  private static void compute(AtomicBoolean over) {
    while (!over.get()) {
      Thread.onSpinWait();
    }
  }

  private record AwaitingStep(Device device, AtomicInteger awaited) implements HostStep {
    private static final int COPIES = 3;

    @Override
    public void run() {
      try (Stream copies = device.stream();
          GlobalInts array = device.allocateInts(4)) {
        for (int i = 0; i < COPIES; i++) {
          copies.copy(new int[4], array).await();
          int _ = awaited.incrementAndGet();
        }
      }
    }

    @Override
    public String advice() {
      return "await it from outside";
    }
  }
}
