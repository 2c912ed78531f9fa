package dev.stretto.contract;

/** The same where each device reaches its two neighbours only. */
class CollectiveOnARingTest extends CollectiveTest {
  @Override
  String topology() {
    return ",ring";
  }
}
