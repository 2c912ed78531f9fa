package dev.stretto.cli;

import dev.stretto.compiler.InspectedKernel;
import dev.stretto.compiler.ptx.PtxText;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What {@code stretto explain} has to say of a kernel.
 *
 * @param kernel the method
 * @param target what it was compiled for, for example sm_90
 * @param checked whether it checks indices, divisors and assertions
 * @param inspected what the compiler has made, and says of it
 * @param measured what it takes; null if nothing here can tell
 * @param sources where the source's own text is found
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

  Optional<Resources> resources() {
    return Optional.ofNullable(measured);
  }
}
