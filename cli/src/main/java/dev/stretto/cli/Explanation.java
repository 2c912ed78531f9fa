package dev.stretto.cli;

import dev.stretto.compiler.InspectedKernel;
import dev.stretto.compiler.bank.BlockShape;
import dev.stretto.compiler.bank.SharedAccess;
import dev.stretto.compiler.ptx.PtxText;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything that {@code stretto explain} reports about a kernel.
 *
 * @param kernel the method
 * @param target what it was compiled for, for example sm_90
 * @param checked whether it checks indices, divisors and assertions
 * @param inspected the compiled kernel with the compiler's findings
 * @param measured its resource usage; null if nothing here can measure it
 * @param given the threads of a block, if the command line says so
 * @param dynamicBytes dynamic shared memory of a block that launches ask for
 * @param sources finds the source text
 */
record Explanation(
    NamedKernel kernel,
    String target,
    boolean checked,
    InspectedKernel inspected,
    @Nullable Resources measured,
    BlockShape given,
    int dynamicBytes,
    SourceFolders sources) {

  PtxText text() {
    return inspected.kernel().ptx();
  }

  List<PtxLines.Line> lines() {
    return PtxLines.of(text(), kernel.file());
  }

  List<ArrayAccess> arrays() {
    return ArrayAccess.of(kernel, inspected.kernel().reach());
  }

  Optional<Resources> resources() {
    return Optional.ofNullable(measured);
  }

  /** How many blocks a multiprocessor holds; nothing if the resource usage is not known. */
  List<Residency> residency() {
    return measured == null
        ? List.of()
        : Residency.of(
            target,
            measured,
            given.threads(),
            inspected.maxThreads(),
            dynamicBytes + Math.toIntExact(text().movedBytes()));
  }

  /** The places that access shared memory in a way that is worth reading. */
  List<SharedAccess> conflicts() {
    return inspected.accesses().stream().filter(it -> it.hasConflict() || !it.isKnown()).toList();
  }
}
