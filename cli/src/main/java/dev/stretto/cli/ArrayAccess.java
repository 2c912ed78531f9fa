package dev.stretto.cli;

import dev.stretto.compiler.reach.AccessKind;
import dev.stretto.compiler.reach.Reach;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * How a kernel accesses an array that it is given.
 *
 * @param parameter the array
 * @param reads whether it reads some of it
 * @param writes whether it writes some of it
 * @param bytes how many bytes a thread accesses at a time, as far as that is known before it runs;
 *     ascending
 */
record ArrayAccess(NamedParameter parameter, boolean reads, boolean writes, List<Long> bytes) {
  private static final String ARRAY = "Ldev/stretto/memory/Global";

  /** Those of all arrays of a kernel, in order. */
  static List<ArrayAccess> of(NamedKernel kernel, Reach reach) {
    List<ArrayAccess> all = new ArrayList<>();
    int argument = 0;
    for (NamedParameter parameter : kernel.parameters()) {
      if (parameter.constant() || parameter.isBlock()) {
        continue; // the launch does not give it
      }
      if (parameter.type().descriptorString().startsWith(ARRAY)) {
        all.add(of(parameter, argument, reach));
      }
      argument++;
    }
    return List.copyOf(all);
  }

  private static ArrayAccess of(NamedParameter parameter, int argument, Reach reach) {
    SortedSet<Long> bytes = new TreeSet<>();
    for (AccessKind kind : AccessKind.values()) {
      bytes.addAll(reach.bytesPerAccess(argument, kind));
    }
    boolean atomic = reach.does(argument, AccessKind.ATOMIC);
    return new ArrayAccess(
        parameter,
        atomic
            || reach.does(argument, AccessKind.READ)
            || reach.does(argument, AccessKind.ATOMIC_READ),
        atomic || reach.does(argument, AccessKind.WRITE),
        List.copyOf(bytes));
  }

  /** One line. */
  @Override
  public String toString() {
    if (!reads && !writes) {
      return parameter + ": not accessed";
    }
    String does = reads && writes ? "reads and writes" : reads ? "reads" : "writes";
    String link = reads && writes ? "read and written" : reads ? "read" : "written";
    String amount =
        bytes.isEmpty()
            ? "an unknown number of bytes"
            : bytes.stream().map(String::valueOf).collect(Collectors.joining(" or ")) + " bytes";
    return "%s: %s %s at a time; a view of host memory is %s over the link"
        .formatted(parameter, does, amount, link);
  }
}
