package dev.stretto.timeline;

import java.util.List;

/** Writes what a page tells beside the operations: what threads of the program did, and arrows. */
final class PageHost {
  private final PageRows rows;
  private final JsonText json;

  PageHost(PageRows rows, JsonText json) {
    this.rows = rows;
    this.json = json;
  }

  void write(Content content) {
    writeCalls(content.host());
    writeRanges(content.host());
    if (!content.arrows().isEmpty()) {
      json.line().name("arrows").beginArray();
      for (Arrow arrow : content.arrows()) {
        json.beginArray().value(arrow.from()).value(arrow.to()).endArray();
      }
      json.endArray();
    }
    if (content.missing() > 0) {
      json.name("missing").value(content.missing());
    }
  }

  private void writeCalls(List<HostSpan> host) {
    if (host.stream().allMatch(PageHost::isRange)) {
      return;
    }
    json.line().name("host").beginArray();
    for (HostSpan call : host) {
      if (!isRange(call)) {
        json.beginArray().value(word(call.kind())).value(call.name());
        json.value(rows.device(call.device())).value(call.threadName());
        json.value(call.startNanos()).value(call.nanos());
        json.value(call.bytes()).value(call.place()).endArray();
      }
    }
    json.endArray();
  }

  private void writeRanges(List<HostSpan> host) {
    if (host.stream().noneMatch(PageHost::isRange)) {
      return;
    }
    json.line().name("ranges").beginArray();
    for (HostSpan range : host) {
      if (isRange(range)) {
        json.beginArray().value(range.name());
        json.value(range.startNanos()).value(range.endNanos()).endArray();
      }
    }
    json.endArray();
  }

  private static boolean isRange(HostSpan span) {
    return span.kind() == HostSpan.Kind.RANGE;
  }

  /** The page's word for what a thread did. */
  private static String word(HostSpan.Kind kind) {
    return switch (kind) {
      case WAIT -> "host wait";
      case PINNING -> "pinning";
      case UNPINNING -> "unpinning";
      case ALLOCATION -> "allocation";
      case KERNEL_LOADING -> "kernel loading";
      case PEER_ACCESS -> "peer access";
      case RANGE -> "range";
    };
  }
}
