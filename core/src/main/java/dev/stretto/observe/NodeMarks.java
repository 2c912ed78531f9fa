package dev.stretto.observe;

import dev.stretto.route.TimedMark;
import java.util.List;

/**
 * When a node of a graph runs in one launch.
 *
 * @param kind the kind of its operation
 * @param name the kernel, or what is copied
 * @param index the index of the node among those of the graph, or of the node that contains it
 * @param bytes how many bytes it moves; 0 for kernels
 * @param from the name of the device that sends, for a copy between devices, or empty
 * @param to the name of the device that receives, or empty
 * @param after it begins when all of these are reached
 * @param end reached when it is done
 */
public record NodeMarks(
    WorkKind kind,
    String name,
    int index,
    long bytes,
    String from,
    String to,
    List<TimedMark> after,
    TimedMark end) {
  /** Keeps an immutable copy of the list. */
  public NodeMarks {
    after = List.copyOf(after);
  }

  /** Closes all marks. */
  public void close() {
    after.forEach(TimedMark::close);
    end.close();
  }
}
