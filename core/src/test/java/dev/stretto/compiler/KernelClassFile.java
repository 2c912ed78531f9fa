package dev.stretto.compiler;

import static dev.stretto.compiler.KernelTree.ELEMENTS;
import static dev.stretto.compiler.KernelTree.PLACE;
import static dev.stretto.compiler.KernelTree.RANK;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import dev.stretto.compiler.KernelTree.*;
import java.lang.classfile.Annotation;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes a kernel as class files, with the instructions that javac would choose. */
final class KernelClassFile {
  private static final ClassDesc BLOCK = ClassDesc.of("dev.stretto.kernel.ThreadBlock");
  private static final ClassDesc WARP = ClassDesc.of("dev.stretto.kernel.Warp");
  private static final ClassDesc ATOMICS = ClassDesc.of("dev.stretto.kernel.Atomics");
  private static final ClassDesc RECORD = ClassDesc.of("java.lang.Record");
  private static final ClassDesc MARK = ClassDesc.of("dev.stretto.kernel.Kernel");
  private static final MethodTypeDesc TO_INT = MethodTypeDesc.of(CD_int);
  private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(CD_void);

  /** The kernel's type. */
  static final MethodTypeDesc TYPE = type();

  private final Kernel kernel;
  private final ClassDesc self;
  private CodeBuilder code;
  private final Map<Object, Integer> locals = new HashMap<>();
  private final Map<Variable, Label[]> loops = new HashMap<>();
  private int nextLocal;
  private int line = 1;

  private KernelClassFile(Kernel kernel) {
    this.kernel = kernel;
    this.self = ClassDesc.of(kernel.name());
  }

  /** {@return the bytes of the kernel's class and of those that it needs, by name} */
  static Map<String, byte[]> write(Kernel kernel) {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put(kernel.name(), new KernelClassFile(kernel).kernel());
    for (ObjectType type : kernel.types()) {
      files.put(type.name(), object(type));
    }
    return files;
  }

  /** {@return the name of the kernel's method, which no other kernel's has} */
  static String method(Kernel kernel) {
    return kernel.name().toLowerCase(java.util.Locale.ROOT);
  }

  private static MethodTypeDesc type() {
    List<ClassDesc> types = new ArrayList<>(List.of(BLOCK));
    for (Space space : Space.values()) {
      types.add(space.desc());
    }
    types.add(Space.INTS.desc());
    KernelTree.PARAMETERS.forEach(parameter -> types.add(parameter.kind().desc()));
    return MethodTypeDesc.of(CD_void, types);
  }

  // Classes.

  private byte[] kernel() {
    // Where variables of different classes end, their place holds any object at all.
    ClassHierarchyResolver hierarchy =
        type ->
            ClassHierarchyResolver.ClassHierarchyInfo.ofClass(
                type.equals(CD_Object) ? null : CD_Object);
    return ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(hierarchy))
        .build(
            self,
            type -> {
              type.withFlags(AccessFlag.PUBLIC, AccessFlag.FINAL, AccessFlag.SUPER);
              type.with(SourceFileAttribute.of(kernel.name() + ".java"));
              for (Helper helper : kernel.helpers()) {
                type.withMethodBody(
                    helper.name(),
                    desc(helper),
                    ClassFile.ACC_STATIC,
                    body -> helper(body, helper));
              }
              type.withMethod(
                  method(kernel),
                  TYPE,
                  ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                  method -> {
                    method.with(RuntimeVisibleAnnotationsAttribute.of(Annotation.of(MARK)));
                    method.withCode(this::main);
                  });
            });
  }

  private static byte[] object(ObjectType object) {
    ClassDesc parent = object.isRecord() ? RECORD : CD_Object;
    ClassDesc self = ClassDesc.of(object.name());
    List<ClassDesc> fields = fields(object);
    return ClassFile.of()
        .build(
            self,
            type -> {
              type.withFlags(AccessFlag.PUBLIC, AccessFlag.FINAL, AccessFlag.SUPER);
              type.withSuperclass(parent);
              int flags = object.isRecord() ? ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL : 0;
              for (int i = 0; i < fields.size(); i++) {
                type.withField(field(i), fields.get(i), flags);
              }
              type.withMethodBody(
                  INIT_NAME,
                  MethodTypeDesc.of(CD_void, fields),
                  ClassFile.ACC_PUBLIC,
                  body -> constructor(body, self, parent, fields));
              for (int i = 0; object.isRecord() && i < fields.size(); i++) {
                int at = i;
                type.withMethodBody(
                    field(i),
                    MethodTypeDesc.of(fields.get(i)),
                    ClassFile.ACC_PUBLIC,
                    body ->
                        body.aload(0)
                            .getfield(self, field(at), fields.get(at))
                            .return_(TypeKind.from(fields.get(at))));
              }
            });
  }

  private static void constructor(
      CodeBuilder body, ClassDesc self, ClassDesc parent, List<ClassDesc> fields) {
    body.aload(0).invokespecial(parent, INIT_NAME, NOTHING);
    for (int i = 0; i < fields.size(); i++) {
      body.aload(0).loadLocal(TypeKind.from(fields.get(i)), body.parameterSlot(i));
      body.putfield(self, field(i), fields.get(i));
    }
    body.return_();
  }

  private static List<ClassDesc> fields(ObjectType type) {
    List<ClassDesc> fields = new ArrayList<>();
    type.fields().forEach(field -> fields.add(field.desc()));
    if (type.inner() != null) {
      fields.add(ClassDesc.of(type.inner().name()));
    }
    return fields;
  }

  static String field(int number) {
    return String.valueOf((char) ('a' + number));
  }

  // Methods.

  private static MethodTypeDesc desc(Helper helper) {
    List<ClassDesc> types = new ArrayList<>();
    helper.parameters().forEach(parameter -> types.add(parameter.kind().desc()));
    helper.arrays().forEach(array -> types.add(array.element().desc().arrayType()));
    helper.objects().forEach(object -> types.add(ClassDesc.of(object.type().name())));
    ClassDesc result =
        helper.result() instanceof Expression value
            ? value.kind().desc()
            : ClassDesc.of(((ObjectExpression) helper.result()).type().name());
    return MethodTypeDesc.of(result, types);
  }

  private void helper(CodeBuilder body, Helper helper) {
    code = body;
    locals.clear();
    nextLocal = 0;
    helper.parameters().forEach(it -> local(it, it.kind().stored()));
    helper.arrays().forEach(it -> local(it, TypeKind.REFERENCE));
    helper.objects().forEach(it -> local(it, TypeKind.REFERENCE));
    int before = nextLocal;
    helper.body().statements().forEach(this::statement);
    mark();
    if (helper.result() instanceof Expression value) {
      value(value);
      code.return_(value.kind().stored());
    } else {
      object((ObjectExpression) helper.result());
      code.areturn();
    }
    nextLocal = before;
  }

  private void main(CodeBuilder body) {
    code = body;
    locals.clear();
    nextLocal = 0;
    local("block", TypeKind.REFERENCE);
    for (Space space : Space.values()) {
      local(space, TypeKind.REFERENCE);
    }
    local("counters", TypeKind.REFERENCE);
    KernelTree.PARAMETERS.forEach(it -> local(it, it.kind().stored()));
    place();
    body(kernel.body());
    code.return_();
  }

  /** The thread's number in its block and in the grid. */
  private void place() {
    mark();
    boolean plain = kernel.block()[1] == 1;
    ask("threadIndexX");
    if (!plain) {
      ask("threadIndexY");
      ask("blockSizeX");
      code.imul().iadd();
    }
    store(RANK);
    mark();
    ask("blockIndexX");
    if (kernel.grid()[1] > 1) {
      ask("blockIndexY");
      ask("gridSizeX");
      code.imul().iadd();
    }
    code.i2l();
    ask("blockSizeX");
    if (!plain) {
      ask("blockSizeY");
      code.imul();
    }
    code.i2l().lmul();
    load(RANK);
    code.i2l().ladd();
    store(PLACE);
  }

  private void ask(String what) {
    code.aload(locals.get("block")).invokevirtual(BLOCK, what, TO_INT);
  }

  private void local(Object what, TypeKind kind) {
    locals.put(what, nextLocal);
    nextLocal += kind.slotSize();
  }

  private void load(Variable variable) {
    code.loadLocal(variable.kind().stored(), locals.get(variable));
  }

  /** Stores what is on the stack, as an int where the variable is narrower. */
  private void store(Variable variable) {
    narrow(variable.kind());
    if (!locals.containsKey(variable)) {
      local(variable, variable.kind().stored());
    }
    code.storeLocal(variable.kind().stored(), locals.get(variable));
  }

  private void narrow(Kind kind) {
    switch (kind) {
      case BYTE -> code.i2b();
      case SHORT -> code.i2s();
      case CHAR -> code.i2c();
      default -> {}
    }
  }

  private void mark() {
    code.lineNumber(line++);
  }

  // Statements.

  private void body(Body body) {
    int before = nextLocal;
    body.statements().forEach(this::statement);
    nextLocal = before;
  }

  private void statement(Statement statement) {
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

  private void assign(Assign it) {
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

  private void declareArray(DeclareArray it) {
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

  private void giveBack(Return it) {
    if (it.value() == null) {
      code.return_();
    } else {
      value(it.value());
      code.return_(it.value().kind().stored());
    }
  }

  private void choice(If it) {
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

  private void choice(Switch it) {
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

  private void loop(Loop it) {
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

  private void step(Loop it) {
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

  private void arithmetic(Kind kind, CodeOf ints, CodeOf longs, CodeOf floats, CodeOf doubles) {
    switch (kind) {
      case INT -> ints.add(code);
      case LONG -> longs.add(code);
      case FLOAT -> floats.add(code);
      default -> doubles.add(code);
    }
  }

  private interface CodeOf {
    CodeBuilder add(CodeBuilder code);
  }

  private void shift(boolean longs, Step step) {
    switch (step) {
      case SHIFT_LEFT -> shift(longs, CodeBuilder::ishl, CodeBuilder::lshl);
      case SHIFT_RIGHT -> shift(longs, CodeBuilder::ishr, CodeBuilder::lshr);
      default -> shift(longs, CodeBuilder::iushr, CodeBuilder::lushr);
    }
  }

  private void shift(boolean longs, CodeOf ints, CodeOf others) {
    (longs ? others : ints).add(code);
  }

  // Memory.

  /** The array, and the number of the element in it. */
  private void element(Space space, Slot slot) {
    code.aload(locals.get(space));
    if (slot.style() == Slot.RAW) {
      value(slot.computed());
      code.i2l();
      return;
    }
    if (!kernel.strided() && slot.style() == Slot.SLICED) {
      load(PLACE);
      code.loadConstant((long) ELEMENTS).lmul().loadConstant((long) ELEMENTS);
      code.invokevirtual(space.desc(), "slice", MethodTypeDesc.of(space.desc(), CD_long, CD_long));
      slot(slot);
      code.i2l();
      return;
    }
    int factor = kernel.strided() ? 1 : ELEMENTS;
    switch (slot.style()) {
      case 0 -> {
        load(PLACE);
        code.loadConstant((long) factor).lmul();
        slot(slot);
        total();
        code.i2l().ladd();
      }
      case 1 -> {
        slot(slot);
        total();
        load(PLACE);
        code.l2i().loadConstant(factor).imul().iadd().i2l();
      }
      case Slot.WRAPPED -> {
        slot(slot);
        total();
        code.loadConstant(Integer.MAX_VALUE).iadd();
        load(PLACE);
        code.l2i().loadConstant(factor).imul().loadConstant(Integer.MAX_VALUE).isub();
        code.iadd().i2l();
      }
      default -> {
        slot(slot);
        code.i2l();
        if (kernel.strided()) {
          code.loadConstant((long) kernel.threads()).lmul();
        }
        load(PLACE);
        code.loadConstant((long) factor).lmul().ladd();
      }
    }
  }

  private void total() {
    if (kernel.strided()) {
      code.loadConstant(kernel.threads()).imul();
    }
  }

  private void slot(Slot slot) {
    if (slot.index() != null) {
      index(slot.index());
    } else {
      value(slot.computed());
      code.loadConstant(KernelTree.OWN - 1).iand();
    }
  }

  private void index(Index index) {
    if (index.counter() == null) {
      code.loadConstant(index.plus());
      return;
    }
    load(index.counter());
    if (index.factor() != 1) {
      code.loadConstant(index.factor()).imul();
    }
    if (index.plus() != 0) {
      code.loadConstant(index.plus()).iadd();
    }
  }

  private void set(Space space) {
    narrow(space.kind());
    code.invokevirtual(
        space.desc(), "set", MethodTypeDesc.of(CD_void, CD_long, space.kind().desc()));
  }

  static ClassDesc vector(Space space, int count) {
    String name = space.type().substring("Global".length(), space.type().length() - 1);
    return ClassDesc.of("dev.stretto.memory", name + count);
  }

  private void loadVector(LoadVector it) {
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

  private void storeVector(StoreVector it) {
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

  private void count(Count it) {
    code.aload(locals.get("counters"));
    value(it.which());
    code.loadConstant(KernelTree.COUNTERS - 1).iand().loadConstant(it.first()).iadd().i2l();
    value(it.value());
    ClassDesc ints = Space.INTS.desc();
    code.invokestatic(ATOMICS, it.method(), MethodTypeDesc.of(CD_int, ints, CD_long, CD_int)).pop();
  }

  // Shared memory.

  private static ClassDesc shared(Kind kind) {
    String name = kind.java();
    return ClassDesc.of(
        "dev.stretto.kernel",
        "Shared" + Character.toUpperCase(name.charAt(0)) + name.substring(1) + "s");
  }

  private void share(Share it) {
    Kind kind = it.variable().kind();
    ClassDesc type = shared(kind);
    int count = kernel.blockThreads();
    Object array = new Object();
    code.aload(locals.get("block"));
    switch (view(it)) {
      case WHOLE -> allocate(type, it.pattern() == Pattern.TALLY ? 1 : count);
      case SLICE -> {
        allocate(type, count + it.by());
        code.loadConstant(it.by()).loadConstant(count);
        code.invokevirtual(type, "slice", MethodTypeDesc.of(type, CD_int, CD_int));
      }
      case BYTES -> {
        ClassDesc bytes = shared(Kind.BYTE);
        allocate(bytes, count * bytes(kind));
        String as = "as" + type.displayName().substring("Shared".length());
        code.invokevirtual(bytes, as, MethodTypeDesc.of(type));
      }
    }
    local(array, TypeKind.REFERENCE);
    code.astore(locals.get(array));
    switch (it.pattern()) {
      case TALLY -> tally(it, array, type);
      case TREE -> tree(it, array, type);
      default -> exchange(it, array, type);
    }
    store(it.variable());
    sync();
  }

  private void allocate(ClassDesc type, int length) {
    code.loadConstant(length);
    String method = "s" + type.displayName().substring(1);
    code.invokevirtual(BLOCK, method, MethodTypeDesc.of(type, CD_int));
  }

  /** How shared memory is come by. */
  enum View {
    WHOLE,
    SLICE,
    BYTES
  }

  static View view(Share it) {
    boolean plain = it.pattern() == Pattern.TALLY || it.variable().kind() == Kind.BYTE;
    return plain ? View.WHOLE : View.values()[it.by() % 3];
  }

  static int bytes(Kind kind) {
    return switch (kind) {
      case BYTE -> 1;
      case SHORT -> 2;
      case INT, FLOAT -> 4;
      default -> 8;
    };
  }

  private void sync() {
    code.aload(locals.get("block")).invokevirtual(BLOCK, "sync", NOTHING);
  }

  private void get(ClassDesc type, Kind kind) {
    code.invokevirtual(type, "get", MethodTypeDesc.of(kind.desc(), CD_int));
  }

  private void set(ClassDesc type, Kind kind) {
    code.invokevirtual(type, "set", MethodTypeDesc.of(CD_void, CD_int, kind.desc()));
  }

  private void exchange(Share it, Object array, ClassDesc type) {
    Kind kind = it.variable().kind();
    code.aload(locals.get(array));
    load(RANK);
    value(it.value());
    narrow(kind);
    set(type, kind);
    sync();
    code.aload(locals.get(array));
    load(RANK);
    code.loadConstant(it.by());
    if (it.pattern() == Pattern.ROTATE) {
      code.iadd().loadConstant(kernel.blockThreads()).irem();
    } else {
      code.ixor();
    }
    get(type, kind);
  }

  /** Combines two numbers in every round, until one is left. */
  private void tree(Share it, Object array, ClassDesc type) {
    Kind kind = it.variable().kind();
    code.aload(locals.get(array));
    load(RANK);
    value(it.value());
    narrow(kind);
    set(type, kind);
    sync();
    Variable half = new Variable(Kind.INT, "half of " + it.variable().name());
    code.loadConstant(kernel.blockThreads() / 2);
    store(half);
    Label top = code.newBoundLabel();
    Label end = code.newLabel();
    Label skip = code.newLabel();
    load(half);
    code.ifle(end);
    load(RANK);
    load(half);
    code.if_icmpge(skip);
    code.aload(locals.get(array));
    load(RANK);
    code.aload(locals.get(array));
    load(RANK);
    get(type, kind);
    code.aload(locals.get(array));
    load(RANK);
    load(half);
    code.iadd();
    get(type, kind);
    arithmetic(kind, CodeBuilder::iadd, CodeBuilder::lxor, CodeBuilder::fadd, CodeBuilder::dmul);
    set(type, kind);
    code.labelBinding(skip);
    sync();
    load(half);
    code.iconst_1().ishr();
    store(half);
    code.goto_(top).labelBinding(end);
    code.aload(locals.get(array)).iconst_0();
    get(type, kind);
  }

  private void tally(Share it, Object array, ClassDesc type) {
    Kind kind = it.variable().kind();
    Label others = code.newLabel();
    load(RANK);
    code.ifne(others);
    code.aload(locals.get(array)).iconst_0();
    literal(kind, it.by());
    set(type, kind);
    code.labelBinding(others);
    sync();
    code.aload(locals.get(array)).iconst_0();
    value(it.value());
    code.invokestatic(ATOMICS, "add", MethodTypeDesc.of(kind.desc(), type, CD_int, kind.desc()));
    if (kind == Kind.LONG) {
      code.pop2();
    } else {
      code.pop();
    }
    sync();
    code.aload(locals.get(array)).iconst_0();
    get(type, kind);
  }

  // Values.

  private void object(ObjectExpression expression) {
    switch (expression) {
      case New it -> {
        ClassDesc type = ClassDesc.of(it.type().name());
        code.new_(type).dup();
        for (int i = 0; i < it.arguments().size(); i++) {
          value(it.arguments().get(i));
          narrow(it.type().fields().get(i));
        }
        if (it.inner() != null) {
          object(it.inner());
        }
        code.invokespecial(type, INIT_NAME, MethodTypeDesc.of(CD_void, fields(it.type())));
      }
      case Inner it -> {
        code.aload(locals.get(it.of()));
        inner(it.of().type(), true);
      }
      case Make it -> call(it.helper(), it.arguments(), it.references());
      case Alias it -> code.aload(locals.get(it.of()));
      case ChooseObject it -> {
        Label otherwise = code.newLabel();
        Label end = code.newLabel();
        jump(it.condition(), otherwise, false);
        object(it.yes());
        code.goto_(end).labelBinding(otherwise);
        object(it.no());
        code.labelBinding(end);
      }
    }
  }

  private void literal(Kind kind, Object value) {
    switch (kind) {
      case BOOL -> code.loadConstant((Boolean) value ? 1 : 0);
      case LONG -> code.loadConstant(((Number) value).longValue());
      case FLOAT -> code.loadConstant(((Number) value).floatValue());
      case DOUBLE -> code.loadConstant(((Number) value).doubleValue());
      default -> code.loadConstant(((Number) value).intValue());
    }
  }

  private void value(Expression expression) {
    switch (expression) {
      case Literal it -> literal(it.kind(), it.value());
      case Read it -> load(it.variable());
      case Apply it -> {
        it.arguments().forEach(this::value);
        it.operation().code().accept(code);
      }
      case Compare it -> truth(it);
      case Logic it -> truth(it);
      case Not it -> truth(it);
      case Choose it -> {
        Label otherwise = code.newLabel();
        Label end = code.newLabel();
        jump(it.condition(), otherwise, false);
        value(it.yes());
        code.goto_(end).labelBinding(otherwise);
        value(it.no());
        code.labelBinding(end);
      }
      case Element it -> {
        code.aload(locals.get(it.array()));
        index(it.index());
        code.arrayLoad(it.array().element().stored());
      }
      case Component it -> {
        ObjectType type = it.type();
        ClassDesc owner = ClassDesc.of(type.name());
        ClassDesc field = type.fields().get(it.field()).desc();
        code.aload(locals.get(it.object()));
        if (it.inner()) {
          inner(it.object().type(), true);
        }
        if (type.isRecord()) {
          code.invokevirtual(owner, field(it.field()), MethodTypeDesc.of(field));
        } else {
          code.getfield(owner, field(it.field()), field);
        }
      }
      case Call it -> call(it.helper(), it.arguments(), it.references());
      case Load it -> {
        element(it.space(), it.slot());
        code.invokevirtual(
            it.space().desc(), "get", MethodTypeDesc.of(it.space().kind().desc(), CD_long));
      }
    }
  }

  private void call(String name, List<Expression> arguments, References references) {
    Helper helper = helper(kernel, name);
    for (int i = 0; i < arguments.size(); i++) {
      value(arguments.get(i));
      narrow(helper.parameters().get(i).kind());
    }
    references.arrays().forEach(array -> code.aload(locals.get(array)));
    references.objects().forEach(object -> code.aload(locals.get(object)));
    code.invokestatic(self, name, desc(helper));
  }

  /** The object in the object on the stack. */
  private void inner(ObjectType type, boolean get) {
    ClassDesc owner = ClassDesc.of(type.name());
    ClassDesc inner = ClassDesc.of(type.inner().name());
    String field = field(type.fields().size());
    if (!get) {
      code.putfield(owner, field, inner);
    } else if (type.isRecord()) {
      code.invokevirtual(owner, field, MethodTypeDesc.of(inner));
    } else {
      code.getfield(owner, field, inner);
    }
  }

  static Helper helper(Kernel kernel, String name) {
    return kernel.helpers().stream()
        .filter(helper -> helper.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private void truth(Expression condition) {
    Label no = code.newLabel();
    Label end = code.newLabel();
    jump(condition, no, false);
    code.iconst_1().goto_(end).labelBinding(no).iconst_0().labelBinding(end);
  }

  /** Jumps if a condition is as said; goes on otherwise. */
  private void jump(Expression condition, Label where, boolean when) {
    switch (condition) {
      case Not it -> jump(it.a(), where, !when);
      case Logic it -> {
        if (it.both() != when) {
          jump(it.a(), where, when);
          jump(it.b(), where, when);
        } else {
          Label skip = code.newLabel();
          jump(it.a(), skip, !when);
          jump(it.b(), where, when);
          code.labelBinding(skip);
        }
      }
      case Compare it -> compare(it, where, when);
      default -> {
        value(condition);
        if (when) {
          code.ifne(where);
        } else {
          code.ifeq(where);
        }
      }
    }
  }

  private void compare(Compare it, Label where, boolean when) {
    Comparison how = when ? it.how() : negated(it.how());
    Kind kind = it.a().kind();
    value(it.a());
    if (kind == Kind.INT || kind == Kind.BOOL) {
      if (it.b() instanceof Literal zero && zero.value().equals(0)) {
        ifZero(how, where);
        return;
      }
      value(it.b());
      ifInts(how, where);
      return;
    }
    value(it.b());
    // A comparison with NaN is false, so the one that is written decides, not the negated one.
    boolean less = it.how() == Comparison.LESS || it.how() == Comparison.NOT_MORE;
    switch (kind) {
      case LONG -> code.lcmp();
      case FLOAT -> {
        if (less) {
          code.fcmpg();
        } else {
          code.fcmpl();
        }
      }
      default -> {
        if (less) {
          code.dcmpg();
        } else {
          code.dcmpl();
        }
      }
    }
    ifZero(how, where);
  }

  private static Comparison negated(Comparison how) {
    return switch (how) {
      case LESS -> Comparison.NOT_LESS;
      case NOT_MORE -> Comparison.MORE;
      case MORE -> Comparison.NOT_MORE;
      case NOT_LESS -> Comparison.LESS;
      case SAME -> Comparison.DIFFERENT;
      case DIFFERENT -> Comparison.SAME;
    };
  }

  private void ifZero(Comparison how, Label where) {
    switch (how) {
      case LESS -> code.iflt(where);
      case NOT_MORE -> code.ifle(where);
      case MORE -> code.ifgt(where);
      case NOT_LESS -> code.ifge(where);
      case SAME -> code.ifeq(where);
      case DIFFERENT -> code.ifne(where);
    }
  }

  private void ifInts(Comparison how, Label where) {
    switch (how) {
      case LESS -> code.if_icmplt(where);
      case NOT_MORE -> code.if_icmple(where);
      case MORE -> code.if_icmpgt(where);
      case NOT_LESS -> code.if_icmpge(where);
      case SAME -> code.if_icmpeq(where);
      case DIFFERENT -> code.if_icmpne(where);
    }
  }
}
