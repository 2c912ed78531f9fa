package dev.stretto.compiler.reach;

import java.util.List;

/**
 * A place in a kernel that accesses global memory.
 *
 * @param argument the number of the array or tensor map among the arguments
 * @param kind what it does
 * @param offset the node of the first byte, from the beginning of the array; -1 if the place may
 *     access any byte
 * @param bytes the node of the number of bytes
 * @param guards what holds there, outer conditions first
 */
record Touch(int argument, AccessKind kind, int offset, int bytes, List<Guard> guards) {
  /** {@return an access to any byte} */
  static Touch anywhere(int argument, AccessKind kind) {
    return new Touch(argument, kind, -1, -1, List.of());
  }
}
