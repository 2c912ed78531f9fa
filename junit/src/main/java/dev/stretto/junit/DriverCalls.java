package dev.stretto.junit;

import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The driver calls of one run that a program has caused and that may fail. Writes them down, and
 * makes one of them fail. Calls of Stretto's own threads are not counted, so the numbers are the
 * same on every run of a seed.
 */
final class DriverCalls {
  /** CUDA_ERROR_UNKNOWN, or the code that CUDA has for a lack of memory. */
  private static final int UNKNOWN = 999;

  private static final int NO_MEMORY = 2;

  /** How often calls of one kind at one line fail, in the order of the calls; the last one too. */
  private static final int FIRST_OF_A_LINE = 2;

  private static final Map<String, Kind> NO_MEMORY_KINDS =
      Map.of(
          "allocate", Kind.OUT_OF_MEMORY,
          "allocateShared", Kind.OUT_OF_MEMORY,
          "allocateUnpooled", Kind.OUT_OF_MEMORY,
          "allocateAsync", Kind.OUT_OF_MEMORY,
          "allocatePinned", Kind.OUT_OF_HOST_MEMORY,
          "allocateWriteCombined", Kind.OUT_OF_HOST_MEMORY,
          "registerHost", Kind.OUT_OF_HOST_MEMORY,
          "registerReadOnly", Kind.OUT_OF_HOST_MEMORY,
          "registerShared", Kind.OUT_OF_HOST_MEMORY);

  /** What a driver may refuse of what a program asks for. */
  static final Set<String> FALLIBLE =
      Set.of(
          "allocate",
          "allocateAsync",
          "allocateShared",
          "allocateUnpooled",
          "allocatePinned",
          "allocateWriteCombined",
          "registerHost",
          "registerReadOnly",
          "registerShared",
          "createPool",
          "createProcessEvent",
          "createSharedPool",
          "createStream",
          "createBlockingStream",
          "createEvent",
          "exportMemory",
          "exportEvent",
          "exportPool",
          "exportPooled",
          "openEvent",
          "openMemory",
          "openPool",
          "openPooled",
          "recordEvent",
          "waitEvent",
          "copy",
          "copyPageable",
          "copy2D",
          "copy3D",
          "copyAll",
          "copyPeer",
          "copyPeer3D",
          "fill",
          "fill2D",
          "writeValue",
          "waitValue",
          "loadModule",
          "function",
          "launch",
          "createGraph",
          "capture",
          "updateGraph",
          "uploadGraph",
          "launchGraph",
          "enablePeerAccess",
          "encode");

  private final int failing;
  private final List<DriverCall> seen = new ArrayList<>();
  private boolean counting;
  private @Nullable DriverException thrown;

  /**
   * The calls of a run.
   *
   * @param failing the number of the call that fails, or 0 for none
   */
  DriverCalls(int failing) {
    this.failing = failing;
  }

  /** Counts from now on, or no longer. */
  synchronized void counting(boolean now) {
    counting = now;
  }

  /** Forgets what was counted: the run has failed by itself. */
  synchronized void forget() {
    seen.clear();
  }

  /** Is told of a call before it is made. */
  synchronized void before(String name) {
    if (!counting || !FALLIBLE.contains(name)) {
      return;
    }
    Optional<String> place = ProgramLine.ofThisThread();
    if (place.isEmpty()) {
      return;
    }
    DriverCall call = new DriverCall(seen.size() + 1, name, place.get());
    seen.add(call);
    if (call.number() == failing) {
      Kind kind = NO_MEMORY_KINDS.getOrDefault(name, Kind.OTHER);
      int code = kind == Kind.OTHER ? UNKNOWN : NO_MEMORY;
      thrown = new DriverException(kind, code, "made to fail by the test: " + call);
      throw thrown;
    }
  }

  /** {@return the failure, if there was one} */
  synchronized Optional<DriverException> thrown() {
    return Optional.ofNullable(thrown);
  }

  synchronized int count() {
    return seen.size();
  }

  /** {@return the call that failed or is to fail, in words} */
  synchronized String failing() {
    return failing <= seen.size() ? seen.get(failing - 1).toString() : "driver call " + failing;
  }

  /** {@return the calls that are to fail once each} */
  synchronized List<DriverCall> toFail() {
    Map<String, List<DriverCall>> lines = new LinkedHashMap<>();
    for (DriverCall call : seen) {
      lines.computeIfAbsent(call.toString(), _ -> new ArrayList<>()).add(call);
    }
    return seen.stream()
        .filter(
            call -> {
              List<DriverCall> same = lines.getOrDefault(call.toString(), List.of());
              return same.indexOf(call) < FIRST_OF_A_LINE || call.equals(same.getLast());
            })
        .toList();
  }
}
