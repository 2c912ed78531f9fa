package dev.stretto.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stretto.Device;
import dev.stretto.driver.DeviceProperties;
import java.io.PrintStream;
import java.util.List;

/** One JSON object on one line, after the last mode. */
final class JsonReport implements Report {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final PrintStream out;
  private final ObjectNode root = MAPPER.createObjectNode();

  JsonReport(PrintStream out) {
    this.out = out;
  }

  @Override
  public void begin(Device device, String reason, Work work) {
    root.set("device", describe(device.properties(), reason));
    root.put("bytes", work.size());
  }

  private static ObjectNode describe(DeviceProperties properties, String reason) {
    return MAPPER
        .createObjectNode()
        .put("name", properties.name())
        .put("driver", properties.driver())
        .put("reason", reason);
  }

  @Override
  public void mode(ModeResult result) {
    // All modes are written at the end.
  }

  @Override
  public void end(List<ModeResult> results) {
    ArrayNode modes = root.putArray("modes");
    for (ModeResult result : results) {
      ObjectNode mode = modes.addObject();
      mode.put("mode", result.mode().word())
          .put("seconds", result.overlap().seconds())
          .put("gigabytesPerSecond", result.gigabytesPerSecond())
          .put("copySeconds", result.overlap().copySeconds())
          .put("kernelSeconds", result.overlap().kernelSeconds())
          .put("overlap", result.overlap().ratio())
          .put("toDeviceBusy", result.engines().toDevice())
          .put("toHostBusy", result.engines().toHost())
          .put("wallSeconds", result.wallSeconds())
          .put("verified", result.verified());
      addParts(mode, result.parts(), result.alone());
    }
    print(out, root);
  }

  private static void addParts(ObjectNode mode, List<Part> parts, double alone) {
    if (parts.isEmpty()) {
      return;
    }
    ArrayNode all = mode.putArray("parts");
    for (Part part : parts) {
      all.addObject()
          .put("part", part.name())
          .put("by", part.by())
          .put("gigabytesPerSecond", part.bytesPerSecond() / 1e9)
          .put("busy", part.busy());
    }
    mode.put("boundBy", Part.bound(parts).name());
    mode.put("aloneGigabytesPerSecond", alone / 1e9);
  }

  static void print(PrintStream out, ObjectNode node) {
    try {
      out.println(MAPPER.writeValueAsString(node));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a JSON object of numbers and text cannot be written", e);
    }
  }
}
