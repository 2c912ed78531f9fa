package dev.stretto.collective.mesh;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** The addresses of this machine, and a name that no other machine has. */
final class HostAddresses {
  /** A number that Linux draws at each start. Containers of one machine see the same. */
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

  private HostAddresses() {}

  /** {@return a name of this machine that no other one has} */
  static String machine() {
    try {
      return Files.readString(BOOT).strip();
    } catch (IOException _) { // not Linux
      return String.join(",", all());
    }
  }

  /**
   * {@return the addresses of this machine, the likeliest first, the loopback's last}
   *
   * @param only the address or host name to be used instead, or nothing
   */
  static List<String> of(String only) {
    return only.isEmpty() ? all() : List.of(only);
  }

  private static List<String> all() {
    List<InetAddress> found = new ArrayList<>();
    try {
      for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
        if (each.isUp()) {
          Collections.list(each.getInetAddresses()).stream()
              .filter(address -> !address.isLinkLocalAddress())
              .forEach(found::add);
        }
      }
    } catch (SocketException e) {
      throw new UncheckedIOException("the network interfaces of this machine", e);
    }
    found.sort(
        Comparator.comparing(InetAddress::isLoopbackAddress)
            .thenComparing(address -> !(address instanceof Inet4Address)));
    return found.stream().map(InetAddress::getHostAddress).toList();
  }
}
