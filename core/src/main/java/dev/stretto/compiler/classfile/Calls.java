package dev.stretto.compiler.classfile;

import dev.stretto.compiler.ir.Attribute;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.NewObject;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import dev.stretto.fault.KernelRefusedException;
import java.lang.classfile.ClassModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Translates calls: into a known operation, into PTX instructions, or into the called method's own
 * body.
 */
final class Calls {
  private static final int DEEPEST = 100;
  private static final int MOST_INSTRUCTIONS = 50_000;
  private static final String TENSOR_MAP = "dev/stretto/memory/TensorMap";
  private static final String MATH = "dev/stretto/kernel/math/DeviceMath";

  private final Site site;
  private final ClassFiles classes;
  private final Fields fields;
  private final KnownMethods known;
  private final ArrayMethods memory;
  private final InstructionCalls instructions;
  private final LibraryCalls library;
  private final ArrayCalls arrays;
  private final Deque<String> inside = new ArrayDeque<>();

  /** Calls whose methods are known to exist. */
  private final Set<String> existing = new HashSet<>();

  private int inlined;

  Calls(Site site, ClassFiles classes) {
    this.site = site;
    this.classes = classes;
    this.fields = new Fields(site, classes);
    this.known = new KnownMethods(site);
    this.memory = new ArrayMethods(site);
    this.instructions = new InstructionCalls(site);
    this.library = new LibraryCalls(site);
    this.arrays = new ArrayCalls(site);
  }

  Site site() {
    return site;
  }

  Fields fields() {
    return fields;
  }

  ClassFiles classes() {
    return classes;
  }

  /** The facts about a class that a kernel makes an object of. */
  NewObject newObject(String name) {
    String at = name;
    for (ClassModel model : classes.upwards(name)) {
      if (isRoot(at)) {
        break;
      }
      if (isJdk(at)) {
        String what = at.equals(name) ? "" : shortName(name) + ", which is a ";
        throw site.refuse(
            "a kernel cannot make a " + what + at.replace('/', '.').replace('$', '.'),
            Instead.of(at, "<init>"));
      }
      at = model.superclass().orElseThrow().asInternalName();
    }
    if (classes.find(at).isEmpty()) {
      throw site.isMissing(at);
    }
    return fields.newObject(name);
  }

  /** Whether it is Object, or Record, which adds nothing to it. */
  static boolean isRoot(String name) {
    return name.equals("java/lang/Object") || name.equals("java/lang/Record");
  }

  private static boolean isJdk(String name) {
    return name.startsWith("java/") || name.startsWith("javax/") || name.startsWith("jdk/");
  }

  private KernelRefusedException isMissing(String owner, String name, String descriptor) {
    if (classes.find(owner).isEmpty()) {
      return site.isMissing(owner);
    }
    String types = MethodTypeDesc.ofDescriptor(descriptor).displayDescriptor();
    return site.refuse(
        shortName(owner) + " has no method " + name + types, "compile both again, together");
  }

  boolean isThrowable(String name) {
    return classes.upwards(name).stream()
        .anyMatch(above -> above.thisClass().asInternalName().equals("java/lang/Throwable"));
  }

  /** The {@code %} of floating-point numbers, which has no instruction. */
  Value remainder(Type type, Value a, Value b) {
    String descriptor = type == Type.FLOAT ? "(FF)F" : "(DD)D";
    Value result = inline(MATH, "remainder", descriptor, List.of(a, b));
    if (result == null) {
      throw new IllegalStateException("remainder has no result");
    }
    return result;
  }

  /** The result; null for void. */
  @Nullable Value call(InvokeInstruction it, List<Value> arguments) {
    String owner = it.owner().asInternalName();
    String name = it.name().stringValue();
    String descriptor = it.type().stringValue();
    if (isRoot(owner) && name.equals("<init>")) {
      return null;
    }
    requireExists(it, owner, name, descriptor);
    if (ArrayCalls.isKnown(owner, name)) {
      return arrays.call(owner, name, descriptor, arguments).orElse(null);
    }
    if (owner.startsWith(TENSOR_MAP)) {
      throw site.refuse(
          "a kernel cannot call " + name + " of a tensor map: it has only the map's address",
          "pass the values that it needs, such as boxBytes(), as numbers or as @Const");
    }
    if (site.isForCalls() && LibraryCalls.isCalled(owner, name)) {
      Optional<ClassFiles.Method> called = classes.method(owner, name, descriptor);
      if (called.isPresent()) {
        return library.call(called.get(), arguments);
      }
    }
    Optional<Value> operation = known.call(owner, name, arguments);
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
          "a kernel cannot call " + shortName(owner) + "." + name,
          "see the guide for the methods of Math that kernels have");
    }
    if (isJdk(owner) && !isKnown(it, arguments)) {
      throw refuse(owner, owner, name);
    }
    ClassFiles.Method method = resolve(it, owner, name, descriptor, arguments);
    String declared = method.owner().thisClass().asInternalName();
    if (isJdk(declared)) {
      throw refuse(owner, declared, name);
    }
    if (name.equals("toString") && method.isVocabulary()) {
      throw refuse(owner, "java/lang/String", name);
    }
    return inline(method, arguments);
  }

  /**
   * A method that is recognized by its name is assumed to have the operands of the method of that
   * name, so that method must exist.
   */
  private void requireExists(InvokeInstruction it, String owner, String name, String descriptor) {
    if (!(isJdk(owner) || ClassFiles.isVocabulary(owner))
        || !existing.add(owner + "." + name + descriptor + it.opcode())) {
      return;
    }
    Optional<ClassFiles.Method> method = classes.method(owner, name, descriptor);
    if (method.isEmpty() && isJdk(owner)) {
      throw refuse(owner, owner, name);
    }
    if (method.isEmpty()) {
      throw isMissing(owner, name, descriptor);
    }
    requireCalledAsDeclared(it, method.get());
  }

  private void requireCalledAsDeclared(InvokeInstruction it, ClassFiles.Method method) {
    if (method.isStatic() != (it.opcode() == Opcode.INVOKESTATIC)) {
      throw site.refuse(
          method.name() + (method.isStatic() ? " is" : " is not") + " static, unlike its call here",
          "compile both again, together");
    }
  }

  private KernelRefusedException refuse(String owner, String declared, String name) {
    String what = shortName(owner) + "." + name;
    return site.refuse(
        declared.equals("java/lang/Enum") && name.equals("ordinal")
            ? "a kernel cannot switch over an enum that it computes, nor call " + what
            : "a kernel cannot call " + what,
        Instead.of(declared, name));
  }

  private static boolean isVirtual(InvokeInstruction it) {
    return it.opcode() == Opcode.INVOKEINTERFACE || it.opcode() == Opcode.INVOKEVIRTUAL;
  }

  /** Whether the class of the object is known. */
  private static boolean isKnown(InvokeInstruction it, List<Value> arguments) {
    return isVirtual(it)
        && arguments.getFirst() instanceof Op object
        && object.code() == OpCode.NEW;
  }

  private ClassFiles.Method resolve(
      InvokeInstruction it, String owner, String name, String descriptor, List<Value> arguments) {
    String exact = owner;
    if (isKnown(it, arguments)) {
      exact = ((Op) arguments.getFirst()).attribute(NewObject.class).name();
    } else if (isVirtual(it) && !isFinal(owner, name, descriptor)) {
      throw site.refuse(
          "the call of "
              + shortName(owner)
              + "."
              + name
              + " may mean several methods, depending on the object",
          "make the class or the method final, or the method static");
    }
    ClassFiles.Method method = classes.method(exact, name, descriptor).orElse(null);
    if (method == null) {
      throw isMissing(exact, name, descriptor);
    }
    requireCalledAsDeclared(it, method);
    return method;
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
    requireStackMaps(method);
    Optional<InstructionCalls.Template> template =
        InstructionCalls.template(method.model(), site.target());
    if (template.isPresent()) {
      return site.isForCalls()
          ? library.call(method, template.get(), arguments)
          : instructions.call(method, template.get(), arguments);
    }
    if (inside.contains(method.key())) {
      throw site.refuse(
          "a kernel cannot call " + method.name() + " recursively",
          "write a loop, with a local array for a stack of fixed depth");
    }
    if (inside.size() > DEEPEST) {
      throw site.refuse(
          "methods that a kernel calls may call others " + DEEPEST + " deep at most",
          "write a loop, or call less deep");
    }
    if (method.model().flags().has(AccessFlag.SYNCHRONIZED)) {
      throw site.refuse(
          "a kernel cannot call " + method.name() + ", which is synchronized", Instead.OF_LOCKS);
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
    inlined += body.size();
    if (inlined > MOST_INSTRUCTIONS) {
      throw site.builder()
          .line()
          .outermost()
          .refuse(
              "a kernel that calls too many methods: every call is inlined, which "
                  + "gives more than "
                  + MOST_INSTRUCTIONS
                  + " instructions",
              "call in loops rather than one after the other, or write several kernels");
    }
    requireConstants(method, arguments);
    Line here = site.builder().line();
    inside.push(method.key());
    boolean written = method.isVocabulary() && site.writtenAs().isEmpty();
    if (written) {
      site.writtenAs(method.name());
    }
    Value result = new Translator(this, method, body, arguments, here).run();
    if (written) {
      site.writtenAs("");
    }
    inside.pop();
    site.builder().line(here);
    return result;
  }

  private void requireStackMaps(ClassFiles.Method method) {
    if (method.owner().majorVersion() < Verification.FIRST_WITH_STACK_MAPS) {
      throw site.refuse(
          "the class file of " + method.name() + " has no stack map",
          "compile it for Java 7 or later");
    }
  }

  private void requireConstants(ClassFiles.Method method, List<Value> arguments) {
    int receivers = method.isStatic() ? 0 : 1;
    for (int parameter : InstructionCalls.constants(method.model())) {
      Value argument = arguments.get(parameter + receivers);
      if (!(argument instanceof Constant)) {
        String what = "parameter " + parameter + " of " + method.name();
        site.builder().op(OpCode.KNOWN, Type.VOID, new Attribute.Text(what), argument);
      }
    }
  }

  /** The kernel itself: its body, not inlined into anything. */
  void root(ClassFiles.Method method, List<Value> arguments) {
    requireStackMaps(method);
    MethodBody body = MethodBody.of(method.model());
    if (body == null) {
      throw site.refuse("a kernel needs a body", "write it in Java");
    }
    if (method.model().flags().has(AccessFlag.SYNCHRONIZED)) {
      throw site.refuse("a kernel cannot be synchronized", Instead.OF_LOCKS);
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
