package dev.stretto.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** An explanation as one JSON object; what is not known is null. */
final class ExplanationJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ExplanationJson() {}

  static ObjectNode of(Explanation explanation) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("kernel", explanation.kernel().method());
    root.put("class", explanation.kernel().className());
    root.put("target", explanation.target());
    root.put("checked", explanation.checked());
    Optional<Resources> resources = explanation.resources();
    put(root, "registers", resources.map(Resources::registers));
    root.put(
        "sharedBytes",
        resources.map(it -> (long) it.sharedBytes()).orElse(explanation.text().staticBytes()));
    root.put("dynamicSharedBytes", explanation.text().movedBytes());
    put(root, "stackBytes", resources.map(Resources::stackBytes));
    put(root, "spillStoreBytes", resources.flatMap(Resources::spillStoreBytes));
    put(root, "spillLoadBytes", resources.flatMap(Resources::spillLoadBytes));
    root.put("tool", resources.map(Resources::tool).orElse("none"));
    ArrayNode lines = root.putArray("lines");
    for (PtxLines.Line line : explanation.lines()) {
      ObjectNode node = lines.addObject();
      node.put("file", line.place().file());
      node.put("line", line.place().number());
      explanation
          .sources()
          .line(line.place().file(), line.place().number())
          .ifPresent(source -> node.put("source", source));
      ArrayNode ptx = node.putArray("ptx");
      line.ptx().forEach(ptx::add);
    }
    root.putArray("copies");
    root.putArray("lints");
    return root;
  }

  private static void put(ObjectNode node, String name, Optional<Integer> value) {
    value.ifPresentOrElse(number -> node.put(name, number), () -> node.putNull(name));
  }
}
