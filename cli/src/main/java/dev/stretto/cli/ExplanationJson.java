package dev.stretto.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stretto.compiler.bank.SharedAccess;
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
    ArrayNode occupancy = root.putArray("occupancy");
    explanation.residency().forEach(blocks -> put(occupancy.addObject(), blocks));
    ArrayNode accesses = root.putArray("sharedAccesses");
    explanation.inspected().accesses().forEach(access -> put(accesses.addObject(), access));
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

  private static void put(ObjectNode node, Residency blocks) {
    node.put("threadsPerBlock", blocks.threads());
    node.put("dynamicSharedBytes", blocks.dynamicBytes());
    node.put("blocks", blocks.resident().blocks());
    node.put("warps", blocks.resident().warps());
    node.put("mostWarps", blocks.resident().mostWarps());
    node.put("percent", blocks.resident().percent());
    ArrayNode limits = node.putArray("limitedBy");
    blocks.resident().limits().forEach(limits::add);
  }

  private static void put(ObjectNode node, SharedAccess access) {
    node.put("file", access.line().file());
    node.put("line", access.line().number());
    node.put("kind", access.kind());
    node.put("bytesPerLane", access.bytes());
    node.put("lanes", access.lanes());
    put(node, "passesNeeded", known(access, access.needed()));
    put(node, "leastPasses", known(access, access.least()));
    put(node, "mostPasses", known(access, access.most()));
    put(node, "ways", known(access, access.ways()));
    if (access.distance().isPresent()) {
      node.put("bytesApart", access.distance().getAsLong());
    } else {
      node.putNull("bytesApart");
    }
    ArrayNode dependsOn = node.putArray("dependsOn");
    access.unknowns().forEach(unknown -> dependsOn.add(unknown.toString()));
    node.put("message", access.title() + ": " + access.message());
  }

  private static Optional<Integer> known(SharedAccess access, int number) {
    return access.isKnown() ? Optional.of(number) : Optional.empty();
  }

  private static void put(ObjectNode node, String name, Optional<Integer> value) {
    value.ifPresentOrElse(number -> node.put(name, number), () -> node.putNull(name));
  }
}
