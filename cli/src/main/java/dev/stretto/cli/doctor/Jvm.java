package dev.stretto.cli.doctor;

import java.util.Locale;

/**
 * The Java virtual machine.
 *
 * @param feature its version, such as 25
 * @param system the operating system, in lower case
 * @param architecture of the processor, as Java names it: amd64, aarch64
 * @param nativeAccess whether it lets the library call native code without a warning
 * @param maxHeapBytes the most that its heap takes
 */
public record Jvm(
    int feature, String system, String architecture, boolean nativeAccess, long maxHeapBytes) {
  static Jvm thisOne() {
    return new Jvm(
        Runtime.version().feature(),
        System.getProperty("os.name", "").toLowerCase(Locale.ROOT),
        System.getProperty("os.arch", ""),
        Machine.class.getModule().isNativeAccessEnabled(),
        Runtime.getRuntime().maxMemory());
  }
}
