package dev.stretto.driver;

import java.util.Locale;
import java.util.OptionalLong;

/**
 * What a launch moves over the link between its device and the host, because arguments of it are
 * views of host memory ({@code device.view}). The bytes are those that the launch may access, which
 * follow from its shape, its numbers and its kernel. They are more than it does access if its
 * indices depend on what is in memory, if several places of the kernel access the same bytes, which
 * then may count once for each, or if nothing is known of the kernel; but never more than all bytes
 * of each view, once read and once written. What threads access repeatedly may be moved repeatedly.
 * CUDA Programming Guide, "Mapped Memory".
 *
 * @param views how many of the arguments are views; 0 for none
 * @param readBytes how many bytes of the host's memory it may read
 * @param writtenBytes how many bytes of the host's memory it may write
 * @param bytesPerSecond how many bytes kernels move over the link per second; 0 if that is unknown
 */
public record LinkTraffic(int views, long readBytes, long writtenBytes, double bytesPerSecond) {
  /** That of what has no views. */
  public static final LinkTraffic NONE = new LinkTraffic(0, 0, 0, 0);

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is negative, or the rate is no number
   */
  public LinkTraffic {
    if (views < 0 || readBytes < 0 || writtenBytes < 0 || !(bytesPerSecond >= 0)) {
      throw new IllegalArgumentException(
          "%d views, %d bytes read, %d bytes written, %s bytes per second: must be 0 or more"
              .formatted(views, readBytes, writtenBytes, bytesPerSecond));
    }
  }

  /** {@return the bytes that it reads and those that it writes, together} */
  public long bytes() {
    return readBytes + writtenBytes;
  }

  /**
   * {@return the least time in nanoseconds that these bytes take over the link, which carries both
   * directions at the same time; empty if its rate is unknown}
   */
  public OptionalLong leastNanos() {
    return bytesPerSecond == 0
        ? OptionalLong.empty()
        : OptionalLong.of(
            (long) Math.ceil(Math.max(readBytes, writtenBytes) / bytesPerSecond * 1e9));
  }

  /** {@return the numbers in words, in one line} */
  @Override
  public String toString() {
    String moved =
        "%d %s of host memory: up to %d bytes read and %d bytes written over the link"
            .formatted(views, views == 1 ? "view" : "views", readBytes, writtenBytes);
    OptionalLong least = leastNanos();
    return least.isEmpty()
        ? moved
        : String.format(
            Locale.ROOT,
            "%s, at least %.1f us at %.1f GB/s",
            moved,
            least.getAsLong() / 1e3,
            bytesPerSecond / 1e9);
  }
}
