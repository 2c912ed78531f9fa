package dev.stretto.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** A diagnosis found something. */
@Name("dev.stretto.Finding")
@Label("Finding")
@Category("Stretto")
@Description(
    "Hidden synchronization that a running diagnosis found, once for each time that it happens")
final class FindingEvent extends Event {
  @Label("Device")
  String device = "";

  @Label("Rule")
  String rule = "";

  @Label("Place")
  String place = "";

  @Label("Reason")
  String reason = "";

  @Label("Advice")
  String advice = "";

  @Label("Count")
  @Description("How often it has happened at this place")
  long count;

  @Label("Blocked")
  @Description("How long threads were in it altogether")
  @Timespan
  long blocked;
}
