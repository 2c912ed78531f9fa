package dev.stretto.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A copy or a fill. */
@Name("dev.stretto.Copy")
@Label("Copy")
@Category("Stretto")
@Description(
    "A copy or a fill. Its duration is that of the enqueuing; the device's times are fields")
@Enabled(false)
@StackTrace(false)
final class CopyEvent extends Event {
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

  @Label("Kind")
  String kind = "";

  @Label("Route")
  String route = "";

  @Label("Bytes")
  @DataAmount
  long bytes;

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
