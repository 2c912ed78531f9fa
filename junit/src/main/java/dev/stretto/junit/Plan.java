package dev.stretto.junit;

import dev.stretto.Device;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;

/** The runs of one test, in order: seeds, GPUs, faults. */
final class Plan implements Iterator<TestTemplateInvocationContext> {
  private final Deque<RunContext> due = new ArrayDeque<>();

  private final AtomicBoolean hasShrunk = new AtomicBoolean();

  /** The runs whose driver calls are to fail once each. */
  private final Deque<RunContext> counted = new ArrayDeque<>();

  Plan(DeviceTest test, Parameters parameters) {
    List<Run> replayed = parameters.replay().map(List::of).orElse(List.of());
    if (!replayed.isEmpty()) {
      replayed.forEach(run -> due.add(new RunContext(run, "", hasShrunk)));
      return;
    }
    for (String words : test.devices()) {
      requireOnlyDevices(words);
      addSeeds(words, test, parameters);
    }
    Gpu gpu = parameters.gpu(test.gpu());
    Arrays.stream(test.devices())
        .mapToInt(Plan::count)
        .distinct()
        .filter(count -> gpu == Gpu.REQUIRED || (gpu == Gpu.IF_PRESENT && count <= gpus()))
        .mapToObj(count -> new Run(gpuNames(count), OptionalLong.empty(), test.order(), 0))
        .forEach(run -> due.add(new RunContext(run, "", hasShrunk)));
  }

  private void addSeeds(String words, DeviceTest test, Parameters parameters) {
    int seeds = parameters.seeds(test.seeds());
    if (seeds < 0) {
      throw new ExtensionConfigurationException(
          "a test with " + seeds + " seeds: has to be 0 (threads instead of seeds) or more");
    }
    List<OptionalLong> schedules =
        seeds == 0
            ? List.of(OptionalLong.empty())
            : LongStream.range(parameters.firstSeed(), parameters.firstSeed() + seeds)
                .mapToObj(OptionalLong::of)
                .toList();
    List<RunContext> runs = new ArrayList<>();
    for (OptionalLong seed : schedules) {
      runs.add(new RunContext(new Run(Run.VIRTUAL + words, seed, test.order(), 0), "", hasShrunk));
    }
    if (test.faults() == Faults.ONE_BY_ONE) {
      runs.getFirst().countCalls();
      counted.add(runs.getFirst());
    }
    due.addAll(runs);
  }

  private static void requireOnlyDevices(String words) {
    String wrong =
        words.isBlank() || words.contains(":")
            ? "write what follows 'virtual:' in the name of a virtual device, such as h200x2"
            : Arrays.stream(words.split(",", -1))
                .map(String::strip)
                .filter(word -> word.matches("(seed|order|fault)=.*"))
                .map(word -> "leave '" + word + "' to the annotation's own values")
                .findFirst()
                .orElse("");
    if (!wrong.isEmpty()) {
      throw new ExtensionConfigurationException(
          "devices = \"" + words + "\" of a device test: " + wrong);
    }
  }

  /** How many devices some words stand for: {@code h200x2}, or {@code a100,2}. */
  private static int count(String words) {
    return Arrays.stream(words.split(",", -1))
        .map(word -> word.strip().replaceFirst("^[a-z]+[0-9]+x", ""))
        .filter(word -> word.matches("[0-9]{1,4}"))
        .mapToInt(Integer::parseInt)
        .findFirst()
        .orElse(1);
  }

  private static int gpus() {
    return (int) Device.all().stream().filter(each -> each.driver().equals("cuda")).count();
  }

  private static String gpuNames(int count) {
    return String.join(",", IntStream.range(0, count).mapToObj(i -> Run.CUDA + i).toList());
  }

  @Override
  public boolean hasNext() {
    while (due.isEmpty() && !counted.isEmpty()) {
      due.addAll(counted.remove().withFaults());
    }
    return !due.isEmpty();
  }

  @Override
  public TestTemplateInvocationContext next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return due.remove();
  }
}
