package dev.stretto.spark;

import dev.stretto.fault.StrettoException;

/**
 * Thrown when a task has no device: the plugin does not run, Spark has assigned no GPU to the task,
 * or the executor has lost all of its devices. The message names the setting to change.
 */
public final class NoTaskDeviceException extends StrettoException {
  private static final long serialVersionUID = 1L;

  NoTaskDeviceException(String message) {
    super(message);
  }

  NoTaskDeviceException(String message, Throwable cause) {
    super(message, cause);
  }
}
