package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Field;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes objects and local arrays apart into their fields and elements, which become values. Objects
 * that are stored in other objects, or indexed by values that are not constant, wait for a later
 * run.
 */
public final class ScalarReplacement implements Pass {
  @Override
  public String name() {
    return "scalars";
  }

  @Override
  public boolean run(Function function) {
    Set<Value> whole = whole(function);
    if (whole.isEmpty()) {
      return false;
    }
    new Replacement(function, whole).run();
    return true;
  }

  /** The objects and arrays all of whose uses name one part. */
  private static Set<Value> whole(Function function) {
    Set<Value> found = Collections.newSetFromMap(new IdentityHashMap<>());
    List<Block> blocks = function.blocks();
    for (Block block : blocks) {
      for (Op op : block.ops()) {
        if (op.code() == OpCode.NEW
            || (op.code() == OpCode.NEW_ARRAY && op.operand(0) instanceof Constant)) {
          found.add(op);
        }
      }
    }
    for (Block block : blocks) {
      for (Op op : block.ops()) {
        boolean names = namesPart(op);
        List<Value> uses = op.uses();
        for (int i = 0; i < uses.size(); i++) {
          if (!names || i > 0) {
            found.remove(uses.get(i));
          }
        }
      }
    }
    return found;
  }

  private static boolean namesPart(Op op) {
    return switch (op.code()) {
      case GET_FIELD, PUT_FIELD, ARRAY_LENGTH -> true;
      case ARRAY_GET, ARRAY_SET -> op.operand(1) instanceof Constant && inRange(op);
      default -> false;
    };
  }

  private static boolean inRange(Op op) {
    if (op.operand(0) instanceof Op array
        && array.code() == OpCode.NEW_ARRAY
        && array.operand(0) instanceof Constant length) {
      int index = ((Constant) op.operand(1)).asInt();
      return index >= 0 && index < length.asInt();
    }
    return false;
  }

  /** A part of an object: a field, or the index of an element. */
  private record Part(Object name, Type type) {}

  private static final class Replacement {
    private final Function function;
    private final Set<Value> whole;
    private final Table<Block, List<Edge>> predecessors;
    private final Table<Value, Map<Part, Variable>> variables = new Table<>();
    private final Replacements now = new Replacements();

    Replacement(Function function, Set<Value> whole) {
      this.function = function;
      this.whole = whole;
      this.predecessors = function.predecessors();
    }

    void run() {
      List<Block> blocks = function.blocks();
      blocks.forEach(this::name);
      blocks.forEach(this::define);
      blocks.forEach(this::read);
      for (Block block : blocks) {
        block.ops().removeIf(this::isGone);
      }
      now.apply(function);
    }

    private boolean isGone(Op op) {
      if (op.code() == OpCode.NEW || op.code() == OpCode.NEW_ARRAY) {
        return whole.contains(op);
      }
      return part(op) != null
          || (op.code() == OpCode.ARRAY_LENGTH && whole.contains(op.operand(0)));
    }

    /** The part of such an object that an operation reads or writes. */
    private @Nullable Part part(Op op) {
      if (op.size() == 0 || !whole.contains(op.operand(0))) {
        return null;
      }
      return switch (op.code()) {
        case GET_FIELD, PUT_FIELD -> {
          Field field = op.attribute(Field.class);
          yield new Part(field.name() + " of " + field.owner(), field.type());
        }
        case ARRAY_GET, ARRAY_SET ->
            new Part(
                ((Constant) op.operand(1)).asInt(),
                op.attribute() instanceof Element element ? element.type() : Type.REF);
        default -> null;
      };
    }

    private void name(Block block) {
      for (Op op : block.ops()) {
        Part part = part(op);
        if (part != null) {
          variables
              .make(op.operand(0), _ -> new LinkedHashMap<>())
              .computeIfAbsent(
                  part, _ -> new Variable(predecessors, part.type(), otherwise(part.type())));
        }
      }
    }

    private static Value otherwise(Type type) {
      return type == Type.REF ? Constant.ofObject("null") : Constant.zero(type);
    }

    private static @Nullable Value written(Op op) {
      return switch (op.code()) {
        case PUT_FIELD -> op.operand(1);
        case ARRAY_SET -> op.operand(2);
        default -> null;
      };
    }

    private Map<Part, Variable> partsOf(Op whole) {
      Map<Part, Variable> parts = variables.find(whole);
      return parts == null ? Map.of() : parts;
    }

    private Variable variable(Op op, Part part) {
      return Objects.requireNonNull(variables.get(op.operand(0)).get(part));
    }

    private void define(Block block) {
      for (Op op : block.ops()) {
        if (whole.contains(op)) {
          partsOf(op).forEach((part, variable) -> variable.define(block, otherwise(part.type())));
        }
        Part part = part(op);
        Value written = written(op);
        if (part != null && written != null) {
          variable(op, part).define(block, written);
        }
      }
    }

    private void read(Block block) {
      Map<Variable, Value> current = new HashMap<>();
      for (Op op : block.ops()) {
        if (whole.contains(op)) {
          partsOf(op).forEach((part, variable) -> current.put(variable, otherwise(part.type())));
        }
        Part part = part(op);
        if (part == null) {
          if (op.code() == OpCode.ARRAY_LENGTH && whole.contains(op.operand(0))) {
            now.put(op, ((Op) op.operand(0)).operand(0));
          }
          continue;
        }
        Variable variable = variable(op, part);
        Value written = written(op);
        if (written != null) {
          current.put(variable, written);
        } else {
          now.put(op, current.computeIfAbsent(variable, it -> it.atEntry(block)));
        }
      }
    }
  }
}
