package dev.stretto.spark;

import dev.stretto.fault.StrettoException;

/**
 * Thrown when a task gets no memory: more than its part was asked for, other tasks of the device
 * have not released theirs in time, or Spark has granted less. Nothing was allocated.
 */
public final class TaskMemoryException extends StrettoException {
  private static final long serialVersionUID = 1L;

  TaskMemoryException(String message) {
    super(message);
  }

  TaskMemoryException(String message, Throwable cause) {
    super(message, cause);
  }
}
