package dev.stretto.observe;

import dev.stretto.diagnosis.Rule;
import org.jspecify.annotations.Nullable;

/** What kind of call a {@link HostCall} is. */
public enum HostCallKind {
  /** A thread awaited an operation, a stream or a device. */
  WAIT,
  /** Host memory was pinned. */
  PINNING,
  /** Host memory was unpinned, or a thread waited for that. */
  UNPINNING,
  /** Device memory was allocated by a call that may make the device wait. */
  ALLOCATION,
  /** A kernel was compiled and loaded. */
  KERNEL_LOADING,
  /** A device got access to another one. */
  PEER_ACCESS;

  /** {@return the kind of a call that may violate a rule, or null if it is none of these} */
  static @Nullable HostCallKind of(Rule rule) {
    return switch (rule) {
      case PINNING -> PINNING;
      case UNPINNING, ARENA_CLOSE -> UNPINNING;
      case ALLOCATION -> ALLOCATION;
      case KERNEL_LOADING -> KERNEL_LOADING;
      case PEER_ACCESS -> PEER_ACCESS;
      default -> null;
    };
  }

  /** {@return it in words} */
  String words() {
    return switch (this) {
      case WAIT -> "await";
      case PINNING -> "pin host memory";
      case UNPINNING -> "unpin host memory";
      case ALLOCATION -> "allocate device memory";
      case KERNEL_LOADING -> "compile and load";
      case PEER_ACCESS -> "enable peer access";
    };
  }
}
