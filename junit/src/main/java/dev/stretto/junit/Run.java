package dev.stretto.junit;

import dev.stretto.schedule.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * One run of a test: on which devices, under which seed, and with which fault. Its text is what a
 * failure shows and what replays it.
 *
 * @param devices {@code virtual:h200x2}, or {@code cuda:0,cuda:1}
 * @param seed the schedule of virtual devices, or nothing for threads and GPUs
 * @param order what is done about the order
 * @param fault which driver call fails, from 1 on, or 0 for none
 * @param trace what happens, if no seed decides that
 */
record Run(String devices, OptionalLong seed, Order order, int fault, Optional<Trace> trace) {
  static final String VIRTUAL = "virtual:";
  static final String CUDA = "cuda:";
  private static final String SEED = "seed=";
  private static final String ORDER = "order=";
  private static final String FAULT = "fault=";
  private static final String SCHEDULE = "schedule=";

  /** A run without a trace. */
  Run(String devices, OptionalLong seed, Order order, int fault) {
    this(devices, seed, order, fault, Optional.empty());
  }

  /**
   * {@return the run that a text stands for}
   *
   * @throws IllegalArgumentException if it is no such text
   */
  static Run of(String text) {
    if (text.contains(": ")) {
      Trace trace = Trace.parse(text);
      Run plain = of(VIRTUAL + trace.words());
      return new Run(plain.devices, plain.seed, plain.order, 0, Optional.of(trace));
    }
    OptionalLong seed = OptionalLong.empty();
    Order order = Order.OFF;
    long fault = 0;
    List<String> devices = new ArrayList<>();
    for (String word : text.strip().split(",", -1)) {
      if (word.startsWith(SEED)) {
        seed = OptionalLong.of(number(word, SEED, text));
      } else if (word.startsWith(FAULT)) {
        fault = number(word, FAULT, text);
      } else if (word.startsWith(ORDER)) {
        order = order(word.substring(ORDER.length()), text);
      } else {
        devices.add(word);
      }
    }
    String names = String.join(",", devices);
    if (!(names.equals("virtual") || names.startsWith(VIRTUAL) || names.startsWith(CUDA))
        || fault < 0
        || fault > Integer.MAX_VALUE) {
      throw refused(text);
    }
    return new Run(names.equals("virtual") ? VIRTUAL + "h200" : names, seed, order, (int) fault);
  }

  private static long number(String word, String key, String text) {
    try {
      return Long.parseLong(word.substring(key.length()));
    } catch (NumberFormatException e) {
      IllegalArgumentException refused = refused(text);
      refused.initCause(e);
      throw refused;
    }
  }

  private static Order order(String word, String text) {
    return Stream.of(Order.values())
        .filter(order -> word(order).equals(word))
        .findAny()
        .orElseThrow(() -> refused(text));
  }

  private static String word(Order order) {
    return order.name().toLowerCase(Locale.ROOT);
  }

  private static IllegalArgumentException refused(String text) {
    return new IllegalArgumentException(
        "'"
            + text
            + "' is no run of a device test: copy the text that the failure shows, such as"
            + " virtual:h200x2,seed=17,order=checked or virtual:h200,seed=0,fault=3");
  }

  /** {@return the same run in which a driver call fails} */
  Run withFault(int number) {
    return new Run(devices, seed, order, number);
  }

  /** {@return whether it is on virtual devices} */
  boolean isVirtual() {
    return devices.startsWith(VIRTUAL);
  }

  /** {@return whether a seed or a trace decides what happens when} */
  boolean isScheduled() {
    return isVirtual() && seed.isPresent();
  }

  /** {@return the words of its devices for an explorer, which are without the seed} */
  String scheduledWords() {
    String words = devices.substring(VIRTUAL.length());
    return (words.contains(SCHEDULE) ? words : words + "," + SCHEDULE + "rotate")
        + ","
        + ORDER
        + word(order);
  }

  /** {@return the names by which its devices are opened, one after the other} */
  List<String> names() {
    if (!isVirtual()) {
      return Stream.of(devices.split(",", -1)).map(this::ordered).toList();
    }
    return List.of(ordered(seed.isPresent() ? devices + "," + SEED + seed.getAsLong() : devices));
  }

  /** Says it also if it is off: a property may say otherwise. */
  private String ordered(String name) {
    return name + "," + ORDER + word(order);
  }

  @Override
  public String toString() {
    if (trace.isPresent()) {
      return trace.get().toString();
    }
    StringBuilder text = new StringBuilder(devices);
    seed.ifPresent(number -> text.append(',').append(SEED).append(number));
    if (order != Order.OFF) {
      text.append(',').append(ORDER).append(word(order));
    }
    if (fault > 0) {
      text.append(',').append(FAULT).append(fault);
    }
    return text.toString();
  }
}
