package dev.stretto.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stretto.Device;
import java.util.List;

/** One JSON object on one line, after the last test. */
final class BandwidthJson implements BandwidthReport {
  private final Console console;
  private final ObjectNode root = new ObjectMapper().createObjectNode();
  private final ArrayNode devices = root.putArray("devices");
  private final ArrayNode tests;

  BandwidthJson(Console console) {
    this.console = console;
    this.tests = new ObjectMapper().createArrayNode();
  }

  @Override
  public void begin(OpenDevices opened, long bytes) {
    for (Device device : opened.devices()) {
      devices
          .addObject()
          .put("device", device.name())
          .put("name", device.properties().name())
          .put("driver", device.properties().driver());
    }
    root.put("reason", opened.reason());
    root.set("tests", tests);
  }

  @Override
  public void matrix(BandwidthMatrix matrix) {
    ObjectNode test = tests.addObject();
    test.put("name", matrix.name()).put("unit", matrix.unit()).put("meaning", matrix.meaning());
    matrix.rows().forEach(test.putArray("rows")::add);
    matrix.columns().forEach(test.putArray("columns")::add);
    ArrayNode numbers = test.putArray("matrix");
    ArrayNode routes = test.putArray("routes");
    for (List<BandwidthMatrix.Value> row : matrix.values()) {
      ArrayNode numberRow = numbers.addArray();
      ArrayNode routeRow = routes.addArray();
      for (BandwidthMatrix.Value value : row) {
        if (value.isMeasured()) {
          numberRow.add(value.number());
        } else {
          numberRow.addNull();
        }
        if (value.route().isEmpty()) {
          routeRow.addNull();
        } else {
          routeRow.add(value.route());
        }
      }
    }
    test.put("median_of", BandwidthMatrix.SAMPLES)
        .put("bytes", matrix.bytes())
        .put("verified", true); // otherwise the command would have failed
  }

  @Override
  public void end(List<BandwidthLimits.LeftOut> leftOut) {
    ArrayNode array = root.putArray("left_out");
    leftOut.forEach(
        each -> array.addObject().put("name", each.test()).put("reason", each.reason()));
    JsonReport.print(console.out(), root);
  }
}
