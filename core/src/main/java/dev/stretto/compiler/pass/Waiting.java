package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.JavaCall;
import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Finds the loops in which threads only wait for what others do. Such a loop ends when a value
 * changes that it asks for, and not for anything that the thread does itself: it counts no rounds,
 * comes to no other element and has no limit of time. A loop that searches, and asks in each round
 * whether another thread has found something, ends by itself.
 */
public final class Waiting {
  private final Loop loop;
  private final Set<Block> body = Collections.newSetFromMap(new IdentityHashMap<>());
  private final IdentityHashMap<Value, List<Value>> incoming = new IdentityHashMap<>();

  private Waiting(Loop loop, Table<Block, List<Edge>> predecessors) {
    this.loop = loop;
    body.addAll(loop.body());
    for (Block block : loop.body()) {
      List<BlockParam> params = block.params();
      for (int i = 0; i < params.size(); i++) {
        List<Value> arguments = new ArrayList<>();
        for (Edge edge : predecessors.get(block)) {
          if (body.contains(edge.from())) {
            arguments.add(edge.target().arguments().get(i));
          }
        }
        incoming.put(params.get(i), arguments);
      }
    }
  }

  /** {@return the places in such loops where threads ask} */
  public static List<Line> in(Function function) {
    List<Line> lines = new ArrayList<>();
    Set<Op> asking = Asking.in(function);
    if (asking.isEmpty()) {
      return lines;
    }
    Table<Block, List<Edge>> predecessors = function.predecessors();
    Set<Op> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Loop loop : Loop.of(function)) { // inner ones first
      boolean waits = new Waiting(loop, predecessors).endsByOthersOnly();
      for (Block block : loop.body()) {
        for (Op op : block.ops()) {
          if (asking.contains(op) && seen.add(op) && waits) {
            lines.add(op.line());
          }
        }
      }
    }
    return lines;
  }

  private boolean endsByOthersOnly() {
    Set<Value> decides = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Block block : loop.body()) {
      if (block.targets().stream().anyMatch(target -> !body.contains(target.block()))) {
        block.end().operands().forEach(value -> collect(value, decides));
      }
    }
    return decides.stream().noneMatch(this::changesByItself);
  }

  /** Adds a value and all that it depends on, within the loop. */
  private void collect(Value value, Set<Value> all) {
    List<Value> open = new ArrayList<>(List.of(value));
    while (!open.isEmpty()) {
      Value next = open.removeLast();
      if (all.add(next)) {
        open.addAll(next instanceof Op op ? op.operands() : incoming.getOrDefault(next, List.of()));
      }
    }
  }

  private boolean changesByItself(Value value) {
    if (value instanceof Op op) {
      return switch (op.code()) {
        case GET_FIELD, ARRAY_GET -> true; // what the thread keeps there is not followed
        case CALL -> isTime(op.attribute(JavaCall.class).method());
        default -> false;
      };
    }
    return loop.header().params().contains(value) && dependsOnItself(value);
  }

  private static boolean isTime(String method) {
    return method.equals("clock") || method.equals("globalTimer");
  }

  private boolean dependsOnItself(Value param) {
    Set<Value> before = Collections.newSetFromMap(new IdentityHashMap<>());
    incoming.getOrDefault(param, List.of()).stream()
        .filter(value -> value != param) // it stays as it is
        .forEach(value -> collect(value, before));
    return before.contains(param);
  }
}
