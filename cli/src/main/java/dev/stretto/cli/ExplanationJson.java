package dev.stretto.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stretto.compiler.ir.LoweredCopy;
import dev.stretto.compiler.lint.Lint;
import java.util.Optional;

/** An explanation as one JSON object; unknown values are null. */
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
    ArrayNode arrays = root.putArray("arrays");
    for (ArrayAccess array : explanation.arrays()) {
      ObjectNode node = arrays.addObject();
      node.put("name", array.parameter().name());
      node.put("type", array.parameter().type().displayName());
      node.put("reads", array.reads());
      node.put("writes", array.writes());
      ArrayNode bytes = node.putArray("bytesPerAccess");
      array.bytes().forEach(bytes::add);
    }
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
    ArrayNode copies = root.putArray("copies");
    explanation.inspected().kernel().copies().forEach(copy -> put(copies.addObject(), copy));
    ArrayNode lints = root.putArray("lints");
    for (Lint lint : explanation.inspected().lints()) {
      ObjectNode node = lints.addObject();
      node.put("file", lint.line().file());
      node.put("line", lint.line().number());
      node.put("rule", lint.rule().title());
      node.put("message", lint.message());
    }
    return root;
  }

  private static void put(ObjectNode node, LoweredCopy copy) {
    node.put("file", copy.line().file());
    node.put("line", copy.line().number());
    node.put("direction", copy.direction());
    if (copy.bytes().isPresent()) {
      node.put("bytes", copy.bytes().getAsInt());
    } else {
      node.putNull("bytes");
    }
    node.put("alignment", copy.alignment());
    node.put("mechanism", copy.mechanism());
    node.put("completion", copy.completion());
    node.put("reason", copy.reason());
    node.put("rest", copy.rest());
    if (copy.counted().isPresent()) {
      node.put("countedBytes", copy.counted().getAsInt());
    } else {
      node.putNull("countedBytes");
    }
  }

  private static void put(ObjectNode node, String name, Optional<Integer> value) {
    value.ifPresentOrElse(number -> node.put(name, number), () -> node.putNull(name));
  }
}
