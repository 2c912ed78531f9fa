package dev.stretto.timeline;

import dev.stretto.diagnosis.Finding;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * What a diagnosis has found, as a page shows it.
 *
 * @param shown the findings, in their order on the page
 * @param moments tells when a finding happened, in nanoseconds of the first timeline; none if that
 *     is not known
 */
record PageFindings(List<Finding> shown, Function<Finding, List<Long>> moments) {
  PageFindings {
    shown = List.copyOf(shown);
  }

  void write(JsonText json) {
    json.line().name("findings").beginArray();
    for (Finding finding : shown) {
      json.line().beginObject().name("rule").value(finding.rule().name());
      json.name("device").value(finding.device());
      json.name("place").value(finding.place().toString());
      json.name("reason").value(finding.reason()).name("advice").value(finding.advice());
      json.name("count").value(finding.count());
      json.name("blocked").value(TimeUnit.NANOSECONDS.convert(finding.blocked()));
      json.name("times").beginArray();
      moments.apply(finding).forEach(json::value);
      json.endArray().endObject();
    }
    json.endArray();
  }
}
