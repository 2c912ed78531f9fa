package dev.stretto.compiler;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import dev.stretto.compiler.KernelTree.*;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The instructions that javac would choose for statements. */
abstract class StatementCode extends SharedMemoryCode {
  static final ClassDesc WARP = ClassDesc.of("dev.stretto.kernel.Warp");
  final Map<Variable, Label[]> loops = new HashMap<>();
  int line = 1;

  StatementCode(Kernel kernel) {
    super(kernel);
  }

  void mark() {
    code.lineNumber(line++);
  }

  void body(Body body) {
    int before = nextLocal;
    body.statements().forEach(this::statement);
    nextLocal = before;
  }

  void statement(Statement statement) {
    mark();
    switch (statement) {
      case Declare it -> {
        value(it.value());
        store(it.variable());
      }
      case Assign it -> assign(it);
      case DeclareArray it -> declareArray(it);
      case SetElement it -> {
        code.aload(locals.get(it.array()));
        index(it.index());
        value(it.value());
        narrow(it.array().element());
        code.arrayStore(it.array().element().stored());
      }
      case DeclareObject it -> {
        object(it.value());
        local(it.object(), TypeKind.REFERENCE);
        code.astore(locals.get(it.object()));
      }
      case AssignObject it -> {
        object(it.value());
        code.astore(locals.get(it.object()));
      }
      case SetField it -> {
        ObjectType type = it.object().type();
        code.aload(locals.get(it.object()));
        value(it.value());
        narrow(type.fields().get(it.field()));
        code.putfield(
            ClassDesc.of(type.name()), field(it.field()), type.fields().get(it.field()).desc());
      }
      case SetInner it -> {
        code.aload(locals.get(it.object()));
        object(it.value());
        inner(it.object().type(), false);
      }
      case If it -> choice(it);
      case Switch it -> choice(it);
      case Loop it -> loop(it);
      case Leave it -> code.goto_(loops.get(it.loop())[it.again() ? 0 : 1]);
      case Return it -> giveBack(it);
      case Store it -> {
        element(it.space(), it.slot());
        value(it.value());
        set(it.space());
      }
      case LoadVector it -> loadVector(it);
      case StoreVector it -> storeVector(it);
      case Count it -> count(it);
      case Update it -> {
        element(it.space(), it.slot());
        value(it.value());
        ClassDesc kind = it.space().kind().desc();
        MethodTypeDesc type = MethodTypeDesc.of(kind, it.space().desc(), CD_long, kind);
        code.invokestatic(ATOMICS, it.method(), type);
        store(it.variable());
      }
      case Meet it -> {
        code.aload(locals.get("block"));
        if (!it.meeting().ofBlock()) {
          code.invokevirtual(BLOCK, "warp", MethodTypeDesc.of(WARP));
        }
        it.arguments().forEach(this::value);
        code.invokevirtual(
            it.meeting().ofBlock() ? BLOCK : WARP, it.meeting().method(), it.meeting().desc());
        store(it.variable());
      }
      case Share it -> share(it);
    }
  }

  void assign(Assign it) {
    // What javac does for i += 5.
    if (it.variable().kind() == Kind.INT
        && it.value() instanceof Apply sum
        && sum.operation().java().equals("(%0 + %1)")
        && sum.arguments().get(0).equals(new Read(it.variable()))
        && sum.arguments().get(1) instanceof Literal by
        && by.value() instanceof Integer amount
        && amount == amount.shortValue()) {
      code.iinc(locals.get(it.variable()), amount);
      return;
    }
    value(it.value());
    store(it.variable());
  }

  void declareArray(DeclareArray it) {
    TypeKind element = it.array().element().stored();
    code.loadConstant(it.array().length()).newarray(element);
    for (int i = 0; i < it.values().size(); i++) {
      code.dup().loadConstant(i);
      value(it.values().get(i));
      narrow(it.array().element());
      code.arrayStore(element);
    }
    local(it.array(), TypeKind.REFERENCE);
    code.astore(locals.get(it.array()));
  }

  void giveBack(Return it) {
    if (it.value() == null) {
      code.return_();
    } else {
      value(it.value());
      code.return_(it.value().kind().stored());
    }
  }

  void choice(If it) {
    Label otherwise = code.newLabel();
    Label end = code.newLabel();
    jump(it.condition(), otherwise, false);
    body(it.yes());
    boolean goesOn = !leaves(it.yes());
    if (!it.no().statements().isEmpty() && goesOn) {
      code.goto_(end);
    }
    code.labelBinding(otherwise);
    body(it.no());
    code.labelBinding(end);
  }

  /** Whether what stands behind is not come to from the end of a body. */
  static boolean leaves(Body body) {
    if (body.statements().isEmpty()) {
      return false;
    }
    return switch (body.statements().getLast()) {
      case Leave it -> true;
      case Return it -> true;
      case If it -> leaves(it.yes()) && leaves(it.no());
      default -> false;
    };
  }

  void choice(Switch it) {
    value(it.on());
    Label end = code.newLabel();
    Label otherwise = code.newLabel();
    List<SwitchCase> cases = new ArrayList<>();
    List<Label> labels = new ArrayList<>();
    for (int key : it.keys()) {
      labels.add(code.newLabel());
      cases.add(SwitchCase.of(key, labels.getLast()));
    }
    int low = it.keys().stream().min(Integer::compare).orElseThrow();
    int high = it.keys().stream().max(Integer::compare).orElseThrow();
    if ((long) high - low < 3L * it.keys().size()) {
      code.tableswitch(low, high, otherwise, cases);
    } else {
      code.lookupswitch(
          otherwise,
          cases.stream().sorted(java.util.Comparator.comparingInt(SwitchCase::caseValue)).toList());
    }
    for (int i = 0; i < labels.size(); i++) {
      code.labelBinding(labels.get(i));
      body(it.cases().get(i));
      if (it.breaks().get(i) && !leaves(it.cases().get(i))) {
        code.goto_(end);
      }
    }
    code.labelBinding(otherwise);
    body(it.otherwise());
    code.labelBinding(end);
  }

  void loop(Loop it) {
    int before = nextLocal;
    value(it.start());
    store(it.counter());
    Object fuel = "fuel of " + it.counter().name();
    if (it.fuel() > 0) {
      local(fuel, TypeKind.INT);
      code.loadConstant(it.fuel()).istore(locals.get(fuel));
    }
    Label again = code.newLabel();
    Label end = code.newLabel();
    Label top = code.newLabel();
    Label test = code.newLabel();
    loops.put(it.counter(), new Label[] {again, end});
    Expression goesOn = new Compare(it.comparison(), new Read(it.counter()), it.bound());
    if (it.layout() == Layout.BOTTOM) {
      code.goto_(test);
    }
    code.labelBinding(top);
    if (it.layout() == Layout.TOP) {
      jump(goesOn, end, false);
    }
    if (it.fuel() > 0) {
      code.iinc(locals.get(fuel), -1).iload(locals.get(fuel)).iflt(end);
    }
    body(it.body());
    code.labelBinding(again);
    mark();
    step(it);
    if (it.layout() == Layout.TOP) {
      code.goto_(top);
    } else {
      code.labelBinding(test);
      jump(goesOn, top, true);
    }
    code.labelBinding(end);
    nextLocal = before;
  }

  void step(Loop it) {
    Variable counter = it.counter();
    if (counter.kind() == Kind.INT
        && it.step() == Step.ADD
        && it.amount() instanceof Literal by
        && by.value() instanceof Integer amount
        && amount == amount.shortValue()) {
      code.iinc(locals.get(counter), amount);
      return;
    }
    load(counter);
    value(it.amount());
    Kind kind = counter.kind().computed();
    switch (it.step()) {
      case ADD ->
          arithmetic(
              kind, CodeBuilder::iadd, CodeBuilder::ladd, CodeBuilder::fadd, CodeBuilder::dadd);
      case MULTIPLY ->
          arithmetic(
              kind, CodeBuilder::imul, CodeBuilder::lmul, CodeBuilder::fmul, CodeBuilder::dmul);
      default -> shift(kind == Kind.LONG, it.step());
    }
    store(counter);
  }

  void shift(boolean longs, Step step) {
    switch (step) {
      case SHIFT_LEFT -> shift(longs, CodeBuilder::ishl, CodeBuilder::lshl);
      case SHIFT_RIGHT -> shift(longs, CodeBuilder::ishr, CodeBuilder::lshr);
      default -> shift(longs, CodeBuilder::iushr, CodeBuilder::lushr);
    }
  }

  void shift(boolean longs, CodeOf ints, CodeOf others) {
    (longs ? others : ints).add(code);
  }

  void set(Space space) {
    narrow(space.kind());
    code.invokevirtual(
        space.desc(), "set", MethodTypeDesc.of(CD_void, CD_long, space.kind().desc()));
  }

  static ClassDesc vector(Space space, int count) {
    String name = space.type().substring("Global".length(), space.type().length() - 1);
    return ClassDesc.of("dev.stretto.memory", name + count);
  }

  void loadVector(LoadVector it) {
    int count = it.variables().size();
    ClassDesc type = vector(it.space(), count);
    element(it.space(), new Slot(new Index(null, 0, it.from()), null, 0));
    code.invokevirtual(it.space().desc(), "get" + count, MethodTypeDesc.of(type, CD_long));
    Object vector = new Object();
    local(vector, TypeKind.REFERENCE);
    code.astore(locals.get(vector));
    for (int i = 0; i < count; i++) {
      code.aload(locals.get(vector));
      code.invokevirtual(type, part(i), MethodTypeDesc.of(it.space().kind().desc()));
      store(it.variables().get(i));
    }
  }

  static String part(int number) {
    return List.of("x", "y", "z", "w").get(number);
  }

  void storeVector(StoreVector it) {
    int count = it.values().size();
    ClassDesc type = vector(it.space(), count);
    element(it.space(), new Slot(new Index(null, 0, it.from()), null, 0));
    code.new_(type).dup();
    List<ClassDesc> parts = new ArrayList<>();
    for (Expression value : it.values()) {
      value(value);
      parts.add(it.space().kind().desc());
    }
    code.invokespecial(type, INIT_NAME, MethodTypeDesc.of(CD_void, parts));
    code.invokevirtual(it.space().desc(), "set" + count, MethodTypeDesc.of(CD_void, CD_long, type));
  }

  void count(Count it) {
    code.aload(locals.get("counters"));
    value(it.which());
    code.loadConstant(KernelTree.COUNTERS - 1).iand().loadConstant(it.first()).iadd().i2l();
    value(it.value());
    ClassDesc ints = Space.INTS.desc();
    code.invokestatic(ATOMICS, it.method(), MethodTypeDesc.of(CD_int, ints, CD_long, CD_int)).pop();
  }
}
