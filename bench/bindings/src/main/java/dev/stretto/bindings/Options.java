package dev.stretto.bindings;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What to run.
 *
 * @param library its name
 * @param jobs their names
 * @param device of Stretto; the others take the first GPU
 * @param bytes of an array, and of the file
 * @param rounds how often each thing is measured
 * @param file is written unless it has that size, and stays
 */
record Options(
    String library, List<String> jobs, String device, long bytes, int rounds, Path file) {
  private static final int GRAIN = 1 << 20;

  static final List<String> LIBRARIES = List.of("stretto", "jcuda", "javacpp", "lwjgl");
  static final List<String> JOBS =
      List.of("pinned", "arrays", "pipeline", "copies", "submit", "file");

  Options {
    requireOneOf(LIBRARIES, library, "library");
    jobs.forEach(job -> requireOneOf(JOBS, job, "job"));
    if (bytes < GRAIN || bytes % GRAIN != 0 || bytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          bytes + " bytes: must be a multiple of " + GRAIN + ", less than 2 GiB");
    }
    if (rounds < 1) {
      throw new IllegalArgumentException(rounds + " rounds: must be 1 or more");
    }
  }

  private static void requireOneOf(List<String> names, String name, String kind) {
    if (!names.contains(name)) {
      throw new IllegalArgumentException("no such " + kind + ": " + name + "; there are " + names);
    }
  }

  static Options of(List<String> arguments) {
    String device = "cuda:0";
    long bytes = 1 << 30;
    int rounds = 3;
    Path file = Path.of(System.getProperty("java.io.tmpdir"), "stretto-bindings.bin");
    List<String> words = new ArrayList<>(arguments);
    while (!words.isEmpty() && words.getFirst().startsWith("--")) {
      String option = words.removeFirst();
      if (words.isEmpty()) {
        throw new IllegalArgumentException(option + " needs a value");
      }
      String value = words.removeFirst();
      switch (option) {
        case "--device" -> device = value;
        case "--bytes" -> bytes = Long.parseLong(value);
        case "--rounds" -> rounds = Integer.parseInt(value);
        case "--file" -> file = Path.of(value);
        default -> throw new IllegalArgumentException("no such option: " + option);
      }
    }
    if (words.isEmpty()) {
      throw new IllegalArgumentException("name a library, one of " + LIBRARIES);
    }
    String library = words.removeFirst();
    return new Options(
        library, words.isEmpty() ? JOBS : List.copyOf(words), device, bytes, rounds, file);
  }
}
