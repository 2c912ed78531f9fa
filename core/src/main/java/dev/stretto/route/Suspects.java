package dev.stretto.route;

import dev.stretto.route.RecentLaunches.Launched;
import dev.stretto.settings.Settings;
import java.util.ArrayList;
import java.util.List;

/**
 * The kernels that may have lost a device whose driver does not name the culprit: those that were
 * launched and are not known to be done. Created with the driver's lock held.
 */
final class Suspects {
  /** The most launches that are named; more are only counted. */
  private static final int MOST_NAMED = 16;

  private record Suspect(Launched launched, StreamQueue queue) {
    String describe() {
      StackTraceElement place = launched.place();
      return launched.what()
          + (place == null ? "" : ", launched at " + place + ",")
          + " on "
          + queue.title();
    }

    boolean isNamedIn(String report) {
      return report.contains("in kernel " + launched.what() + " (");
    }
  }

  private final List<Suspect> suspects = new ArrayList<>();
  private boolean more;

  /** Collects the launches in flight on the streams of a device. */
  Suspects(Iterable<StreamQueue> queues) {
    for (StreamQueue queue : queues) {
      queue
          .launches
          .after(queue.completion.completed())
          .forEach(each -> suspects.add(new Suspect(each, queue)));
      more |= queue.launches.isMoreThanKept(queue.completion.completed());
    }
  }

  /**
   * {@return what is known about a loss}
   *
   * @param report the report that a kernel has written itself, or empty
   */
  String tell(String report) {
    if (suspects.isEmpty()) {
      return report;
    }
    List<Suspect> named = suspects.stream().filter(each -> each.isNamedIn(report)).toList();
    if (named.size() == 1) {
      StackTraceElement place = named.getFirst().launched().place();
      return report
          + (place == null ? "" : ", launched at " + place)
          + " on "
          + named.getFirst().queue().title()
          + wayOut(named);
    }
    List<Suspect> told = named.isEmpty() ? suspects : named;
    StringBuilder text = new StringBuilder(report.isEmpty() ? "" : report + "; ");
    text.append(told.size() == 1 ? "in flight was " : "in flight were ");
    String separator = "";
    for (Suspect suspect : told.subList(0, Math.min(told.size(), MOST_NAMED))) {
      text.append(separator).append(suspect.describe());
      separator = "; ";
    }
    if (more || told.size() > MOST_NAMED) {
      text.append("; and others");
    }
    return text.append(wayOut(told)).toString();
  }

  private static String wayOut(List<Suspect> told) {
    return told.stream().allMatch(suspect -> suspect.launched().place() == null)
        ? "; with "
            + Settings.LAUNCH_PLACES.option()
            + "=true, or a diagnosis, this message names the line that launched it"
        : "";
  }
}
