package dev.stretto.compiler;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_byte;
import static java.lang.constant.ConstantDescs.CD_char;
import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_short;

import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A kernel as a tree, before it is a class file: every node knows its children and can be made
 * again with others, so that a kernel can be shrunk without knowing what its nodes mean.
 */
final class KernelTree {
  private KernelTree() {}

  /** A type of variables and elements. */
  @SuppressWarnings("ImmutableEnumChecker") // descriptors of types are immutable
  enum Kind {
    BOOL("boolean", TypeKind.BOOLEAN, CD_boolean),
    BYTE("byte", TypeKind.BYTE, CD_byte),
    SHORT("short", TypeKind.SHORT, CD_short),
    CHAR("char", TypeKind.CHAR, CD_char),
    INT("int", TypeKind.INT, CD_int),
    LONG("long", TypeKind.LONG, CD_long),
    FLOAT("float", TypeKind.FLOAT, CD_float),
    DOUBLE("double", TypeKind.DOUBLE, CD_double);

    private final String java;
    private final TypeKind stored;
    private final ClassDesc desc;

    Kind(String java, TypeKind stored, ClassDesc desc) {
      this.java = java;
      this.stored = stored;
      this.desc = desc;
    }

    String java() {
      return java;
    }

    TypeKind stored() {
      return stored;
    }

    ClassDesc desc() {
      return desc;
    }

    /** What it is computed with: what is narrower than an int is one. */
    Kind computed() {
      return this == BYTE || this == SHORT || this == CHAR ? INT : this;
    }
  }

  /** Part of a kernel. */
  sealed interface Node {
    default List<? extends Node> children() {
      return List.of();
    }

    /** {@return the same with other children, as many as it has} */
    default Node with(List<? extends Node> children) {
      return this;
    }
  }

  /** Something that has a value. */
  sealed interface Expression extends Node {
    Kind kind();
  }

  /** Something that is done. */
  sealed interface Statement extends Node {}

  /** Something whose value is an object. */
  sealed interface ObjectExpression extends Node {
    ObjectType type();
  }

  // What is named.

  /** A variable of a number; names differ within a kernel. */
  record Variable(Kind kind, String name) {}

  /** A variable that is an array of a few elements. */
  record LocalArray(Kind element, int length, String name) {}

  /** A variable that is an object. */
  record LocalObject(ObjectType type, String name) {}

  /**
   * A class of objects: a record, or a final class whose fields may be set.
   *
   * @param inner the class of a last field that is an object itself; null for none
   */
  record ObjectType(String name, boolean isRecord, List<Kind> fields, ObjectType inner) {}

  /**
   * A static method that the kernel calls.
   *
   * @param result an {@link Expression} or an {@link ObjectExpression}
   */
  record Helper(
      String name,
      List<Variable> parameters,
      List<LocalArray> arrays,
      List<LocalObject> objects,
      Body body,
      Node result)
      implements Node {
    @Override
    public List<Node> children() {
      return List.of(body, result);
    }

    @Override
    public Helper with(List<? extends Node> children) {
      return new Helper(name, parameters, arrays, objects, (Body) children.get(0), children.get(1));
    }

    boolean gives(Kind kind) {
      return result instanceof Expression value && value.kind() == kind;
    }

    boolean gives(ObjectType type) {
      return result instanceof ObjectExpression object && object.type().equals(type);
    }
  }

  /** What a call passes beside numbers. */
  record References(List<LocalArray> arrays, List<LocalObject> objects) {}

  /** One of the arrays in global memory that every kernel takes. */
  enum Space {
    BYTES("GlobalBytes", Kind.BYTE, 1),
    SHORTS("GlobalShorts", Kind.SHORT, 2),
    INTS("GlobalInts", Kind.INT, 4),
    LONGS("GlobalLongs", Kind.LONG, 8),
    FLOATS("GlobalFloats", Kind.FLOAT, 4),
    DOUBLES("GlobalDoubles", Kind.DOUBLE, 8),
    HALFS("GlobalHalfs", Kind.FLOAT, 2),
    BFLOATS("GlobalBfloats", Kind.FLOAT, 2);

    private final String type;
    private final Kind kind;
    private final int bytes;

    Space(String type, Kind kind, int bytes) {
      this.type = type;
      this.kind = kind;
      this.bytes = bytes;
    }

    String type() {
      return type;
    }

    ClassDesc desc() {
      return ClassDesc.of("dev.stretto.memory", type);
    }

    Kind kind() {
      return kind;
    }

    int bytes() {
      return bytes;
    }

    String java() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** How many elements of each global array a thread has. */
  static final int ELEMENTS = 24;

  /** How many of them statements use; the others are for what is left at the end. */
  static final int OWN = 8;

  /** How many counters all threads share, for each way to update one. */
  static final int COUNTERS = 4;

  // Expressions.

  /** A number. */
  record Literal(Kind kind, Object value) implements Expression {}

  /** A variable's value. */
  record Read(Variable variable) implements Expression {
    @Override
    public Kind kind() {
      return variable.kind().computed();
    }
  }

  /** An operator, a conversion, or a method of the JDK. */
  record Apply(KernelOperations.Operation operation, List<Expression> arguments)
      implements Expression {
    @Override
    public Kind kind() {
      return operation.result();
    }

    @Override
    public List<Expression> children() {
      return arguments;
    }

    @Override
    public Apply with(List<? extends Node> children) {
      return new Apply(operation, all(Expression.class, children));
    }
  }

  /** How two numbers are compared. */
  enum Comparison {
    LESS("<"),
    NOT_MORE("<="),
    MORE(">"),
    NOT_LESS(">="),
    SAME("=="),
    DIFFERENT("!=");

    private final String java;

    Comparison(String java) {
      this.java = java;
    }

    String java() {
      return java;
    }
  }

  /** A comparison. */
  record Compare(Comparison how, Expression a, Expression b) implements Expression {
    @Override
    public Kind kind() {
      return Kind.BOOL;
    }

    @Override
    public List<Expression> children() {
      return List.of(a, b);
    }

    @Override
    public Compare with(List<? extends Node> children) {
      return new Compare(how, (Expression) children.get(0), (Expression) children.get(1));
    }
  }

  /** Two conditions, of which the second is asked only where the first does not tell. */
  record Logic(boolean both, Expression a, Expression b) implements Expression {
    @Override
    public Kind kind() {
      return Kind.BOOL;
    }

    @Override
    public List<Expression> children() {
      return List.of(a, b);
    }

    @Override
    public Logic with(List<? extends Node> children) {
      return new Logic(both, (Expression) children.get(0), (Expression) children.get(1));
    }
  }

  /** That a condition does not hold. */
  record Not(Expression a) implements Expression {
    @Override
    public Kind kind() {
      return Kind.BOOL;
    }

    @Override
    public List<Expression> children() {
      return List.of(a);
    }

    @Override
    public Not with(List<? extends Node> children) {
      return new Not((Expression) children.getFirst());
    }
  }

  /** One of two values. */
  record Choose(Expression condition, Expression yes, Expression no) implements Expression {
    @Override
    public Kind kind() {
      return yes.kind();
    }

    @Override
    public List<Expression> children() {
      return List.of(condition, yes, no);
    }

    @Override
    public Choose with(List<? extends Node> children) {
      return new Choose(
          (Expression) children.get(0), (Expression) children.get(1), (Expression) children.get(2));
    }
  }

  /**
   * An index that is known once loops are unrolled.
   *
   * @param counter of a loop with a known number of rounds; null for none
   * @param factor of the counter
   * @param plus added to it
   */
  record Index(Variable counter, int factor, int plus) {
    int at(long count) {
      return (int) count * factor + plus;
    }
  }

  /** An element of a local array. */
  record Element(LocalArray array, Index index) implements Expression {
    @Override
    public Kind kind() {
      return array.element().computed();
    }
  }

  /** A field of an object, or of the object in it. */
  record Component(LocalObject object, boolean inner, int field) implements Expression {
    ObjectType type() {
      return inner ? object.type().inner() : object.type();
    }

    @Override
    public Kind kind() {
      return type().fields().get(field).computed();
    }
  }

  /**
   * What a helper gives; it is found by name, so that shrinking one shrinks what all calls mean.
   */
  record Call(String helper, Kind kind, List<Expression> arguments, References references)
      implements Expression {
    @Override
    public List<Expression> children() {
      return arguments;
    }

    @Override
    public Call with(List<? extends Node> children) {
      return new Call(helper, kind, all(Expression.class, children), references);
    }
  }

  /**
   * Which of a thread's own elements: one that is known, or one that is computed and wrapped.
   *
   * @param index known; null if computed
   * @param computed null if known
   * @param style how the address is written; {@link #RAW} for any element of the whole array, or
   *     none
   */
  record Slot(Index index, Expression computed, int style) implements Node {
    /** An int that wraps on its way to the number, which is right again at the end. */
    static final int WRAPPED = 3;

    /** In a slice of the thread's own elements. */
    static final int SLICED = 4;

    static final int RAW = 5;

    @Override
    public List<Expression> children() {
      return computed == null ? List.of() : List.of(computed);
    }

    @Override
    public Slot with(List<? extends Node> children) {
      return computed == null ? this : new Slot(null, (Expression) children.getFirst(), style);
    }
  }

  /** An element of global memory. */
  record Load(Space space, Slot slot) implements Expression {
    @Override
    public Kind kind() {
      return space.kind().computed();
    }

    @Override
    public List<Slot> children() {
      return List.of(slot);
    }

    @Override
    public Load with(List<? extends Node> children) {
      return new Load(space, (Slot) children.getFirst());
    }
  }

  // Objects.

  /** A new object; the object in it is null if there is none. */
  record New(ObjectType type, List<Expression> arguments, ObjectExpression inner)
      implements ObjectExpression {
    @Override
    public List<Node> children() {
      List<Node> children = new ArrayList<>(arguments);
      if (inner != null) {
        children.add(inner);
      }
      return children;
    }

    @Override
    public New with(List<? extends Node> children) {
      int count = arguments.size();
      return new New(
          type,
          all(Expression.class, children.subList(0, count)),
          inner == null ? null : (ObjectExpression) children.get(count));
    }
  }

  /** The object in an object. */
  record Inner(LocalObject of) implements ObjectExpression {
    @Override
    public ObjectType type() {
      return of.type().inner();
    }
  }

  /** The object that a helper gives. */
  record Make(String helper, ObjectType type, List<Expression> arguments, References references)
      implements ObjectExpression {
    @Override
    public List<Expression> children() {
      return arguments;
    }

    @Override
    public Make with(List<? extends Node> children) {
      return new Make(helper, type, all(Expression.class, children), references);
    }
  }

  /** An object that another variable has as well. */
  record Alias(LocalObject of) implements ObjectExpression {
    @Override
    public ObjectType type() {
      return of.type();
    }
  }

  /** One of two objects. */
  record ChooseObject(Expression condition, ObjectExpression yes, ObjectExpression no)
      implements ObjectExpression {
    @Override
    public ObjectType type() {
      return yes.type();
    }

    @Override
    public List<Node> children() {
      return List.of(condition, yes, no);
    }

    @Override
    public ChooseObject with(List<? extends Node> children) {
      return new ChooseObject(
          (Expression) children.get(0),
          (ObjectExpression) children.get(1),
          (ObjectExpression) children.get(2));
    }
  }

  // Statements.

  /** Several statements; what they declare is known to the end of the body. */
  record Body(List<Statement> statements) implements Node {
    @Override
    public List<Statement> children() {
      return statements;
    }

    @Override
    public Body with(List<? extends Node> children) {
      return new Body(all(Statement.class, children));
    }
  }

  /** A new variable. */
  record Declare(Variable variable, Expression value) implements Statement {
    @Override
    public List<Expression> children() {
      return List.of(value);
    }

    @Override
    public Declare with(List<? extends Node> children) {
      return new Declare(variable, (Expression) children.getFirst());
    }
  }

  /** A variable's new value. */
  record Assign(Variable variable, Expression value) implements Statement {
    @Override
    public List<Expression> children() {
      return List.of(value);
    }

    @Override
    public Assign with(List<? extends Node> children) {
      return new Assign(variable, (Expression) children.getFirst());
    }
  }

  /** A new array with values. */
  record DeclareArray(LocalArray array, List<Expression> values) implements Statement {
    @Override
    public List<Expression> children() {
      return values;
    }

    @Override
    public DeclareArray with(List<? extends Node> children) {
      return new DeclareArray(array, all(Expression.class, children));
    }
  }

  /** An element's new value. */
  record SetElement(LocalArray array, Index index, Expression value) implements Statement {
    @Override
    public List<Expression> children() {
      return List.of(value);
    }

    @Override
    public SetElement with(List<? extends Node> children) {
      return new SetElement(array, index, (Expression) children.getFirst());
    }
  }

  /** A new variable of an object. */
  record DeclareObject(LocalObject object, ObjectExpression value) implements Statement {
    @Override
    public List<ObjectExpression> children() {
      return List.of(value);
    }

    @Override
    public DeclareObject with(List<? extends Node> children) {
      return new DeclareObject(object, (ObjectExpression) children.getFirst());
    }
  }

  /** Another object for a variable. */
  record AssignObject(LocalObject object, ObjectExpression value) implements Statement {
    @Override
    public List<ObjectExpression> children() {
      return List.of(value);
    }

    @Override
    public AssignObject with(List<? extends Node> children) {
      return new AssignObject(object, (ObjectExpression) children.getFirst());
    }
  }

  /** A field's new value. */
  record SetField(LocalObject object, int field, Expression value) implements Statement {
    @Override
    public List<Expression> children() {
      return List.of(value);
    }

    @Override
    public SetField with(List<? extends Node> children) {
      return new SetField(object, field, (Expression) children.getFirst());
    }
  }

  /** Another object in an object. */
  record SetInner(LocalObject object, ObjectExpression value) implements Statement {
    @Override
    public List<ObjectExpression> children() {
      return List.of(value);
    }

    @Override
    public SetInner with(List<? extends Node> children) {
      return new SetInner(object, (ObjectExpression) children.getFirst());
    }
  }

  /** A choice. */
  record If(Expression condition, Body yes, Body no) implements Statement {
    @Override
    public List<Node> children() {
      return List.of(condition, yes, no);
    }

    @Override
    public If with(List<? extends Node> children) {
      return new If((Expression) children.get(0), (Body) children.get(1), (Body) children.get(2));
    }
  }

  /** A choice between many; without a break a case goes on into the next one. */
  record Switch(
      Expression on, List<Integer> keys, List<Boolean> breaks, List<Body> cases, Body otherwise)
      implements Statement {
    @Override
    public List<Node> children() {
      List<Node> children = new ArrayList<>(List.of(on));
      children.addAll(cases);
      children.add(otherwise);
      return children;
    }

    @Override
    public Switch with(List<? extends Node> children) {
      int last = children.size() - 1;
      return new Switch(
          (Expression) children.getFirst(),
          keys,
          breaks,
          all(Body.class, children.subList(1, last)),
          (Body) children.get(last));
    }
  }

  /** Where a loop's condition stands. */
  enum Layout {
    /** Before the body; a jump back behind it. */
    TOP,
    /** Behind the body, into which the loop begins with a jump. */
    BOTTOM,
    /** Behind the body, which is gone through once at least. */
    DO
  }

  /** What a loop does with its counter after every round. */
  enum Step {
    ADD("+="),
    MULTIPLY("*="),
    SHIFT_LEFT("<<="),
    SHIFT_RIGHT(">>="),
    SHIFT_RIGHT_UNSIGNED(">>>=");

    private final String java;

    Step(String java) {
      this.java = java;
    }

    String java() {
      return java;
    }
  }

  /**
   * A loop.
   *
   * @param amount of the counter's kind, or an int for shifts; does not change
   * @param fuel how many rounds there are at most; 0 where it ends by itself
   */
  record Loop(
      Layout layout,
      Variable counter,
      Expression start,
      Comparison comparison,
      Expression bound,
      Step step,
      Expression amount,
      int fuel,
      Body body)
      implements Statement {
    @Override
    public List<Node> children() {
      return List.of(start, bound, amount, body);
    }

    @Override
    public Loop with(List<? extends Node> children) {
      return new Loop(
          layout,
          counter,
          (Expression) children.get(0),
          comparison,
          (Expression) children.get(1),
          step,
          (Expression) children.get(2),
          fuel,
          (Body) children.get(3));
    }
  }

  /** A break or a continue of a loop around. */
  record Leave(boolean again, Variable loop) implements Statement {}

  /** The end of the kernel for a thread, or of a helper with a value. */
  record Return(Expression value) implements Statement {
    @Override
    public List<Expression> children() {
      return value == null ? List.of() : List.of(value);
    }

    @Override
    public Return with(List<? extends Node> children) {
      return value == null ? this : new Return((Expression) children.getFirst());
    }
  }

  /** A new value for an element of global memory. */
  record Store(Space space, Slot slot, Expression value) implements Statement {
    @Override
    public List<Node> children() {
      return List.of(slot, value);
    }

    @Override
    public Store with(List<? extends Node> children) {
      return new Store(space, (Slot) children.get(0), (Expression) children.get(1));
    }
  }

  /** New variables for elements that are loaded at once. */
  record LoadVector(Space space, int from, List<Variable> variables) implements Statement {}

  /** New values for elements that are stored at once. */
  record StoreVector(Space space, int from, List<Expression> values) implements Statement {
    @Override
    public List<Expression> children() {
      return values;
    }

    @Override
    public StoreVector with(List<? extends Node> children) {
      return new StoreVector(space, from, all(Expression.class, children));
    }
  }

  /** An update of a counter of all threads, of which the order does not matter. */
  record Count(String method, int first, Expression which, Expression value) implements Statement {
    @Override
    public List<Expression> children() {
      return List.of(which, value);
    }

    @Override
    public Count with(List<? extends Node> children) {
      return new Count(method, first, (Expression) children.get(0), (Expression) children.get(1));
    }
  }

  /** A new variable with what an element of a thread's own was before it was updated. */
  record Update(Variable variable, String method, Space space, Slot slot, Expression value)
      implements Statement {
    @Override
    public List<Node> children() {
      return List.of(slot, value);
    }

    @Override
    public Update with(List<? extends Node> children) {
      return new Update(
          variable, method, space, (Slot) children.get(0), (Expression) children.get(1));
    }
  }

  /** A new variable with what threads do together. */
  record Meet(Variable variable, KernelOperations.Meeting meeting, List<Expression> arguments)
      implements Statement {
    @Override
    public List<Expression> children() {
      return arguments;
    }

    @Override
    public Meet with(List<? extends Node> children) {
      return new Meet(variable, meeting, all(Expression.class, children));
    }
  }

  /** How threads use shared memory. */
  enum Pattern {
    /** Each gets what the thread some places further has. */
    ROTATE,
    /** Each gets what the thread has whose rank differs in some bits. */
    EXCHANGE,
    /** Each gets what thread 0 has after all have been combined in a tree. */
    TREE,
    /** Each adds to one number and gets it. */
    TALLY
  }

  /**
   * A new variable with what comes out of shared memory; what the block has of it is one element a
   * thread.
   */
  record Share(Variable variable, Pattern pattern, int by, Expression value) implements Statement {
    @Override
    public List<Expression> children() {
      return List.of(value);
    }

    @Override
    public Share with(List<? extends Node> children) {
      return new Share(variable, pattern, by, (Expression) children.getFirst());
    }
  }

  /**
   * A whole kernel.
   *
   * @param strided whether a thread's elements lie apart, not side by side
   * @param grid blocks in x and y
   * @param block threads in x and y
   */
  @SuppressWarnings("ArrayRecordComponent") // kernels are not compared
  record Kernel(
      String name,
      int[] grid,
      int[] block,
      boolean strided,
      List<ObjectType> types,
      List<Helper> helpers,
      Body body)
      implements Node {
    @Override
    public List<Node> children() {
      List<Node> children = new ArrayList<>(helpers);
      children.add(body);
      return children;
    }

    @Override
    public Kernel with(List<? extends Node> children) {
      int last = children.size() - 1;
      return new Kernel(
          name,
          grid,
          block,
          strided,
          types,
          all(Helper.class, children.subList(0, last)),
          (Body) children.get(last));
    }

    int threads() {
      return grid[0] * grid[1] * blockThreads();
    }

    int blockThreads() {
      return block[0] * block[1];
    }
  }

  // The parameters and what every kernel begins with.
  static final Variable A_INT = new Variable(Kind.INT, "anInt");
  static final Variable A_LONG = new Variable(Kind.LONG, "aLong");
  static final Variable A_FLOAT = new Variable(Kind.FLOAT, "aFloat");
  static final Variable A_DOUBLE = new Variable(Kind.DOUBLE, "aDouble");
  static final Variable RANK = new Variable(Kind.INT, "rank");
  static final Variable PLACE = new Variable(Kind.LONG, "place");

  static final List<Variable> PARAMETERS = List.of(A_INT, A_LONG, A_FLOAT, A_DOUBLE);

  static <T> List<T> all(Class<T> kind, List<? extends Node> nodes) {
    return nodes.stream().map(kind::cast).toList();
  }

  /** {@return a tree in which every node was exchanged, leaves first} */
  @SuppressWarnings("ReferenceEquality") // trees are large
  static Node map(Node node, UnaryOperator<Node> by) {
    List<? extends Node> children = node.children();
    if (children.isEmpty()) {
      return by.apply(node);
    }
    boolean changed = false;
    List<Node> mapped = new ArrayList<>(children.size());
    for (Node child : children) {
      Node now = map(child, by);
      changed |= now != child;
      mapped.add(now);
    }
    return by.apply(changed ? node.with(mapped) : node);
  }

  /** {@return how many nodes a tree has} */
  static int size(Node node) {
    int size = 1;
    for (Node child : node.children()) {
      size += size(child);
    }
    return size;
  }

  /** {@return whether some node is of a class} */
  static boolean has(Node node, Class<?> kind) {
    return kind.isInstance(node) || node.children().stream().anyMatch(child -> has(child, kind));
  }
}
