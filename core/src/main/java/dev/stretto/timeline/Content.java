package dev.stretto.timeline;

import java.util.List;
import java.util.Objects;

/**
 * All that a timeline has recorded.
 *
 * @param spans the operations that are done, and what threads read and wrote for them, in the order
 *     in which they began
 * @param host what threads of the program did meanwhile, in the order in which it began
 * @param arrows which operations wait for which others because of events
 * @param missing how many operations and nodes are missing: {@link Timeline#leftOut()}
 */
public record Content(List<Span> spans, List<HostSpan> host, List<Arrow> arrows, long missing) {
  /** Refuses null, and keeps immutable copies of the lists. */
  public Content {
    Span.requireEach(spans);
    Objects.requireNonNull(host, "host");
    host.forEach(each -> Objects.requireNonNull(each, "an element of host"));
    Objects.requireNonNull(arrows, "arrows");
    arrows.forEach(each -> Objects.requireNonNull(each, "an element of arrows"));
    spans = List.copyOf(spans);
    host = List.copyOf(host);
    arrows = List.copyOf(arrows);
  }
}
