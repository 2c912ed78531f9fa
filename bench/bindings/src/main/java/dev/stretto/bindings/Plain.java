package dev.stretto.bindings;

/** The large jobs in the calls that a library's documentation teaches: one thread, no tricks. */
interface Plain extends WholeArrays, Pipeline, FileSum {
  /** How many streams a pipeline has. */
  int STREAMS = 4;
}
