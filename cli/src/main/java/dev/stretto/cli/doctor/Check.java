package dev.stretto.cli.doctor;

import java.util.List;

/** Examines one thing. */
@FunctionalInterface
interface Check {
  /** What it found; nothing where it does not apply. */
  List<Finding> examine(Machine machine);
}
