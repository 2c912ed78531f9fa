package dev.stretto.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A launch of a kernel or of a graph. */
@Name("dev.stretto.Launch")
@Label("Launch")
@Category("Stretto")
@Description(
    "A launch of a kernel or of a graph. Its duration is that of the enqueuing; the device's times"
        + " are fields")
@Enabled(false)
@StackTrace(false)
final class LaunchEvent extends Event {
  @Label("Device")
  String device = "";

  @Label("Stream")
  @Description("The driver's handle")
  long stream;

  @Label("Stream Name")
  @Description("What the program calls the stream")
  String streamName = "";

  @Label("Sequence")
  @Description(
      "The operation's number in its stream; a wait for it, or for a later one, has this number or"
          + " a larger one")
  long sequence;

  @Label("Kernel")
  @Description("The kernel's name, or the number of nodes of the graph")
  String kernel = "";

  @Label("Shape")
  @Description("The grid, its blocks, the registers of a thread, the shared memory of a block")
  String shape = "";

  @Label("Place")
  @Description("The call in the program")
  String place = "";

  @Label("Enqueuing Thread")
  Thread enqueuedBy = Thread.currentThread();

  @Label("Device Start")
  @Description("Nanoseconds on the device's clock since its first recorded operation, or -1")
  long deviceStart = -1;

  @Label("Device End")
  @Description("Nanoseconds on the device's clock since its first recorded operation, or -1")
  long deviceEnd = -1;
}
