package dev.stretto.driver.virtual;

import dev.stretto.driver.DeviceProperties;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * The modelled multiprocessors of a device. Blocks begin when a multiprocessor has places, threads,
 * registers and shared memory for them, and run to their end. The launch with the greatest priority
 * goes first, among equals the one that came first. As long as it has blocks that have not begun,
 * no block of a later launch begins. (So it was found on several GPUs: T. Amert and others, "GPU
 * Scheduling on the NVIDIA TX2: Hidden Details Revealed", RTSS 2017.) Guarded by the platform's
 * lock.
 */
final class Multiprocessors {
  /**
   * The most launches that have blocks there at the same time: CUDA C++ Programming Guide,
   * "Technical Specifications per Compute Capability", resident grids per device.
   */
  private static final int MOST_LAUNCHES = 128;

  /** The latest waves that are remembered, for launches that come at a time that has passed. */
  private static final int MOST_REMEMBERED = 512;

  /** A launch that would come beside more waves than this joins the others at the present. */
  private static final int MOST_BESIDE = 16;

  private final FreeRoom room;
  private final BlockNeeds whole;
  private final SharedRate memory;
  private final SharedRate operations;

  /** What launches share of the hardware that starts blocks. */
  private final SharedRate starts = new SharedRate();

  private final Consumer<WaitingLaunch> begun;
  private final PriorityQueue<WaitingLaunch> waiting = new PriorityQueue<>(WaitingLaunch.IN_ORDER);

  /** Launches that come later. */
  private final PriorityQueue<WaitingLaunch> coming =
      new PriorityQueue<>(Comparator.comparingLong(WaitingLaunch::arrivalNanos));

  private final PriorityQueue<Wave> running =
      new PriorityQueue<>(Comparator.comparingLong(Wave::endNanos));
  private final Deque<Wave> remembered = new ArrayDeque<>();
  private final int[] fit;
  private int resident;
  private long now;
  private long forgotten;

  /** Whether a launch came at a time that has passed, and still has blocks. */
  private boolean isLate;

  /**
   * Creates empty multiprocessors.
   *
   * @param memory what the blocks share of the memory
   * @param operations what they share of the arithmetic units
   * @param begun gets each launch when all its blocks have begun, so that its end is known
   */
  Multiprocessors(
      DeviceProperties device,
      SharedRate memory,
      SharedRate operations,
      Consumer<WaitingLaunch> begun) {
    this.whole = Multiprocessor.whole(device);
    this.room = new FreeRoom(whole, device.multiprocessors());
    this.memory = memory;
    this.operations = operations;
    this.begun = begun;
    this.fit = new int[device.multiprocessors()];
  }

  /** Accepts a launch, which may come at a time that has passed. */
  void arrive(Moment moment, WaitingLaunch.Demand demand, long atNanos) {
    long capacity = room.capacity(demand.needs());
    WaitingLaunch launch = new WaitingLaunch(moment, demand, atNanos, capacity);
    if (atNanos >= now) {
      coming.add(launch);
      return;
    }
    fitIn(launch);
    if (launch.left() == 0) {
      begun.accept(launch);
    } else {
      waiting.add(launch);
      isLate = true;
    }
  }

  /** {@return whether a launch has blocks that have not begun} */
  boolean isAsked() {
    return !waiting.isEmpty() || !coming.isEmpty();
  }

  /** {@return when blocks may begin next, if a launch waits} */
  long nextNanos() {
    if (isLate) {
      return now;
    }
    // Waves that ended before the next launch comes are still there if none waits for their room.
    long arrival = coming.isEmpty() ? Long.MAX_VALUE : coming.peek().arrivalNanos();
    return waiting.isEmpty()
        ? arrival
        : Math.min(arrival, Objects.requireNonNull(running.peek(), "a wave").endNanos());
  }

  /** Lets blocks end and begin at the next time. */
  void dispatch() {
    now = Math.max(now, nextNanos());
    isLate = false;
    for (Wave wave = running.peek();
        wave != null && wave.endNanos() <= now;
        wave = running.peek()) {
      end(running.poll());
    }
    while (!coming.isEmpty() && coming.peek().arrivalNanos() <= now) {
      waiting.add(coming.poll());
    }
    for (WaitingLaunch launch = waiting.peek(); launch != null; launch = waiting.peek()) {
      beginSome(launch);
      if (launch.left() > 0) {
        return;
      }
      waiting.poll();
      begun.accept(launch);
    }
  }

  private void end(Wave wave) {
    room.giveBack(wave);
    resident -= wave.launch().ends() ? 1 : 0;
  }

  private void beginSome(WaitingLaunch launch) {
    if (!launch.hasBegun() && resident >= MOST_LAUNCHES) {
      return;
    }
    Arrays.fill(fit, whole.blocks());
    room.limit(launch.needs(), fit);
    boolean before = launch.hasBegun();
    for (Wave wave : waves(launch, now, room.isWhole())) {
      room.take(wave);
      running.add(wave);
    }
    resident += launch.hasBegun() && !before ? 1 : 0;
  }

  /**
   * Lets as many blocks begin as fit.
   *
   * @param alone whether nothing else is there, so that waiting for more room would be in vain
   */
  private List<Wave> waves(WaitingLaunch launch, long at, boolean alone) {
    long places = 0;
    for (int each : fit) {
      places += each;
    }
    int count = (int) Math.min(launch.left(), places);
    if (count < launch.left() && !alone) {
      count -= (int) (count % launch.together());
    }
    return count == 0 ? List.of() : waves(launch, at, spread(count));
  }

  /** {@return how many of some blocks each multiprocessor gets: where most room is, first} */
  private byte[] spread(int count) {
    int level = Arrays.stream(fit).max().orElseThrow();
    int left = count;
    int[] from = fit.clone();
    byte[] counts = new byte[fit.length];
    int last = 0;
    while (left > 0) {
      for (int i = 0; i < from.length && left > 0; i++) {
        if (from[i] == level) {
          from[i]--;
          counts[i]++;
          left--;
          last = Math.max(last, i);
        }
      }
      level--;
    }
    return last + 1 == counts.length ? counts : Arrays.copyOf(counts, last + 1);
  }

  private List<Wave> waves(WaitingLaunch launch, long at, byte[] counts) {
    int count = 0;
    for (byte each : counts) {
      count += each;
    }
    long started = Math.max(starts.end(at, launch.startNanos(count)), at + launch.leastNanos());
    long worked =
        Math.max(
            started,
            Math.max(
                memory.end(at, launch.memoryNanos(count)),
                operations.end(at, launch.operationNanos(count))));
    List<Wave> waves = new ArrayList<>();
    if (launch.isUniform()) {
      long end = Math.max(worked, at + launch.waitNanos(0));
      waves.add(new Wave(launch, at, end, 0, counts));
      launch.begins(count, at, end);
    } else {
      for (int i = 0; i < counts.length; i++) {
        for (int each = 0; each < counts[i]; each++) {
          long end = Math.max(worked, at + launch.waitNanos(0));
          waves.add(new Wave(launch, at, end, i, new byte[] {1}));
          launch.begins(1, at, end);
        }
      }
    }
    waves.forEach(this::remember);
    return waves;
  }

  private void remember(Wave wave) {
    if (wave.endNanos() > wave.startNanos()) {
      remembered.addLast(wave);
    }
    if (remembered.size() > MOST_REMEMBERED) {
      forgotten = Math.max(forgotten, remembered.removeFirst().endNanos());
    }
  }

  // --- launches that come at a time that has passed
  // -----------------------------------------------------------------------------------------------------------------

  /** Lets blocks begin where the past had room for them. */
  private void fitIn(WaitingLaunch launch) {
    long at = Math.max(launch.arrivalNanos(), forgotten);
    while (at < now && launch.left() > 0) {
      long length =
          Math.max(
              Math.max(launch.waitNanos(0), launch.startNanos(launch.left())),
              Math.max(launch.memoryNanos(launch.left()), launch.operationNanos(launch.left())));
      List<Wave> beside = beside(at, at + Math.max(1, length));
      if (beside.size() > MOST_BESIDE) {
        return;
      }
      Arrays.fill(fit, whole.blocks());
      limit(launch.needs(), at, beside);
      boolean before = launch.hasBegun();
      List<Wave> waves = waves(launch, at, beside.isEmpty());
      resident += launch.hasBegun() && !before ? 1 : 0;
      for (Wave wave : waves) {
        room.take(wave);
        if (wave.endNanos() > now) {
          running.add(wave);
        } else {
          end(wave);
        }
      }
      at = nextEnd(at);
    }
  }

  private List<Wave> beside(long from, long to) {
    return remembered.stream()
        .filter(wave -> wave.startNanos() < to && wave.endNanos() > from)
        .toList();
  }

  /** Notes what room there is from a time on, all the time. */
  private void limit(BlockNeeds needs, long from, List<Wave> beside) {
    for (Wave instant : beside) {
      long at = Math.max(from, instant.startNanos());
      FreeRoom then = new FreeRoom(whole, fit.length);
      beside.stream().filter(wave -> wave.covers(at)).forEach(then::take);
      then.limit(needs, fit);
    }
    new FreeRoom(whole, fit.length).limit(needs, fit);
  }

  private long nextEnd(long after) {
    return remembered.stream()
        .mapToLong(Wave::endNanos)
        .filter(end -> end > after)
        .min()
        .orElse(Long.MAX_VALUE);
  }
}
