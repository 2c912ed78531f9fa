package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.JavaCall;
import dev.stretto.compiler.ir.NewObject;
import dev.stretto.compiler.ir.NumberRange;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Requirement;
import dev.stretto.compiler.ir.SharedVariable;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import dev.stretto.fault.CopyRule;
import dev.stretto.fault.KernelRefusedException;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/** Refuses kernels with objects or arrays left that could not be taken apart, and says why. */
final class Accepted {
  private static final String BARRIER = "dev/stretto/kernel/Barrier";
  private static final String CONSTANTS = "write a number, a static final or a @Const parameter";

  private Accepted() {}

  static void require(Function function) {
    if (Loop.isIrreducible(function)) {
      throw function
          .entry()
          .end()
          .line()
          .outermost()
          .refuse(
              "a loop has several entries (no Java compiler writes one)",
              "compile the kernel with javac");
    }
    // Operations that name an array's element come first: they say more than what became of the
    // array.
    for (Block block : function.blocks()) {
      block.ops().forEach(op -> element(op, function));
    }
    sharedArrays(function);
    Set<Value> kept = keptArrays(function);
    // Then objects that are merged with others themselves, before objects that are stored in those.
    Set<Value> merged = merged(function);
    for (Block block : function.blocks()) {
      block.ops().stream()
          .filter(op -> merged.contains(op) && Collections.disjoint(op.operands(), kept))
          .forEach(op -> object(op, true));
    }
    for (Block block : function.blocks()) {
      block.ops().stream()
          .filter(op -> !kept.contains(op) && Collections.disjoint(op.operands(), kept))
          .forEach(op -> object(op, false));
    }
  }

  /** The local arrays that a called method keeps, which is for kernels on the JVM only. */
  private static Set<Value> keptArrays(Function function) {
    Set<Value> kept = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Block block : function.blocks()) {
      for (Op op : block.ops()) {
        if (op.code() == OpCode.CALL) {
          op.attribute(JavaCall.class).arguments().stream()
              .filter(JavaCall.Array.class::isInstance)
              .map(argument -> op.operand(((JavaCall.Array) argument).operand()))
              .filter(value -> value instanceof Op array && array.code() == OpCode.NEW_ARRAY)
              .forEach(kept::add);
        }
      }
    }
    return kept;
  }

  /** Each place in the kernel has one array, whichever branches lead there. */
  private static void sharedArrays(Function function) {
    Map<Integer, SharedVariable> known = new HashMap<>();
    for (Block block : function.blocks()) {
      for (Op op : block.ops()) {
        if (op.code() != OpCode.SHARED_BASE) {
          continue;
        }
        SharedVariable array = op.attribute(SharedVariable.class);
        SharedVariable before = known.putIfAbsent(array.number(), array);
        if (before != null && before.length() != array.length()) {
          throw refuse(
              op,
              "a shared array has two lengths, "
                  + before.length()
                  + " and "
                  + array.length()
                  + ": each place in a kernel has one array, even in a loop",
              "make it before the loop, with the greater length");
        }
      }
    }
  }

  private static Set<Value> merged(Function function) {
    Set<Value> merged = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Block block : function.blocks()) {
      block.targets().forEach(target -> merged.addAll(target.arguments()));
    }
    return merged;
  }

  private static KernelRefusedException refuse(Op op, String reason, String advice) {
    return op.line().refuse(reason, advice);
  }

  /** Whether a barrier was stored in a local array. */
  private static boolean holdsBarriers(Value array, Function function) {
    return function.blocks().stream()
        .flatMap(block -> block.ops().stream())
        .filter(op -> op.code() == OpCode.ARRAY_SET && op.operand(0) == array)
        .map(op -> op.operand(2))
        .anyMatch(
            value ->
                value instanceof Op made
                    && made.code() == OpCode.NEW
                    && made.attribute(NewObject.class).name().equals(BARRIER));
  }

  private static void element(Op op, Function function) {
    switch (op.code()) {
      case ARRAY_GET, ARRAY_SET -> {
        if (!(op.operand(1) instanceof Constant index)) {
          if (holdsBarriers(op.operand(0), function)) {
            throw refuse(
                op,
                "the index of an array of barriers is not constant, even with all "
                    + "loops of known length unrolled",
                "keep the barriers in one array of shared memory, SharedLongs words "
                    + "= block.sharedLongs(n), initialize each with "
                    + "PtxBarriers.mbarrierInit(words, i, count), and use "
                    + "block.barrierAt(words, i)");
          }
          throw refuse(
              op,
              "the index of a local array is not constant, even with all loops of "
                  + "known length unrolled; the array would lie in slow memory",
              "loop over a constant range of at most "
                  + (Unroll.MOST_ROUNDS - 1)
                  + " iterations, or use shared memory");
        }
        if (op.operand(0) instanceof Op array
            && array.code() == OpCode.NEW_ARRAY
            && array.operand(0) instanceof Constant length
            && (index.asInt() < 0 || index.asInt() >= length.asInt())) {
          throw refuse(
              op,
              "index " + index.asInt() + " of a local array of length " + length.asInt(),
              "make the array longer, or keep the index within 0 to " + (length.asInt() - 1));
        }
      }
      case NEW_ARRAY -> {
        if (!(op.operand(0) instanceof Constant length)) {
          throw refuse(
              op,
              "the length of a local array is not constant",
              CONSTANTS + ", or use shared memory");
        }
        if (length.asInt() < 0) {
          throw refuse(
              op, "a local array of length " + length.asInt(), "give it a length of 0 or more");
        }
      }
      case KNOWN ->
          throw refuse(op, op.words() + " is @Const, and its argument is not constant", CONSTANTS);
      case REQUIRE -> {
        Requirement requirement = op.attribute(Requirement.class);
        throw op.line()
            .refuse(
                op.operand(0) instanceof Constant ? requirement.reason() : requirement.unknown(),
                requirement.advice());
      }
      case IN_RANGE -> {
        NumberRange range = op.attribute(NumberRange.class);
        if (op.operand(0) instanceof Constant number && !range.has(number.asLong())) {
          CopyRule rule = range.multipleOf() == 1 ? CopyRule.OUT_OF_RANGE : CopyRule.MISALIGNED;
          throw op.line()
              .refuse(
                  rule.title() + ": " + number.asLong() + " is given, but " + range,
                  "pass such a number");
        }
      }
      case ASM -> literals(op);
      default -> {}
    }
  }

  private static void literals(Op op) {
    Asm asm = op.attribute(Asm.class);
    for (Asm.Piece piece : asm.pieces()) {
      if (piece instanceof Asm.Literal literal
          && !(op.operand(literal.index()) instanceof Constant)) {
        throw refuse(
            op,
            "an argument of "
                + asm.name().substring(asm.name().lastIndexOf('/') + 1)
                + " is written into the instruction and is not constant",
            CONSTANTS);
      }
    }
  }

  private static void object(Op op, boolean merged) {
    switch (op.code()) {
      case NEW -> {
        NewObject object = op.attribute(NewObject.class);
        boolean mixed = merged && object.immutable();
        throw refuse(
            op,
            "an object of "
                + name(object)
                + " cannot be kept in registers: "
                + (mixed
                    ? "a variable may refer to objects of different classes depending on a branch"
                    : merged
                        ? "a variable may refer to different objects depending on a branch"
                        : "the object that holds it is not in registers, or it holds itself"),
            mixed
                ? "compute within each branch, with the object that is made there"
                : "use a record, or give each object its own variable");
      }
      case NEW_ARRAY ->
          throw refuse(
              op,
              "a local array cannot be kept in registers: a variable may refer to "
                  + "different arrays depending on a branch",
              "give each array its own variable, and swap elements rather than arrays");
      case GET_FIELD,
          PUT_FIELD,
          ARRAY_GET,
          ARRAY_SET,
          ARRAY_LENGTH,
          VIEW_BASE,
          VIEW_LENGTH,
          VIEW_WIDTH,
          VIEW_ELEMENT -> {
        if (op.operand(0) instanceof Constant) {
          throw refuse(
              op,
              "an object or array is null here: nothing was stored in it",
              "store one there before reading it");
        }
        throw refuse(
            op,
            "a variable may refer to different objects or arrays here",
            "give each object its own variable");
      }
      default -> {
        if (op.code() != OpCode.VIEW) {
          for (Value value : op.operands()) {
            if (value.type() == Type.REF && !(value instanceof Constant)) {
              throw refuse(
                  op,
                  "an object is used as a whole"
                      + (value instanceof BlockParam ? " after a branch" : ""),
                  "use its parts");
            }
          }
        }
      }
    }
  }

  private static String name(NewObject object) {
    String internal = object.name();
    return internal.substring(internal.lastIndexOf('/') + 1).replace('$', '.');
  }
}
