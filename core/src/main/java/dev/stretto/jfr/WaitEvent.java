package dev.stretto.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

/** A thread awaited a point of a stream. */
@Name("dev.stretto.Wait")
@Label("Wait")
@Category("Stretto")
@Description("A thread awaited an operation, an event, a stream or a device")
@Threshold("20 ms")
final class WaitEvent extends Event {
  @Label("Place")
  @Description("The call in the program, above which the stack trace has frames of Stretto")
  String place = "";

  @Label("Device")
  String device = "";

  @Label("Stream")
  @Description("The driver's handle")
  long stream;

  @Label("Stream Name")
  @Description("What the program calls the stream")
  String streamName = "";

  @Label("Sequence")
  @Description("The number of the last operation that was awaited")
  long sequence;

  @Label("Done")
  @Description("Whether the operation was done when the wait ended")
  boolean done;
}
