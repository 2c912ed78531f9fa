package dev.stretto.cli.doctor;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The variable that hides GPUs. */
final class VisibleDevicesCheck implements Check {
  private static final String NAME = "visible-devices";
  private static final String VARIABLE = "CUDA_VISIBLE_DEVICES";
  private static final String REMEDY = "unset " + VARIABLE + ", or list numbers: 0,1";

  @Override
  public List<Finding> examine(Machine machine) {
    return machine
        .variable(VARIABLE)
        .map(value -> List.of(judge(machine, value)))
        .orElse(List.of());
  }

  private static Finding judge(Machine machine, String value) {
    String set = VARIABLE + "=" + value;
    List<String> words = Arrays.stream(value.split(",", -1)).map(String::strip).toList();
    Set<String> distinct = new HashSet<>();
    int known =
        Math.max(machine.pciGpus().size(), machine.names("/proc/driver/nvidia/gpus").size());
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (word.matches("[0-9]+[^0-9].*")) {
        return Finding.warn(
            NAME, set + ": of '" + word + "' CUDA reads only the first number", REMEDY);
      }
      if (!isDevice(word, known)) {
        // The driver stops reading there.
        return i == 0
            ? Finding.bad(NAME, set + " hides all GPUs", REMEDY)
            : Finding.warn(NAME, set + " hides all GPUs from '" + word + "' on", REMEDY);
      }
      if (!distinct.add(word)) {
        return Finding.warn(NAME, set + " names " + word + " twice", REMEDY);
      }
    }
    return Finding.ok(NAME, set);
  }

  private static boolean isDevice(String word, int known) {
    if (word.matches("(GPU|MIG)-.+")) {
      return true;
    }
    return word.matches("[0-9]{1,6}") && (known == 0 || Integer.parseInt(word) < known);
  }
}
