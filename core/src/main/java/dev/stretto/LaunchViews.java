package dev.stretto;

import dev.stretto.driver.LinkTraffic;
import dev.stretto.kernel.ArgumentAccess;
import dev.stretto.kernel.ArgumentBytes;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.route.PackedLaunch;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a launch moves over the link, because arguments of it are views of host memory.
 *
 * @param kernel the kernel
 * @param packed the launch, with its arguments
 * @param views those of the arguments that are views
 * @param bytesPerSecond the rate of the link; 0 if unknown
 */
record LaunchViews(
    DeviceKernel kernel, PackedLaunch packed, List<View> views, double bytesPerSecond) {
  /**
   * An argument that is a view.
   *
   * @param argument its number, not counting the thread block
   * @param bytes the size of the array
   */
  record View(int argument, long bytes) {}

  LinkTraffic traffic() {
    if (views.isEmpty()) {
      return LinkTraffic.NONE;
    }
    List<ArgumentBytes> reached = kernel.reach().at(packed.shape(), packed.values());
    long read = 0;
    long written = 0;
    for (View view : views) {
      read += read(view, reached);
      written += written(view, reached);
    }
    return new LinkTraffic(views.size(), read, written, bytesPerSecond);
  }

  /** Atomic operations that write also bring what was there. */
  private static long read(View view, List<ArgumentBytes> reached) {
    return bytes(view, reached.stream().filter(it -> !it.isWritten() || it.isAtomic()).toList());
  }

  private static long written(View view, List<ArgumentBytes> reached) {
    return bytes(view, reached.stream().filter(ArgumentBytes::isWritten).toList());
  }

  /** Parts may overlap, so together they are not counted as more than the array. */
  private static long bytes(View view, List<ArgumentBytes> reached) {
    double all = 0; // parts of a tensor map have no known end
    for (ArgumentBytes part : reached) {
      if (part.argument() == view.argument) {
        all += (double) part.width() * part.rows() * part.planes();
      }
    }
    return all < view.bytes ? (long) all : view.bytes;
  }

  /** {@return the numbers in words} */
  String explanation() {
    String launch =
        "%s, %d blocks of %d threads"
            .formatted(
                kernel,
                (long) packed.shape().gridX() * packed.shape().gridY() * packed.shape().gridZ(),
                packed.shape().blockX() * packed.shape().blockY() * packed.shape().blockZ());
    if (views.isEmpty()) {
      return launch + ": no argument is a view of host memory%n".formatted();
    }
    List<ArgumentBytes> reached = kernel.reach().at(packed.shape(), packed.values());
    List<ArgumentAccess> accesses = kernel.reach().accesses(packed.shape(), packed.values());
    StringBuilder text = new StringBuilder("%s: %s%n".formatted(launch, traffic()));
    for (View view : views) {
      text.append(
          "  argument %d, a view of %d bytes: up to %d bytes read, %d bytes written%n"
              .formatted(view.argument, view.bytes, read(view, reached), written(view, reached)));
      for (ArgumentAccess access : accesses) {
        if (access.argument() == view.argument) {
          text.append("    %s%n".formatted(sentence(access)));
        }
      }
      if (kernel.reach().isAssumed()) {
        text.append(
            "    nothing is known of the kernel, so all bytes count as read and written%n"
                .formatted());
      }
    }
    return text.toString();
  }

  private static String sentence(ArgumentAccess access) {
    OptionalLong bytes = access.bytes();
    String what =
        "%s %s at a time; "
            .formatted(
                access.isWritten() ? "writes" : "reads",
                bytes.isPresent() ? bytes.getAsLong() + " bytes" : "an unknown number of bytes");
    if (access.distance().isEmpty()) {
      return what + "how far apart neighbouring threads are is not known before it runs";
    }
    long distance = Math.abs(access.distance().getAsLong());
    if (distance == 0) {
      return what + "neighbouring threads access the same bytes";
    }
    return what
        + (access.isCoalesced()
            ? "neighbouring threads access neighbouring elements, as the link needs it"
            : "neighbouring threads are %d bytes apart, and every request moves 32 bytes or more"
                .formatted(distance));
  }
}
