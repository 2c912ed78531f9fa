package dev.stretto.contract;

/** The same where no device reaches another. */
class CollectiveThroughTheHostTest extends CollectiveTest {
  @Override
  String topology() {
    return ",no-peer";
  }
}
