package dev.stretto.cli;

import java.util.ArrayList;
import java.util.List;

/** Finds tests that some devices cannot run, and says why. */
final class BandwidthLimits {
  /**
   * A test that is left out.
   *
   * @param test its name
   * @param reason a clause
   */
  record LeftOut(String test, String reason) {}

  private BandwidthLimits() {}

  /** Why a test cannot run, or an empty text if it can. */
  static String reason(BandwidthTest test, OpenDevices opened) {
    if (test.needsPeers() && opened.devices().size() < 2) {
      return "it takes two devices and there is only " + opened.names().getFirst();
    }
    if (test.isLatency() && opened.hasVirtual()) {
      return "virtual devices do not model the latency of a single access";
    }
    if (test.isByKernel() && test.needsPeers() && opened.hasVirtual()) {
      return "virtual devices do not model the link between devices for kernels";
    }
    return "";
  }

  /** All tests that cannot run. */
  static List<LeftOut> leftOut(OpenDevices opened) {
    List<LeftOut> leftOut = new ArrayList<>();
    for (BandwidthTest test : BandwidthTest.values()) {
      String reason = reason(test, opened);
      if (!reason.isEmpty()) {
        leftOut.add(new LeftOut(test.word(), reason));
      }
    }
    return leftOut;
  }
}
