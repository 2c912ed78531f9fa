package dev.stretto.twin;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A list of what is known to differ, a line each: {@code program: key | one side | the other}.
 *
 * @param byPlace by {@code program: key}
 */
record Differences(Map<String, Difference> byPlace) {
  /** No difference at all. */
  static final Differences NONE = new Differences(Map.of());

  /** Where Stretto promises more or less than CUDA: what C++ prints, what Java prints. */
  static final String FROM_CUDA = "differences.txt";

  /** Where virtual devices do otherwise than the GPU: what it did, what they do. */
  static final String OF_VIRTUAL_DEVICES = "virtual-differences.txt";

  /**
   * What two sides say for a key.
   *
   * @param place the program and the key
   * @param one what the first side says
   * @param other what the second side says
   */
  record Difference(String place, String one, String other) {
    private static Difference of(String line) {
      String[] parts = line.split("[|]", -1);
      if (parts.length != 3 || parts[0].split(": ", -1).length != 2) {
        throw new IllegalArgumentException("no difference of two sides: " + line);
      }
      return new Difference(parts[0].strip(), parts[1].strip(), parts[2].strip());
    }

    @Override
    public String toString() {
      return "%s | %s | %s".formatted(place, one, other);
    }
  }

  /** {@return where Stretto promises more or less than CUDA} */
  static Differences fromCuda() {
    return of(FROM_CUDA);
  }

  /** {@return where virtual devices do otherwise than the GPU that was noted} */
  static Differences ofVirtualDevices() {
    return of(OF_VIRTUAL_DEVICES);
  }

  private static Differences of(String resource) {
    Map<String, Difference> byPlace = new LinkedHashMap<>();
    for (String line : Outcome.resource(resource)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        Difference difference = Difference.of(line);
        if (byPlace.put(difference.place(), difference) != null) {
          throw new IllegalArgumentException("twice in %s: %s".formatted(resource, line));
        }
      }
    }
    return new Differences(byPlace);
  }
}
