package dev.stretto.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/** Variables that make asynchronous calls wait for each other. */
final class LaunchBlockingCheck implements Check {
  private static final String BLOCKING = "CUDA_LAUNCH_BLOCKING";
  private static final String CONNECTIONS = "CUDA_DEVICE_MAX_CONNECTIONS";

  @Override
  public List<Finding> examine(Machine machine) {
    List<Finding> findings = new ArrayList<>();
    machine
        .variable(BLOCKING)
        .filter(value -> !value.isBlank() && !value.strip().equals("0"))
        .ifPresent(
            value ->
                findings.add(
                    Finding.warn(
                        "launch-blocking",
                        BLOCKING + "=" + value + ": each launch waits for its kernel",
                        "unset " + BLOCKING)));
    machine
        .variable(CONNECTIONS)
        .filter(value -> value.strip().equals("1"))
        .ifPresent(
            _ ->
                findings.add(
                    Finding.warn(
                        "launch-blocking",
                        CONNECTIONS + "=1: streams wait for each other",
                        "unset " + CONNECTIONS)));
    return findings;
  }
}
