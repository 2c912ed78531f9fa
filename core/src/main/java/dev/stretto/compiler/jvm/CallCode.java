package dev.stretto.compiler.jvm;

import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.JavaCall;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Value;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.IdentityHashMap;

/** Writes calls of the library's methods, whose result is left on the operand stack. */
final class CallCode {
  private static final ClassDesc I = ConstantDescs.CD_int;
  private static final ClassDesc J = ConstantDescs.CD_long;
  private static final ClassDesc THREAD_BLOCK = ClassDesc.of("dev.stretto.kernel.ThreadBlock");
  private static final ClassDesc TENSOR_MAP = ClassDesc.of("dev.stretto.memory.TensorMap");
  private static final ClassDesc WARP = ClassDesc.of("dev.stretto.kernel.Warp");

  private CallCode() {}

  /** What sets a result that the call has left in a local array. */
  interface Sink {
    /**
     * Takes a number.
     *
     * @param result which of the call's results it is
     * @param push pushes it
     */
    void take(int result, Runnable push);
  }

  /** Writes the call; a result that is not in an array is left on the operand stack. */
  static void write(Op op, MemoryCode.Place place, Sink sink) {
    JavaCall call = op.attribute(JavaCall.class);
    CodeBuilder code = place.code();
    if (CopyCode.isPlace(call)) {
      CopyCode.place(call, op, place);
      return;
    }
    String note = call.of("CopyNotes");
    if (place.isLight() && note != null && CopyCode.isForWatchers(note)) {
      return; // only who watches needs it
    }
    Label end = code.newLabel();
    CopyCode.unwatched(call, op, place, end);
    CopyCode.arrival(call, op, place, end);
    if (!place.callsElsewhere(op)) {
      call(op, place, sink);
    }
    code.labelBinding(end);
  }

  /** Writes the call of the library's method. */
  static void call(Op op, MemoryCode.Place place, Sink sink) {
    JavaCall call = op.attribute(JavaCall.class);
    CodeBuilder code = place.code();
    if (call.of("FastMath") == null) {
      place.pushBlock();
      code.loadConstant(place.site(op));
      String note = call.of("CopyNotes");
      boolean looks =
          call.of("CopyPromises") != null || (note != null && note.startsWith("require"));
      boolean numbers =
          call.arguments().stream().allMatch(argument -> argument instanceof JavaCall.Scalar);
      code.invokevirtual(
          Names.BLOCK,
          looks && numbers ? "passes" : "enter",
          MethodTypeDesc.of(ConstantDescs.CD_void, I));
    }
    ClassDesc owner = ClassDesc.ofInternalName(call.owner());
    if (!call.isStatic()) {
      receiver(owner, place);
    }
    IdentityHashMap<JavaCall.Numbers, Integer> arrays = new IdentityHashMap<>();
    for (JavaCall.Argument argument : call.arguments()) {
      if (argument instanceof JavaCall.Numbers numbers) {
        arrays.put(numbers, array(numbers, op, place));
      } else {
        argument(argument, op, place);
      }
    }
    MethodTypeDesc type = MethodTypeDesc.ofDescriptor(call.descriptor());
    if (call.isStatic()) {
      code.invokestatic(owner, call.method(), type);
    } else {
      code.invokevirtual(owner, call.method(), type);
    }
    arrays.forEach((numbers, local) -> results(numbers, local, code, sink));
  }

  /** Pushes a new array, and keeps it in a variable. */
  private static int array(JavaCall.Numbers numbers, Op op, MemoryCode.Place place) {
    CodeBuilder code = place.code();
    TypeKind kind = kind(numbers);
    int local = code.allocateLocal(TypeKind.REFERENCE);
    code.loadConstant(numbers.operands().size()).newarray(kind).astore(local);
    for (int i = 0; i < numbers.operands().size(); i++) {
      if (numbers.operands().get(i) >= 0) {
        code.aload(local).loadConstant(i);
        place.push(op.operand(numbers.operands().get(i)));
        code.arrayStore(kind);
      }
    }
    code.aload(local);
    return local;
  }

  private static void results(JavaCall.Numbers numbers, int local, CodeBuilder code, Sink sink) {
    for (int i = 0; i < numbers.results().size(); i++) {
      int index = i;
      int result = numbers.results().get(i);
      if (result >= 0) {
        sink.take(result, () -> code.aload(local).loadConstant(index).arrayLoad(kind(numbers)));
      }
    }
  }

  private static TypeKind kind(JavaCall.Numbers numbers) {
    return ArrayCode.kind(numbers.element());
  }

  private static void receiver(ClassDesc owner, MemoryCode.Place place) {
    CodeBuilder code = place.code();
    place.pushBlock();
    code.invokevirtual(Names.BLOCK, "thread", MethodTypeDesc.of(ConstantDescs.CD_Object));
    code.checkcast(THREAD_BLOCK);
    if (owner.equals(WARP)) {
      code.invokevirtual(THREAD_BLOCK, "warp", MethodTypeDesc.of(WARP));
    }
  }

  private static void argument(JavaCall.Argument argument, Op op, MemoryCode.Place place) {
    switch (argument) {
      case JavaCall.Scalar number -> place.push(op.operand(number.operand()));
      case JavaCall.Known known -> known(known.value(), place.code());
      case JavaCall.View view -> view(view, op, place);
      case JavaCall.Array array -> {
        place.push(op.operand(array.operand()));
        place.code().checkcast(ClassDesc.ofDescriptor(array.descriptor()));
      }
      case JavaCall.Tensor tensor -> {
        place.pushBlock();
        place.push(op.operand(tensor.operand()));
        place.code().invokevirtual(Names.BLOCK, "tensor", MethodTypeDesc.of(TENSOR_MAP, J));
      }
      case JavaCall.Numbers _ -> throw new IllegalArgumentException("an array is made before");
    }
  }

  private static void known(Object value, CodeBuilder code) {
    switch (value) {
      case Integer number -> code.loadConstant(number.intValue());
      case String text -> code.loadConstant(text);
      case Constant.EnumName name -> {
        ClassDesc owner = ClassDesc.ofInternalName(name.owner());
        code.getstatic(owner, name.name(), owner);
      }
      default -> throw new IllegalArgumentException("a constant " + value);
    }
  }

  private static void view(JavaCall.View view, Op op, MemoryCode.Place place) {
    CodeBuilder code = place.code();
    Value number = op.operand(view.element());
    if (!(number instanceof Constant known)) {
      throw new IllegalArgumentException("an array whose type is not known");
    }
    Element element = Element.values()[known.asInt()];
    Value base = op.operand(view.base());
    boolean shared = view.type().startsWith("dev/stretto/kernel/");
    if (shared) {
      ClassDesc type = ClassDesc.of("dev.stretto.kernel.Shared" + name(element));
      code.new_(type).dup();
      place.pushBlock();
      place.push(base);
      code.invokevirtual(Names.BLOCK, "storageAt", MethodTypeDesc.of(Names.STORAGE, I));
      place.pushBlock();
      place.push(base);
      code.invokevirtual(Names.BLOCK, "firstByte", MethodTypeDesc.of(I, I));
      place.push(op.operand(view.length()));
      code.invokespecial(
          type,
          ConstantDescs.INIT_NAME,
          MethodTypeDesc.of(ConstantDescs.CD_void, Names.STORAGE, I, I));
      return;
    }
    place.pushBlock();
    place.push(base);
    place.push(op.operand(view.length()));
    code.loadConstant(element.bytes());
    code.loadConstant("Global" + name(element));
    code.invokevirtual(
        Names.BLOCK, "global", MethodTypeDesc.of(Names.GLOBAL, J, J, I, ConstantDescs.CD_String));
    code.checkcast(ClassDesc.of("dev.stretto.memory.Global" + name(element)));
  }

  private static String name(Element element) {
    return switch (element) {
      case I8, U8 -> "Bytes";
      case I16, U16 -> "Shorts";
      case I32 -> "Ints";
      case I64 -> "Longs";
      case F32 -> "Floats";
      case F64 -> "Doubles";
      case F16 -> "Halfs";
      case BF16 -> "Bfloats";
    };
  }
}
