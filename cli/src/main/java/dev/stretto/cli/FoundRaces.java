package dev.stretto.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The races that the processes of a command have found, as they have written them.
 *
 * @param races between each two lines one
 * @param processes how many processes have opened a device
 * @param others how many more were found, and not kept
 */
record FoundRaces(List<Race> races, int processes, long others) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int RACE_PARTS = 5;

  FoundRaces {
    races = List.copyOf(races);
  }

  /**
   * One race.
   *
   * @param isPossible whether there is one only if an operation does all that it may do
   * @param count how often it was found
   * @param first the line of the earlier access; empty if it is not known
   * @param second the line of the later one
   * @param message the finding
   */
  record Race(boolean isPossible, long count, String first, String second, String message) {}

  /** {@return what a file of races holds} */
  static FoundRaces parse(String text) {
    List<Race> races = new ArrayList<>();
    int processes = 0;
    long others = 0;
    for (String line : text.lines().toList()) {
      String[] parts = line.split("\t", RACE_PARTS);
      if (parts[0].equals("process")) {
        processes++;
        others += Long.parseLong(parts[3]);
      } else if (parts.length == RACE_PARTS) { // or the file was cut off
        boolean isPossible = parts[0].equals("possible");
        races.add(new Race(isPossible, Long.parseLong(parts[1]), parts[2], parts[3], parts[4]));
      }
    }
    return new FoundRaces(races, processes, others);
  }

  /** {@return whether there is one, beyond doubt} */
  boolean isAny() {
    return others > 0 || races.stream().anyMatch(race -> !race.isPossible());
  }

  String text() {
    if (processes == 0 && races.isEmpty()) {
      return "stretto: the command opened no device, or was killed: there is nothing to report%n"
          .formatted();
    }
    if (races.isEmpty()) {
      return "stretto: the order was checked: no races%n".formatted();
    }
    StringBuilder text = new StringBuilder();
    text.append(
        "stretto: the order was checked: %s%n"
            .formatted(races.size() == 1 ? "1 race" : races.size() + " races"));
    for (Race race : races) {
      String often = race.count == 1 ? "" : String.format(Locale.ROOT, " (%,d times)", race.count);
      text.append("%n  %s%s%n".formatted(race.message, often));
    }
    if (others > 0) {
      text.append(String.format(Locale.ROOT, "%n  and %,d more, which were not kept%n", others));
    }
    return text.toString();
  }

  String json() {
    ObjectNode root = MAPPER.createObjectNode();
    ArrayNode all = root.putArray("races");
    for (Race race : races) {
      all.addObject()
          .put("possible", race.isPossible)
          .put("count", race.count)
          .put("first", race.first)
          .put("second", race.second)
          .put("message", race.message);
    }
    root.put("notKept", others).put("processes", processes);
    try {
      return MAPPER.writeValueAsString(root) + System.lineSeparator();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
