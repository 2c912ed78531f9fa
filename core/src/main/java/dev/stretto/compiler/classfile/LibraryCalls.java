package dev.stretto.compiler.classfile;

import dev.stretto.compiler.ir.Builder;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.JavaCall;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Translates calls of methods that stand for instructions, in a kernel for the JVM: the method is
 * called. A view of memory is passed as its parts, from which the called method's array is made
 * again.
 */
final class LibraryCalls {
  private static final String ROOM = "dev/stretto/kernel/";
  private static final Set<String> NOTES =
      Set.of("begins", "beginsInWarp", "isPortable", "requireSlice", "requireAligned");

  /** Instructions in which a thread may wait alone. */
  private static final Pattern WAITS = Pattern.compile("mbarrier(Try|Test)Wait.*");

  private final Site site;
  private final Builder builder;

  LibraryCalls(Site site) {
    this.site = site;
    this.builder = site.builder();
  }

  /** Whether a method that stands for no instruction is called nevertheless. */
  static boolean isCalled(String owner, String name) {
    return (owner.equals(ROOM + "CopyNotes") && NOTES.contains(name))
        || (owner.equals(ROOM + "Debug") && name.equals("print"));
  }

  @Nullable Value call(
      ClassFiles.Method method, boolean pure, boolean convergent, List<Value> all) {
    if (method.type().endsWith(".PtxWarpGroups")) {
      throw new NotForCallsException("registers of a warp group belong to products in flight");
    }
    List<Value> given = method.isStatic() ? all : all.subList(1, all.size());
    List<ClassDesc> types = method.model().methodTypeSymbol().parameterList();
    List<Value> operands = new ArrayList<>();
    List<JavaCall.Argument> arguments = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      arguments.add(argument(types.get(i).descriptorString(), given.get(i), operands));
    }
    ClassDesc returns = method.model().methodTypeSymbol().returnType();
    JavaCall call =
        new JavaCall(
            method.owner().thisClass().asInternalName(),
            method.model().methodName().stringValue(),
            method.model().methodType().stringValue(),
            method.isStatic(),
            List.copyOf(arguments),
            pure && !returns.descriptorString().equals("V"), // a check has no result
            convergent || WAITS.matcher(method.model().methodName().stringValue()).matches());
    boolean predicate = returns.descriptorString().equals("Z");
    Type type = predicate ? Type.BOOL : Site.type(returns);
    Value result = builder.op(OpCode.CALL, type, call, operands.toArray(new Value[0]));
    if (type == Type.VOID) {
      return null;
    }
    return predicate ? builder.op(OpCode.BOOL_TO_INT, Type.INT, result) : result;
  }

  private JavaCall.Argument argument(String descriptor, Value value, List<Value> operands) {
    if (value instanceof Constant constant && constant.type() == Type.REF) {
      return new JavaCall.Known(constant.value());
    }
    if (value.type() != Type.REF) {
      operands.add(descriptor.equals("Z") ? builder.cmp(Cond.NE, value, Constant.of(0)) : value);
      return new JavaCall.Number(operands.size() - 1);
    }
    if (descriptor.startsWith("[")) {
      throw new NotForCallsException("an array of numbers is passed to an instruction");
    }
    String type = descriptor.substring(1, descriptor.length() - 1);
    boolean shared = type.startsWith(ROOM + "Shared");
    if (!shared && !type.startsWith("dev/stretto/memory/Global")) {
      throw new NotForCallsException("a " + type + " is passed to an instruction");
    }
    int at = operands.size();
    operands.add(builder.op(OpCode.VIEW_BASE, shared ? Type.SHARED : Type.GLOBAL, value));
    operands.add(builder.op(OpCode.VIEW_LENGTH, shared ? Type.INT : Type.LONG, value));
    operands.add(builder.op(OpCode.VIEW_ELEMENT, Type.INT, value));
    return new JavaCall.View(at, at + 1, at + 2, type);
  }
}
