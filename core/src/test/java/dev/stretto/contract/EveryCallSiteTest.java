package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Sample;
import dev.stretto.contract.CallSites.Site;
import dev.stretto.contract.DriverTap.Call;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.KernelImageException;
import dev.stretto.fault.LaunchException;
import dev.stretto.fault.OutOfDeviceMemoryException;
import dev.stretto.fault.PeerAccessException;
import dev.stretto.fault.PinnedBudgetException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;

/**
 * Each line of Stretto that calls the driver has its call fail, in a program that does everything:
 * the program is told the first cause with its type, what it is not told of is right, other streams
 * and other devices go on, nobody waits for ever, and everything is given back.
 *
 * <p>{@code -Dstretto.faults=all} makes each call fail in each of its ways, at its first, second
 * and last time; otherwise each fails once, in ways that take turns. {@code -Dstretto.faults.only=}
 * and a part of what a failure is called, without blanks, picks some. {@code
 * -Dstretto.faults.frames=} says how many lines of the stack tell call sites apart.
 */
@OnEveryDriver
@Timeout(value = 1, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EveryCallSiteTest {
  private static final boolean ALL = System.getProperty("stretto.faults", "").equals("all");
  private static final String ONLY = System.getProperty("stretto.faults.only", "");

  /** A driver takes its own memory in steps of two mebibytes, now and then. */
  private static final long DEVICE_SLACK = 16 << 20;

  @Parameter Machine machine;

  private LoggedErrors logged;

  @BeforeEach
  void listen() {
    logged = new LoggedErrors();
  }

  @AfterEach
  void stopListening() {
    logged.close();
  }

  @Test
  void whicheverCallFailsTheProgramIsToldAndEverythingElseGoesOn() {
    List<FailingSite> plan = new ArrayList<>();
    sites().forEach((site, count) -> plan.addAll(isMine(site) ? failures(site, count) : List.of()));
    plan.removeIf(failing -> !failing.toString().replace(" ", "").contains(ONLY));
    List<String> wrong = new ArrayList<>();
    int failed = 0;
    // What a lost device holds goes with its context, which must not be kept then.
    Map<Boolean, List<FailingSite>> byLoss =
        plan.stream().collect(Collectors.partitioningBy(failing -> failing.kind() == Kind.LOST));
    try (DriverDevice kept = machine.isVirtual() ? null : Machine.cuda().open(0)) {
      if (kept != null) {
        sites(); // what the driver makes for itself at first, and keeps, is not a leak
      }
      long free = kept == null ? 0 : freeSoon(kept, Long.MAX_VALUE);
      List<String> taken = new ArrayList<>();
      failed += run(byLoss.get(false), wrong, kept, taken);
      if (kept != null) {
        assertThat(freeSoon(kept, free))
            .as("bytes free on the device; what took some: %s; what went badly: %s", taken, wrong)
            .isGreaterThan(free - DEVICE_SLACK);
      }
    }
    failed += run(byLoss.get(true), wrong, null, new ArrayList<>());
    System.out.printf(
        "%s: %d of %d calls that were to fail did, %d badly%n",
        machine, failed, plan.size(), wrong.size());
    assertThat(wrong).as("%d of %d failures", wrong.size(), plan.size()).isEmpty();
    assertThat(failed).isGreaterThanOrEqualTo(plan.size() * 8 / 10);
  }

  /**
   * Runs a plan.
   *
   * @param wrong gets what went badly
   * @param kept tells how much of its memory is free
   * @param taken gets after which failures it was less
   */
  private int run(
      List<FailingSite> plan, List<String> wrong, @Nullable DriverDevice kept, List<String> taken) {
    int failed = 0;
    long free = kept == null ? 0 : kept.freeBytes();
    for (FailingSite failing : plan) {
      try {
        failed += run(failing) != null ? 1 : 0;
      } catch (AssertionError | RuntimeException e) {
        wrong.add(failing + ": " + e.getMessage());
      }
      long now = kept == null ? 0 : freeSoon(kept, free);
      if (now != free) {
        taken.add("%,d bytes: %s".formatted(free - now, failing));
        free = now;
      }
    }
    return failed;
  }

  private static long freeSoon(DriverDevice kept, long expected) {
    return FreeMemory.soon(kept::freeBytes, expected, Duration.ofSeconds(2));
  }

  /** The schedule matters little: most machines have a share. */
  private boolean isMine(Site site) {
    if (ALL || !machine.isVirtual()) {
      return true;
    }
    boolean first = !machine.isSeeded() || machine.name().endsWith("seed=1");
    int share = first ? Sample.of(8, 1) : 16;
    return Math.floorMod(site.toString().hashCode() ^ machine.name().hashCode(), share) == 0;
  }

  /** {@return which lines call the driver, and how often} */
  private Map<Site, Integer> sites() {
    Map<Site, Integer> sites = new LinkedHashMap<>();
    for (int i = 0; i < (machine.isSeeded() ? 1 : 2); i++) {
      Objects.requireNonNull(run(null))
          .forEach((site, count) -> sites.merge(site, count, Math::max));
    }
    return sites;
  }

  private static List<FailingSite> failures(Site site, int count) {
    List<Kind> kinds = kinds(site.call());
    if (!ALL) {
      int turn = Math.floorMod(site.lines().hashCode(), kinds.size());
      return List.of(new FailingSite(site.call(), site.lines(), 1, kinds.get(turn)));
    }
    List<FailingSite> failures = new ArrayList<>();
    for (int occurrence : new TreeSet<>(List.of(1, Math.min(2, count), count))) {
      for (Kind kind : kinds) {
        failures.add(new FailingSite(site.call(), site.lines(), occurrence, kind));
      }
    }
    return failures;
  }

  /** {@return how a call can fail} */
  private static List<Kind> kinds(Call call) {
    return switch (call) {
      case ALLOCATE,
          ALLOCATE_ASYNC,
          CREATE_STREAM,
          CREATE_EVENT,
          LAUNCH,
          COPY,
          CREATE_GRAPH,
          LAUNCH_GRAPH ->
          List.of(Kind.OTHER, Kind.LOST, Kind.INVALID, Kind.OUT_OF_MEMORY);
      case ALLOCATE_PINNED, REGISTER_HOST, REGISTER_READ_ONLY ->
          List.of(Kind.OTHER, Kind.LOST, Kind.INVALID, Kind.OUT_OF_HOST_MEMORY);
      case LOAD_MODULE, FUNCTION -> List.of(Kind.BAD_IMAGE, Kind.LOST, Kind.OUT_OF_MEMORY);
      default -> List.of(Kind.OTHER, Kind.LOST, Kind.INVALID);
    };
  }

  private static boolean fits(FailingSite failing, Throwable error) {
    boolean pins =
        switch (failing.call()) {
          case ALLOCATE_PINNED, REGISTER_HOST, REGISTER_READ_ONLY -> true;
          default -> false;
        };
    return switch (failing.kind()) {
      case LOST -> error instanceof DeviceLostException;
      case OUT_OF_MEMORY -> error instanceof OutOfDeviceMemoryException;
      case OUT_OF_HOST_MEMORY -> error instanceof PinnedBudgetException;
      case BAD_IMAGE -> error instanceof KernelImageException;
      case INVALID ->
          error instanceof LaunchException
              || error instanceof PeerAccessException
              || (pins && error instanceof PinnedBudgetException)
              || error instanceof IllegalArgumentException
              || error instanceof IllegalStateException; // of an event that was not recorded
      default -> error instanceof DriverException;
    };
  }

  /** {@return how often each line has called; null if the call that is to fail was not made} */
  private @Nullable Map<Site, Integer> run(@Nullable FailingSite failing) {
    logged.clear();
    CallSites[] calls = new CallSites[1];
    EveryOperation program;
    Machine.Opened opened = machine.openPair(driver -> calls[0] = new CallSites(driver, failing));
    try (opened) {
      List<Device> devices = opened.devices();
      Bystanders bystanders = new Bystanders(devices);
      calls[0].arm();
      program = new EveryOperation(devices, opened::otherLibrary, true);
      program.run();
      bystanders.check(calls[0]::hasFailed, asks(failing), program.seen());
      for (Device device : devices) {
        program.step("closing a device", device::close);
      }
    }
    awaitClosed(calls[0]);
    boolean failed = calls[0].hasFailed();
    awaitReport(failed, program.seen());
    assertThat(calls[0].left())
        .as("left when the device was let go of, after %s, %s", program.seen(), logged.all())
        .isEmpty();
    judge(failed ? failing : null, calls[0].place(), program.seen());
    return failing == null || failed ? calls[0].counts() : null;
  }

  private static boolean asks(@Nullable FailingSite failing) {
    return failing != null && (failing.call() == Call.IS_DONE || failing.call() == Call.IS_IDLE);
  }

  /** What goes wrong when a device is let go of is logged after that. */
  private void awaitReport(boolean failed, List<Throwable> seen) {
    long deadline = System.nanoTime() + 2_000_000_000L;
    while (failed && seen.isEmpty() && logged.all().isEmpty() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static void awaitClosed(CallSites calls) {
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (calls.open() > 0) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(calls.open() + " devices are never let go of");
      }
      Thread.onSpinWait();
    }
  }

  private void judge(
      @Nullable FailingSite failing, List<StackTraceElement> place, List<Throwable> seen) {
    List<Throwable> all = new ArrayList<>(seen);
    all.addAll(logged.all());
    if (failing == null) {
      assertThat(all).isEmpty();
      return;
    }
    for (Throwable each : all) {
      if (!LoggedErrors.causes(each).stream()
          .anyMatch(e -> String.valueOf(e.getMessage()).contains("injected"))) {
        throw new AssertionError("told of something else than the cause: " + each, each);
      }
    }
    if (seen.isEmpty() && isDoneWithout(failing, place)) {
      return; // whether the log tells of it or not
    }
    assertThat(all.stream().flatMap(each -> LoggedErrors.causes(each).stream()))
        .as("the cause with its type; it came up in " + place)
        .anyMatch(error -> fits(failing, error));
    assertThat(!seen.isEmpty() || failing.call().isRelease() || isForTheLog(failing, place))
        .as("told to the log only: %s, %s", logged.all(), place)
        .isTrue();
  }

  /**
   * {@return whether there is nobody to be told} An observed operation goes on without its times; a
   * loss that is found when the device is closed has cut nothing short.
   */
  private static boolean isForTheLog(FailingSite failing, List<StackTraceElement> place) {
    return place.stream()
        .anyMatch(
            frame ->
                (failing.kind() != Kind.LOST && isOfAnEnd(frame.getClassName()))
                    || frame.getMethodName().equals("askForTheLastTime"));
  }

  /** {@return whether a class marks the end of an operation that is observed or recorded} */
  private static boolean isOfAnEnd(String name) {
    return name.endsWith(".ObservedEnd") || name.endsWith(".Recorded");
  }

  /**
   * {@return whether nobody has to be told} How far a stream is can be asked once more; staging
   * makes do with the buffers that it has; a timeline that cannot measure an operation says that it
   * has left it out.
   */
  private static boolean isDoneWithout(FailingSite failing, List<StackTraceElement> place) {
    for (StackTraceElement frame : place) {
      if (frame.getClassName().endsWith(".DeviceRecording")
          || frame.getClassName().endsWith(".TimeReader")
          || (failing.kind() != Kind.LOST && frame.getMethodName().startsWith("isSurely"))) {
        return true;
      }
    }
    return failing.kind() != Kind.LOST
        && switch (failing.call()) {
          case IS_DONE, IS_IDLE -> true;
          case ALLOCATE_PINNED ->
              place.stream().anyMatch(frame -> frame.getClassName().endsWith("Slots"));
          default -> false;
        };
  }
}
