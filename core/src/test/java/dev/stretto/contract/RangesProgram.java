package dev.stretto.contract;

import dev.stretto.timeline.Trace;

/** Has ranges within each other, one of a virtual thread among them. */
public final class RangesProgram {
  private RangesProgram() {}

  /**
   * Runs it.
   *
   * @param arguments none
   * @throws InterruptedException never
   */
  public static void main(String[] arguments) throws InterruptedException {
    try (Trace.Range outer = Trace.range("epoch 3")) {
      try (Trace.Range _ = Trace.range("Übung")) {
        Thread.ofVirtual().start(() -> Trace.range("aside").close()).join();
      }
      outer.close();
    }
  }
}
