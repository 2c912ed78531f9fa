package dev.stretto.compiler.classfile;

import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.NewObject;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.lang.classfile.ClassModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.reflect.AccessFlag;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a call becomes: a known operation, instructions of PTX, or the called method's own body. */
final class Calls {
  private static final int DEEPEST = 100;
  private static final String MATH = "dev/stretto/kernel/DeviceMath";

  private final Site site;
  private final ClassFiles classes;
  private final Fields fields;
  private final KnownMethods known;
  private final MemoryCalls memory;
  private final InstructionCalls instructions;
  private final Deque<String> inside = new ArrayDeque<>();

  Calls(Site site, ClassFiles classes) {
    this.site = site;
    this.classes = classes;
    this.fields = new Fields(site, classes);
    this.known = new KnownMethods(site);
    this.memory = new MemoryCalls(site);
    this.instructions = new InstructionCalls(site);
  }

  Site site() {
    return site;
  }

  Fields fields() {
    return fields;
  }

  boolean isThrowable(String name) {
    String at = name;
    while (!at.equals("java/lang/Throwable")) {
      Optional<ClassModel> model = classes.find(at);
      if (model.isEmpty() || model.get().superclass().isEmpty()) {
        return false;
      }
      at = model.get().superclass().get().asInternalName();
    }
    return true;
  }

  /** The {@code %} of floating-point numbers, for which there is no instruction. */
  Value remainder(Type type, Value a, Value b) {
    String descriptor = type == Type.FLOAT ? "(FF)F" : "(DD)D";
    Value result = inline(MATH, "remainder", descriptor, List.of(a, b));
    if (result == null) {
      throw new IllegalStateException("remainder gives nothing");
    }
    return result;
  }

  /** The result; null for void. */
  @Nullable Value call(InvokeInstruction it, List<Value> arguments) {
    String owner = it.owner().asInternalName();
    String name = it.name().stringValue();
    String descriptor = it.type().stringValue();
    if (owner.equals("java/lang/Object") || owner.equals("java/lang/Record")) {
      if (name.equals("<init>")) {
        return null;
      }
      throw site.refuse("a kernel cannot call Object." + name, "objects of a kernel are values only");
    }
    if (owner.startsWith("[")) {
      throw site.refuse(
          "a kernel cannot clone arrays", "make a local array and copy it in a loop");
    }
    Optional<Value> operation = known.call(owner, name, descriptor, arguments);
    if (operation.isPresent()) {
      return operation.get();
    }
    if (memory.isMemory(owner, name)) {
      return memory.call(owner, name, descriptor, arguments);
    }
    if (KnownMethods.isMath(owner)) {
      Optional<ClassFiles.Method> math = classes.method(MATH, name, descriptor);
      if (math.isPresent()) {
        return inline(math.get(), arguments);
      }
      throw site.refuse(
          "a kernel cannot call " + shortName(owner) + "." + name + descriptor,
          "see the guide for the methods of Math that kernels have");
    }
    if (owner.startsWith("java/") || owner.startsWith("javax/") || owner.startsWith("jdk/")) {
      throw site.refuse(
          "a kernel cannot call " + shortName(owner) + "." + name,
          "kernels call their own static methods, Math, FastMath and what dev.stretto.kernel has");
    }
    return inline(resolve(it, owner, name, descriptor, arguments), arguments);
  }

  private ClassFiles.Method resolve(
      InvokeInstruction it, String owner, String name, String descriptor, List<Value> arguments) {
    String exact = owner;
    if (it.opcode() == Opcode.INVOKEINTERFACE || it.opcode() == Opcode.INVOKEVIRTUAL) {
      if (arguments.getFirst() instanceof Op object && object.code() == OpCode.NEW) {
        exact = object.attribute(NewObject.class).name();
      } else if (!isFinal(owner, name, descriptor)) {
        throw site.refuse(
            "the call of "
                + shortName(owner)
                + "."
                + name
                + " may mean several methods, depending on the object",
            "make the class or the method final, or the method static");
      }
    }
    return classes
        .method(exact, name, descriptor)
        .orElseThrow(
            () ->
                site.refuse(
                    "the class file of " + shortName(owner) + "." + name + " cannot be found",
                    "put it on the class path of the kernel"));
  }

  private boolean isFinal(String owner, String name, String descriptor) {
    Optional<ClassModel> model = classes.find(owner);
    if (model.isEmpty()) {
      return false;
    }
    if (model.get().flags().has(AccessFlag.FINAL)) {
      return true;
    }
    return classes
        .method(owner, name, descriptor)
        .filter(
            method ->
                method.model().flags().has(AccessFlag.FINAL)
                    || method.model().flags().has(AccessFlag.PRIVATE))
        .isPresent();
  }

  private @Nullable Value inline(
      String owner, String name, String descriptor, List<Value> arguments) {
    return inline(
        classes
            .method(owner, name, descriptor)
            .orElseThrow(() -> new IllegalStateException(owner + "." + name + " is missing")),
        arguments);
  }

  @Nullable Value inline(ClassFiles.Method method, List<Value> arguments) {
    Optional<InstructionCalls.Template> template = InstructionCalls.template(method.model());
    if (template.isPresent()) {
      return instructions.call(method, template.get(), arguments);
    }
    if (inside.contains(method.key()) || inside.size() > DEEPEST) {
      throw Translator.recursion(site, method.name());
    }
    if (method.model().flags().has(AccessFlag.SYNCHRONIZED)) {
      throw site.refuse(
          "a kernel cannot call " + method.name() + ", which is synchronized",
          "use block.sync(), a warp's functions or Atomics");
    }
    MethodBody body = MethodBody.of(method.model());
    if (body == null) {
      throw site.refuse(
          "a kernel cannot call "
              + method.name()
              + ", which is "
              + (method.model().flags().has(AccessFlag.NATIVE) ? "native" : "abstract"),
          "call a static method that has a body");
    }
    Line here = site.builder().line();
    inside.push(method.key());
    Value result = new Translator(this, method, body, arguments, here).run();
    inside.pop();
    site.builder().line(here);
    return result;
  }

  /** A kernel itself: its body, with nothing around it. */
  void root(ClassFiles.Method method, List<Value> arguments) {
    MethodBody body = MethodBody.of(method.model());
    if (body == null) {
      throw site.refuse("a kernel needs a body", "write one");
    }
    inside.push(method.key());
    new Translator(this, method, body, arguments, null).run();
    inside.pop();
  }

  static String shortName(String internal) {
    return internal.substring(internal.lastIndexOf('/') + 1).replace('$', '.');
  }

  static boolean isText(Value value) {
    return value instanceof Constant constant && constant.value() instanceof String;
  }
}
