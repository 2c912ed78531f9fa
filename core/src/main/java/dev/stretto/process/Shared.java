package dev.stretto.process;

import org.jspecify.annotations.Nullable;

/** Something that a process shares, as the others' connections see it. Called on their threads. */
public interface Shared {
  /**
   * {@return what opens it at the driver, or null if it is closed} Each call that returns something
   * is one more use, which {@link #closed} ends.
   */
  byte @Nullable [] opened();

  /**
   * {@return the file descriptor that goes over to whoever has opened it, or {@link
   * Descriptors#NONE}}
   */
  default int descriptor() {
    return Descriptors.NONE;
  }

  /** Notes that one use has ended, or that its process has. */
  void closed();
}
