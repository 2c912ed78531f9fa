package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Sample;
import dev.stretto.contract.Bystanders;
import dev.stretto.contract.EveryOperation;
import dev.stretto.contract.LoggedErrors;
import dev.stretto.fault.StrettoException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Each function of CUDA has its calls fail, one by one, in a program that does everything: the
 * program is told, what it is not told of is right, other streams and devices go on, no context is
 * left current, and what was made is destroyed again.
 *
 * <p>{@code -Dstretto.faults=all} lets more calls of each function fail.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EveryCudaCallTest {
  private static final boolean ALL = System.getProperty("stretto.faults", "").equals("all");
  private static final String ONLY = System.getProperty("stretto.faults.only", "");

  /** So many calls of each function fail, if all shall. */
  private static final int MOST = 24;

  private static final int INVALID_VALUE = 1;
  private static final int OUT_OF_MEMORY = 2;
  private static final int ILLEGAL_ADDRESS = 700;
  private static final int UNKNOWN = 999;
  private static final int[] CODES = {INVALID_VALUE, OUT_OF_MEMORY, UNKNOWN, ILLEGAL_ADDRESS};

  private record Failing(String function, int number, int code) {
    boolean isLoss() {
      return code == ILLEGAL_ADDRESS;
    }

    boolean asks() {
      return function.equals("cuEventQuery") || function.equals("cuStreamQuery");
    }

    boolean isRelease() {
      return function.contains("Free")
          || function.contains("Destroy")
          || function.contains("Unload")
          || function.contains("Unregister")
          || function.contains("Release")
          || function.contains("Disable");
    }
  }

  @Test
  void whicheverCallOfCudaFailsTheProgramIsToldAndEverythingElseGoesOn() {
    List<String> wrong = new ArrayList<>();
    int failed = 0;
    List<Failing> plan = plan();
    try (LoggedErrors logged = new LoggedErrors()) {
      for (Failing failing : plan) {
        if (!failing.toString().replace(" ", "").contains(ONLY)) {
          continue;
        }
        logged.clear();
        try {
          failed += run(failing, logged) ? 1 : 0;
        } catch (AssertionError | RuntimeException e) {
          wrong.add(failing + ": " + e.getMessage());
        }
      }
    }
    System.out.printf(
        "fake CUDA: %d of %d calls that were to fail did, %d badly%n",
        failed, plan.size(), wrong.size());
    assertThat(wrong).as("%d of %d failures", wrong.size(), plan.size()).isEmpty();
    assertThat(failed).isPositive();
  }

  private static List<Failing> plan() {
    FakeCuda fake = FakeCuda.reset();
    List<Throwable> seen = program(fake, false, new ArrayList<>());
    assertThat(seen).isEmpty();
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (String call : fake.calls()) {
      int _ = counts.merge(call.split(" ", 3)[1], 1, Integer::sum);
    }
    counts.remove("cuCtxPopCurrent_v2"); // fails only where the push before it has failed
    counts.remove("cuInit"); // once for the process
    List<Failing> plan = new ArrayList<>();
    int share = Sample.of(2, 1);
    counts.forEach(
        (function, count) -> {
          if (Math.floorMod(function.hashCode(), share) > 0) {
            return;
          }
          TreeSet<Integer> numbers = new TreeSet<>();
          numbers.add(1 + Math.floorMod(function.hashCode(), count));
          for (int i = 0; i < MOST && ALL; i++) {
            numbers.add(1 + (int) ((long) i * (count - 1) / (MOST - 1)));
          }
          for (int number : numbers) {
            for (int i = 0; i < CODES.length; i++) {
              boolean turn = i == Math.floorMod(number + function.hashCode(), CODES.length);
              // Of an invalid value CUDA means memory that it does not know.
              boolean fails = !function.startsWith("cuPointer") || CODES[i] != INVALID_VALUE;
              if (fails && (ALL || turn)) {
                plan.add(new Failing(function, number, CODES[i]));
              }
            }
          }
        });
    return plan;
  }

  /** {@return what is thrown at the program} */
  private static List<Throwable> program(FakeCuda fake, boolean asks, List<Throwable> seen) {
    List<Device> devices;
    try {
      devices = Device.openAll(fake.driver());
    } catch (StrettoException e) {
      seen.add(e);
      return seen;
    }
    EveryOperation program = new EveryOperation(devices, () -> fake.driver().open(0), false);
    try {
      Bystanders bystanders = new Bystanders(devices);
      program.run();
      bystanders.check(() -> fake.failed() > 0, asks, program.seen());
    } catch (StrettoException e) {
      program.seen().add(e); // of a bystander, before the program began
    } finally {
      devices.forEach(Device::close);
    }
    seen.addAll(program.seen());
    return seen;
  }

  private static boolean run(Failing failing, LoggedErrors logged) {
    FakeCuda fake = FakeCuda.reset();
    fake.set("log", 0);
    fake.failLater(failing.function(), failing.code(), failing.number() - 1);
    List<Throwable> seen = program(fake, failing.asks(), new ArrayList<>());
    awaitReleased(fake, failing);
    awaitReport(fake, seen, logged);
    assertThat(fake.depth()).as("contexts left on the stack of them").isLessThanOrEqualTo(1);
    if (!failing.isLoss()) {
      int left = 0;
      StringBuilder kinds = new StringBuilder();
      for (FakeCuda.Kind kind : FakeCuda.Kind.values()) {
        left += fake.live(kind);
        kinds.append(fake.live(kind) > 0 ? " " + fake.live(kind) + " " + kind : "");
      }
      assertThat(left)
          .as("left:%s, after %s, %s", kinds, seen, logged.all())
          .isLessThanOrEqualTo(failing.isRelease() || seen.isEmpty() ? fake.failed() : 0);
    }
    List<Throwable> all = new ArrayList<>(seen);
    all.addAll(logged.all());
    if (fake.failed() == 0) {
      assertThat(all).isEmpty();
      return false;
    }
    for (Throwable each : all) {
      assertThat(LoggedErrors.causes(each))
          .as("the first cause")
          .anyMatch(e -> tells(e, failing.code()));
    }
    return true;
  }

  private static boolean tells(Throwable error, int code) {
    String message = String.valueOf(error.getMessage());
    return message.contains("(" + code + ")") || message.contains("CUDA error " + code);
  }

  /** What goes wrong when a device is let go of is logged after that. */
  private static void awaitReport(FakeCuda fake, List<Throwable> seen, LoggedErrors logged) {
    long deadline = System.nanoTime() + 2_000_000_000L;
    while (fake.failed() > 0
        && seen.isEmpty()
        && logged.all().isEmpty()
        && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
  }

  private static void awaitReleased(FakeCuda fake, Failing failing) {
    long deadline = System.nanoTime() + 20_000_000_000L;
    boolean keeps = failing.function().equals("cuDevicePrimaryCtxRelease_v2");
    while (fake.retained(0) + fake.retained(1) > (keeps ? fake.failed() : 0)) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "contexts are never let go of: " + fake.retained(0) + ", " + fake.retained(1));
      }
      Thread.onSpinWait();
    }
  }
}
