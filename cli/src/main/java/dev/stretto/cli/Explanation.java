package dev.stretto.cli;

import dev.stretto.compiler.InspectedKernel;
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
 * @param sources finds the source text
 */
record Explanation(
    NamedKernel kernel,
    String target,
    boolean checked,
    InspectedKernel inspected,
    @Nullable Resources measured,
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
}
