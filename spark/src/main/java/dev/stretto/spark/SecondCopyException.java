package dev.stretto.spark;

import dev.stretto.fault.StrettoException;

/**
 * Thrown when a second class loader of the process has loaded Stretto: each copy would open the
 * same GPUs and take memory of its own. The message names both copies and the setting to change.
 */
public final class SecondCopyException extends StrettoException {
  private static final long serialVersionUID = 1L;

  SecondCopyException(String message) {
    super(message);
  }
}
