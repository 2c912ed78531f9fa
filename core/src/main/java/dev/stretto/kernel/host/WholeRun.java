package dev.stretto.kernel.host;

import dev.stretto.driver.KernelTwin;

/** A launch that never waits for anything else, and so runs as a whole. */
record WholeRun(Runnable launch) implements KernelTwin.Run {
  @Override
  public Progress advance() {
    launch.run();
    return Progress.OVER;
  }

  @Override
  public void abandon() {}

  @Override
  public String waitsFor() {
    return "";
  }
}
