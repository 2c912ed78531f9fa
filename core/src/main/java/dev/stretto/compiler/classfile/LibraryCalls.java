package dev.stretto.compiler.classfile;

import dev.stretto.compiler.ir.Attribute;
import dev.stretto.compiler.ir.Builder;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.ConstantArray;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.JavaCall;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
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
      Set.of(
          "begins",
          "beginsInWarp",
          "beginsInTile",
          "beginsInWarps",
          "isPortable",
          "isStage",
          "commitsStores",
          "awaitsStores",
          "arrivesWhenCopied",
          "readsPart",
          "requireSlice",
          "requireAligned");

  /** Instructions in which a thread may wait alone. */
  private static final Pattern WAITS = Pattern.compile("mbarrier(Try|Test)Wait.*");

  private final Builder builder;

  LibraryCalls(Site site) {
    this.builder = site.builder();
  }

  /** Whether a method that stands for no instruction is called nevertheless. */
  static boolean isCalled(String owner, String name) {
    return (owner.equals(ROOM + "CopyNotes") && NOTES.contains(name))
        || (owner.equals(ROOM + "Debug") && name.equals("print"));
  }

  @Nullable Value call(ClassFiles.Method method, List<Value> all) {
    return new Call(method, "", all).emit(false, false);
  }

  @Nullable Value call(
      ClassFiles.Method method, InstructionCalls.Template template, List<Value> all) {
    boolean waits = WAITS.matcher(method.model().methodName().stringValue()).matches();
    return new Call(method, template.text(), all)
        .emit(template.pure(), template.convergent() || waits);
  }

  /** One call, whose operands are collected. */
  private final class Call {
    private final ClassFiles.Method method;
    private final List<Value> given;
    private final List<ClassDesc> types;
    private final Set<Integer> offsets;
    private final List<Value> operands = new ArrayList<>();
    private final List<Type> results = new ArrayList<>();
    private final Map<Integer, Set<Integer>> reads = new HashMap<>();
    private final Map<Integer, Set<Integer>> writes = new HashMap<>();
    private final List<Runnable> sets = new ArrayList<>();
    private final boolean keepsArrays;
    private Value made = Constant.FALSE;

    Call(ClassFiles.Method method, String text, List<Value> all) {
      this.method = method;
      this.given = method.isStatic() ? all : all.subList(1, all.size());
      this.types = method.model().methodTypeSymbol().parameterList();
      this.offsets = InstructionCalls.annotated(method.model(), InstructionCalls.OFFSET);
      // A product in flight owns its registers: the same array is what tells them.
      this.keepsArrays = method.type().endsWith(".PtxWarpGroups");
      if (keepsArrays) {
        return;
      }
      Matcher place = InstructionCalls.PLACE.matcher(text);
      while (place.find()) {
        if (place.group(3) != null) {
          throw new NotForCallsException("registers that an instruction changes in place");
        } else if (place.group(7) != null) {
          note(writes, place.group(7), place.group(8));
        } else if (place.group(9) != null) {
          note(reads, place.group(9), place.group(10));
        }
      }
    }

    private void note(Map<Integer, Set<Integer>> uses, String array, String index) {
      uses.computeIfAbsent(Integer.parseInt(array), _ -> new TreeSet<>())
          .add(Integer.parseInt(index));
    }

    @Nullable Value emit(boolean pure, boolean convergent) {
      List<JavaCall.Argument> arguments = new ArrayList<>();
      for (int i = 0; i < given.size(); i++) {
        arguments.add(argument(i));
      }
      ClassDesc returns = method.model().methodTypeSymbol().returnType();
      boolean predicate = returns.descriptorString().equals("Z");
      Type type = predicate ? Type.BOOL : Site.type(returns);
      JavaCall call =
          new JavaCall(
              method.owner().thisClass().asInternalName(),
              method.model().methodName().stringValue(),
              method.model().methodType().stringValue(),
              method.isStatic(),
              List.copyOf(arguments),
              List.copyOf(results),
              pure && type != Type.VOID, // a check has no result
              convergent);
      if (!results.isEmpty()) {
        if (type != Type.VOID) {
          throw new NotForCallsException("an instruction sets an array and returns a number");
        }
        made = builder.op(OpCode.CALL, Type.TUPLE, call, operands.toArray(new Value[0]));
        sets.forEach(Runnable::run);
        return null;
      }
      Value result = builder.op(OpCode.CALL, type, call, operands.toArray(new Value[0]));
      if (type == Type.VOID) {
        return null;
      }
      return predicate ? builder.op(OpCode.BOOL_TO_INT, Type.INT, result) : result;
    }

    private JavaCall.Argument argument(int i) {
      Value value = given.get(i);
      String descriptor = types.get(i).descriptorString();
      if (offsets.contains(i) && !keepsArrays) {
        return new JavaCall.Known(0); // the array that is made begins there
      }
      if (value instanceof Constant constant && constant.type() == Type.REF) {
        if (constant.value() instanceof ConstantArray) {
          throw new NotForCallsException("an array of constants is passed to an instruction");
        }
        return new JavaCall.Known(constant.value());
      }
      if (value.type() != Type.REF) {
        operands.add(descriptor.equals("Z") ? builder.cmp(Cond.NE, value, Constant.of(0)) : value);
        return new JavaCall.Scalar(operands.size() - 1);
      }
      if (descriptor.equals(KernelAttributes.TENSOR_MAP)) {
        operands.add(builder.op(OpCode.VIEW_BASE, Type.GLOBAL, value));
        return new JavaCall.Tensor(operands.size() - 1);
      }
      if (descriptor.startsWith("[") && keepsArrays) {
        operands.add(value);
        return new JavaCall.Array(operands.size() - 1, descriptor);
      }
      return descriptor.startsWith("[") ? numbers(i) : view(value, descriptor);
    }

    private JavaCall.Argument numbers(int array) {
      Element element = Site.element(types.get(array).descriptorString().charAt(1));
      Set<Integer> read = reads.getOrDefault(array, Set.of());
      Set<Integer> written = writes.getOrDefault(array, Set.of());
      List<Integer> before = new ArrayList<>();
      List<Integer> after = new ArrayList<>();
      for (int i = 0; !(read.isEmpty() && written.isEmpty()) && i <= last(read, written); i++) {
        before.add(-1);
        after.add(-1);
        if (read.contains(i)) {
          before.set(i, operands.size());
          operands.add(
              builder.op(
                  OpCode.ARRAY_GET, element.type(), element, given.get(array), at(array, i)));
        }
        if (written.contains(i)) {
          after.set(i, results.size());
          set(array, i, element, results.size());
          results.add(element.type());
        }
      }
      return new JavaCall.Numbers(element, before, after);
    }

    private static int last(Set<Integer> a, Set<Integer> b) {
      int last = 0;
      for (int i : a) {
        last = Math.max(last, i);
      }
      for (int i : b) {
        last = Math.max(last, i);
      }
      return last;
    }

    private void set(int array, int index, Element element, int number) {
      sets.add(
          () ->
              builder.op(
                  OpCode.ARRAY_SET,
                  Type.VOID,
                  element,
                  given.get(array),
                  at(array, index),
                  builder.op(OpCode.EXTRACT, element.type(), new Attribute.Count(number), made)));
    }

    private Value at(int array, int index) {
      Value by = Constant.of(index);
      return offsets.contains(array + 1)
          ? builder.op(OpCode.ADD, Type.INT, given.get(array + 1), by)
          : by;
    }

    private JavaCall.Argument view(Value value, String descriptor) {
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
}
