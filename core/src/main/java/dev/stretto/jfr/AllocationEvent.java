package dev.stretto.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Memory was allocated or pinned. */
@Name("dev.stretto.Allocation")
@Label("Allocation")
@Category("Stretto")
@Description("Device memory was allocated, or host memory pinned")
@Enabled(false)
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
