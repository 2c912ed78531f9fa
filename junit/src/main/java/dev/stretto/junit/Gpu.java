package dev.stretto.junit;

/** Whether a test runs on GPUs too. */
public enum Gpu {
  /** One more run, on GPUs, if the machine has as many as the test takes devices. */
  IF_PRESENT,
  /** One more run, on GPUs; it fails if the machine has too few. */
  REQUIRED,
  /** Runs on virtual devices only. */
  NEVER
}
