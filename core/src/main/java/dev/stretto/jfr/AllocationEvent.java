package dev.stretto.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

/** Memory was allocated or pinned. */
@Name("dev.stretto.Allocation")
@Label("Allocation")
@Category("Stretto")
@Description("Device memory was allocated, or host memory pinned")
@Threshold("20 ms")
final class AllocationEvent extends Event {
  @Label("Device")
  String device = "";

  @Label("Memory")
  @Description("device, stream-ordered or pinned")
  String memory = "";

  @Label("Bytes")
  @DataAmount
  long bytes;
}
