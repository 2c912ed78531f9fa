package dev.stretto.spark;

/** What an executor does when it has lost its last device. */
enum OnLost {
  /** Ends the process, so that Spark replaces it: a process cannot open a lost GPU again. */
  EXIT,
  /** Goes on without devices: tasks that need one fail. */
  KEEP
}
