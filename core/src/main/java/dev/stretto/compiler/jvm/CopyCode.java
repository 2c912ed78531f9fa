package dev.stretto.compiler.jvm;

import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.JavaCall;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes the short way of asynchronous copies, which blocks take that nobody watches. The method
 * that stands for the instruction is called where that does not do.
 */
final class CopyCode {
  private static final ClassDesc I = ConstantDescs.CD_int;
  private static final ClassDesc J = ConstantDescs.CD_long;
  private static final ClassDesc Z = ConstantDescs.CD_boolean;
  private static final MethodTypeDesc COPIES = MethodTypeDesc.of(Z, I, I, I, I, J, J, I, J, I);

  /** The lowest bits of an address that a promise is about. */
  private static final int PLACE = 127;

  /** A plain copy of some bytes, without a number of bytes that are read or a cache policy. */
  private static final Pattern PLAIN = Pattern.compile("cpAsyncC[ag](4|8|16)");

  private CopyCode() {}

  /** Whether a call asks for the lowest bits of an address. */
  static boolean isPlace(JavaCall call) {
    return "placeOf".equals(call.of("CopyPromises"));
  }

  static void place(JavaCall call, Op op, MemoryCode.Place place) {
    JavaCall.View view = (JavaCall.View) call.arguments().get(0);
    CodeBuilder code = place.code();
    place.push(op.operand(view.base()));
    index(call, op, place);
    if (op.operand(view.base()).type() == Type.GLOBAL) {
      code.ladd().l2i();
    } else {
      code.iadd();
    }
    code.loadConstant(PLACE).iand();
  }

  private static void index(JavaCall call, Op op, MemoryCode.Place place) {
    place.push(op.operand(((JavaCall.Scalar) call.arguments().get(1)).operand()));
  }

  /** Whether a note is only for who watches. */
  static boolean isForWatchers(String note) {
    return note.startsWith("begins")
        || note.equals("readsPart")
        || note.equals("arrivesWhenCopied");
  }

  /** Writes what an unwatched block does instead of a call, and jumps behind the call then. */
  static void unwatched(JavaCall call, Op op, MemoryCode.Place place, Label end) {
    CodeBuilder code = place.code();
    String note = call.of("CopyNotes");
    if (note != null && isForWatchers(note)) {
      place.pushBlock();
      code.invokevirtual(Names.BLOCK, "isWatched", MethodTypeDesc.of(Z)).ifeq(end);
    }
    if (place.hasShortCopies()) {
      stores(call, note, place, end);
    }
    String method = call.of("PtxCopies");
    if ("commitLoads".equals(call.of("StoreGroups"))) {
      method = "cpAsyncCommitGroup";
    }
    if (method == null && call.method().startsWith("cpAsyncMbarrierArrive")) {
      method = call.of("PtxBarriers");
    }
    if (method == null || !place.hasShortCopies()) {
      return;
    }
    Matcher plain = PLAIN.matcher(method);
    switch (method) {
      case "cpAsyncCommitGroup" -> {
        place.pushBlock();
        code.invokevirtual(Names.BLOCK, "commits", MethodTypeDesc.of(Z)).ifne(end);
      }
      case "cpAsyncWaitAll" -> {
        place.pushBlock();
        code.invokevirtual(Names.BLOCK, "waitsForAll", MethodTypeDesc.of(Z)).ifne(end);
      }
      case "cpAsyncWaitGroup" -> {
        place.pushBlock();
        place.push(op.operand(0));
        code.invokevirtual(Names.BLOCK, "waits", MethodTypeDesc.of(Z, I)).ifne(end);
      }
      case "cpAsyncMbarrierArrive", "cpAsyncMbarrierArriveNoinc" ->
          arrivalOfCopies(method, call, op, place, end);
      default -> {
        if (plain.matches() && call.arguments().size() == 4) {
          copy(call, op, place, Integer.parseInt(plain.group(1)), end);
        } else if (method.startsWith("cpAsync")) {
          place.pushBlock();
          code.invokevirtual(
              Names.BLOCK, "copiesOtherwise", MethodTypeDesc.of(ConstantDescs.CD_void));
        }
      }
    }
  }

  /** Writes that there may be copies to global memory, or looks whether there are any. */
  private static void stores(
      JavaCall call, @Nullable String note, MemoryCode.Place place, Label end) {
    CodeBuilder code = place.code();
    String method = call.of("StoreGroups");
    MethodTypeDesc notes = MethodTypeDesc.of(ConstantDescs.CD_void);
    if (call.of("CopyChunks") != null) {
      place.pushBlock();
      code.invokevirtual(Names.BLOCK, "copiesPlainly", notes);
    } else if ("store".equals(method)) {
      place.pushBlock();
      code.invokevirtual(Names.BLOCK, "stores", notes);
    } else if ("commitStores".equals(method)
        || "awaitStores".equals(method)
        || "commitsStores".equals(note)
        || "awaitsStores".equals(note)) {
      place.pushBlock();
      code.invokevirtual(Names.BLOCK, "hasStores", MethodTypeDesc.of(Z)).ifeq(end);
    }
  }

  /**
   * Lets a thread arrive at a barrier object without objects of its own, if that is what the call
   * is; jumps behind it then, unless something speaks against the arrival.
   */
  static void arrival(JavaCall call, Op op, MemoryCode.Place place, Label end) {
    if (!"mbarrierArrive".equals(call.of("PtxBarriers")) || call.arguments().size() != 2) {
      return;
    }
    barrier(call, op, place);
    CodeBuilder code = place.code();
    code.loadConstant(place.site(op));
    code.invokevirtual(Names.BLOCK, "arrives", MethodTypeDesc.of(J, I, I, I, I));
    code.dup2().loadConstant(-1L).lcmp().ifne(end).pop2();
  }

  /** Pushes the block, where an array of barriers is, its length, and the index. */
  private static void barrier(JavaCall call, Op op, MemoryCode.Place place) {
    JavaCall.View barriers = (JavaCall.View) call.arguments().get(0);
    place.pushBlock();
    place.push(op.operand(barriers.base()));
    place.push(op.operand(barriers.length()));
    index(call, op, place);
  }

  private static void arrivalOfCopies(
      String method, JavaCall call, Op op, MemoryCode.Place place, Label end) {
    barrier(call, op, place);
    CodeBuilder code = place.code();
    code.loadConstant(method.endsWith("Noinc") ? 0 : 1);
    code.invokevirtual(Names.BLOCK, "arrivesWhenCopied", MethodTypeDesc.of(Z, I, I, I, Z))
        .ifne(end);
  }

  private static void copy(JavaCall call, Op op, MemoryCode.Place place, int bytes, Label end) {
    CodeBuilder code = place.code();
    place.pushBlock();
    for (int i = 0; i < 4; i += 2) {
      JavaCall.View view = (JavaCall.View) call.arguments().get(i);
      place.push(op.operand(view.base()));
      place.push(op.operand(view.length()));
      code.loadConstant(width(op.operand(view.element())));
      place.push(op.operand(((JavaCall.Scalar) call.arguments().get(i + 1)).operand()));
    }
    code.loadConstant(bytes).invokevirtual(Names.BLOCK, "copies", COPIES).ifne(end);
  }

  private static int width(Value element) {
    return Element.values()[((Constant) element).asInt()].bytes();
  }
}
