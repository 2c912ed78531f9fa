package dev.stretto.compiler;

import dev.stretto.compiler.KernelOperations.Meeting;
import dev.stretto.compiler.KernelOperations.Operation;
import dev.stretto.compiler.KernelTree.*;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Makes kernels up: a seed always gives the same one. A kernel ends, writes only what is its own
 * (or what may be updated in any order), lets threads meet only where all of them come, and leaves
 * what it has computed in the arrays.
 */
final class KernelGenerator {
  /** How often a statement may be gone through in a kernel, roughly. */
  private static final int MOST_OFTEN = 48;

  /** A variable, and what is known of it. */
  private record Known(Variable variable, boolean frozen, boolean uniform) {}

  /** A loop around, which threads leave together if it is uniform. */
  private record Around(Variable counter, boolean uniform) {}

  private final SplittableRandom random;
  private final boolean together;
  private final boolean reckless;
  private final String name;
  private final List<Known> variables = new ArrayList<>();
  private final List<LocalArray> arrays = new ArrayList<>();
  private final List<LocalObject> objects = new ArrayList<>();
  private final List<Around> loops = new ArrayList<>();
  private final Map<Variable, List<Long>> rounds = new HashMap<>();
  private final List<ObjectType> types = new ArrayList<>();
  private final List<Helper> helpers = new ArrayList<>();
  private boolean strided;
  private boolean inHelper;
  private Kind helperResult;
  private boolean uniform;
  private boolean onlyUniform;
  private int often = 1;
  private int depth;
  private int names;

  private KernelGenerator(long seed, boolean reckless) {
    this.random = new SplittableRandom(seed);
    this.reckless = reckless;
    this.together = !reckless && random.nextInt(4) == 0;
    this.name = (reckless ? "Reckless" : "Fuzzed") + Long.toUnsignedString(seed);
  }

  static Kernel generate(long seed) {
    return new KernelGenerator(seed, false).kernel();
  }

  /** {@return a kernel that may divide by zero, and look for elements where there are none} */
  static Kernel generateReckless(long seed) {
    return new KernelGenerator(seed, true).kernel();
  }

  /** {@return whether threads of a kernel meet} */
  static boolean threadsMeet(Kernel kernel) {
    return KernelTree.has(kernel, Meet.class) || KernelTree.has(kernel, Share.class);
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private int between(int low, int high) {
    return low + random.nextInt(high - low + 1);
  }

  @SafeVarargs
  private <T> T any(T... list) {
    return list[random.nextInt(list.length)];
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private String fresh(String prefix) {
    return prefix + names++;
  }

  // The kernel.

  private Kernel kernel() {
    int[][] shapes =
        together
            ? new int[][] {{1, 1, 64, 1}, {2, 1, 32, 1}, {1, 1, 32, 2}, {2, 1, 8, 4}}
            : new int[][] {{1, 1, 24, 1}, {2, 1, 12, 1}, {3, 1, 7, 1}, {2, 2, 3, 2}};
    int[] shape = any(shapes);
    strided = chance(50);
    for (int i = random.nextInt(3); i > 0; i--) {
      types.add(objectType());
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      helpers.add(helper());
    }
    inHelper = false;
    uniform = together;
    KernelTree.PARAMETERS.forEach(it -> variables.add(new Known(it, true, true)));
    variables.add(new Known(KernelTree.RANK, true, false));
    variables.add(new Known(KernelTree.PLACE, true, false));
    int given = variables.size();
    List<Statement> statements = new ArrayList<>();
    for (Kind kind : List.of(Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE)) {
      statements.add(declare(kind, new Load(spaceOf(kind), slot())));
    }
    int count = between(4, 12);
    for (int i = 0; i < count; i++) {
      statements.addAll(statement());
    }
    statements.addAll(keep(given));
    return new Kernel(
        name,
        new int[] {shape[0], shape[1]},
        new int[] {shape[2], shape[3]},
        strided,
        List.copyOf(types),
        List.copyOf(helpers),
        new Body(statements));
  }

  private ObjectType objectType() {
    List<Kind> fields = new ArrayList<>();
    for (int i = between(1, 4); i > 0; i--) {
      fields.add(anyKind());
    }
    List<ObjectType> plain =
        types.stream().filter(it -> it.isRecord() && it.inner() == null).toList();
    ObjectType inner = plain.isEmpty() || chance(50) ? null : any(plain);
    return new ObjectType(name + fresh("Type"), chance(60), fields, inner);
  }

  private Kind anyKind() {
    return any(
        Kind.INT,
        Kind.INT,
        Kind.INT,
        Kind.INT,
        Kind.LONG,
        Kind.LONG,
        Kind.FLOAT,
        Kind.FLOAT,
        Kind.DOUBLE,
        Kind.DOUBLE,
        Kind.BOOL,
        Kind.BYTE,
        Kind.SHORT,
        Kind.CHAR);
  }

  private Kind numberKind() {
    return any(Kind.INT, Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE);
  }

  private Helper helper() {
    variables.clear();
    arrays.clear();
    objects.clear();
    inHelper = true;
    uniform = false;
    boolean makes = !types.isEmpty() && chance(25);
    helperResult = makes ? null : chance(20) ? Kind.BOOL : numberKind();
    List<Variable> parameters = new ArrayList<>();
    for (int i = between(1, 3); i > 0; i--) {
      Variable parameter = new Variable(anyKind(), fresh("p"));
      parameters.add(parameter);
      variables.add(new Known(parameter, false, false));
    }
    if (chance(30)) {
      arrays.add(new LocalArray(numberKind(), between(2, 5), fresh("a")));
    }
    if (!types.isEmpty() && chance(40)) {
      objects.add(new LocalObject(any(types), fresh("o")));
    }
    List<LocalArray> arraysGiven = List.copyOf(arrays);
    List<LocalObject> objectsGiven = List.copyOf(objects);
    List<Statement> statements = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      statements.addAll(statement());
    }
    Node result = makes ? object(any(types), 1) : expression(helperResult, 2);
    Body body = new Body(statements);
    variables.clear();
    arrays.clear();
    objects.clear();
    return new Helper(fresh("helper"), parameters, arraysGiven, objectsGiven, body, result);
  }

  /** Writes what is known at the end into the arrays. */
  private List<Statement> keep(int given) {
    List<Statement> stores = new ArrayList<>();
    Map<Space, Integer> next = new HashMap<>();
    for (Known known : variables.subList(given, variables.size())) {
      keep(new Read(known.variable()), known.variable().kind(), next, stores);
    }
    for (LocalArray array : arrays) {
      for (int i = 0; i < array.length(); i++) {
        keep(new Element(array, new Index(null, 0, i)), array.element(), next, stores);
      }
    }
    for (LocalObject object : objects) {
      for (int i = 0; i < object.type().fields().size(); i++) {
        keep(new Component(object, false, i), object.type().fields().get(i), next, stores);
      }
      ObjectType inner = object.type().inner();
      for (int i = 0; inner != null && i < inner.fields().size(); i++) {
        keep(new Component(object, true, i), inner.fields().get(i), next, stores);
      }
    }
    return stores;
  }

  private void keep(Expression value, Kind kind, Map<Space, Integer> next, List<Statement> stores) {
    Space space =
        kind == Kind.FLOAT && chance(15) ? any(Space.HALFS, Space.BFLOATS) : spaceOf(kind);
    int at = next.merge(space, 1, Integer::sum) - 1 + KernelTree.OWN;
    if (at < KernelTree.ELEMENTS) {
      Expression number =
          kind == Kind.BOOL
              ? new Choose(value, new Literal(Kind.INT, 1), new Literal(Kind.INT, 0))
              : value;
      stores.add(new Store(space, new Slot(new Index(null, 0, at), null, style()), number));
    }
  }

  private int style() {
    return random.nextInt(strided ? Slot.SLICED : Slot.SLICED + 1);
  }

  private static Space spaceOf(Kind kind) {
    return switch (kind) {
      case BYTE -> Space.BYTES;
      case SHORT -> Space.SHORTS;
      case LONG -> Space.LONGS;
      case FLOAT -> Space.FLOATS;
      case DOUBLE -> Space.DOUBLES;
      default -> Space.INTS;
    };
  }

  // Statements.

  private Body body(int most) {
    return scoped(
        () -> {
          List<Statement> statements = new ArrayList<>();
          for (int i = between(1, most); i > 0; i--) {
            statements.addAll(statement());
          }
          return statements;
        });
  }

  /** What is declared in a body is known in it alone. */
  private Body scoped(Supplier<List<Statement>> made) {
    int variablesBefore = variables.size();
    int arraysBefore = arrays.size();
    int objectsBefore = objects.size();
    depth++;
    List<Statement> statements = made.get();
    depth--;
    variables.subList(variablesBefore, variables.size()).clear();
    arrays.subList(arraysBefore, arrays.size()).clear();
    objects.subList(objectsBefore, objects.size()).clear();
    return new Body(statements);
  }

  private List<Statement> statement() {
    boolean meets = together && uniform && !inHelper && often <= 8;
    if (meets && chance(25)) {
      return List.of(chance(65) ? meet() : share());
    }
    int pick = random.nextInt(100);
    boolean deep = depth >= 3;
    if (pick < 22) {
      Kind kind = anyKind();
      return List.of(declare(kind, expression(kind.computed(), 3)));
    } else if (pick < 42) {
      return assign();
    } else if (pick < 52) {
      return deep ? assign() : List.of(choice());
    } else if (pick < 63) {
      return deep ? assign() : loop();
    } else if (pick < 66) {
      return deep ? assign() : List.of(manyWays());
    } else if (pick < 70) {
      return List.of(declareArray());
    } else if (pick < 77) {
      return setElement();
    } else if (pick < 80) {
      return declareObject();
    } else if (pick < 85) {
      return changeObject();
    } else if (pick < 88) {
      return leave();
    } else if (inHelper) {
      return assign();
    } else if (pick < 94) {
      return List.of(store());
    } else if (pick < 97) {
      return vector();
    }
    return List.of(count());
  }

  private Declare declare(Kind kind, Expression value) {
    Variable variable = new Variable(kind, fresh("v"));
    variables.add(new Known(variable, false, false));
    return new Declare(variable, value);
  }

  private List<Statement> assign() {
    List<Known> free = variables.stream().filter(known -> !known.frozen()).toList();
    if (free.isEmpty()) {
      return List.of(declare(Kind.INT, expression(Kind.INT, 3)));
    }
    Variable variable = any(free).variable();
    Kind kind = variable.kind().computed();
    Operation sum =
        KernelOperations.of(Kind.INT).stream()
            .filter(it -> it.java().equals("(%0 + %1)"))
            .findFirst()
            .orElseThrow();
    if (kind == Kind.INT && chance(30)) {
      Expression by = new Literal(Kind.INT, between(-5, 9));
      return List.of(new Assign(variable, new Apply(sum, List.of(new Read(variable), by))));
    }
    return List.of(new Assign(variable, expression(kind, 3)));
  }

  private Expression condition() {
    return expression(Kind.BOOL, 2);
  }

  private Expression uniformly(Supplier<Expression> made) {
    boolean before = onlyUniform;
    onlyUniform = true;
    Expression expression = made.get();
    onlyUniform = before;
    return expression;
  }

  /** Has something made where threads may have gone different ways. */
  private <T> T apart(boolean apart, Supplier<T> made) {
    boolean before = uniform;
    uniform = uniform && !apart;
    T result = made.get();
    uniform = before;
    return result;
  }

  private If choice() {
    boolean same = uniform && chance(50);
    Expression condition = same ? uniformly(this::condition) : condition();
    return apart(
        !same,
        () -> {
          Body yes = body(3);
          Body no = chance(50) ? body(3) : new Body(List.of());
          return new If(condition, yes, no);
        });
  }

  private Switch manyWays() {
    boolean same = uniform && chance(50);
    Expression on =
        binary(
            "&",
            Kind.INT,
            same ? uniformly(() -> expression(Kind.INT, 1)) : expression(Kind.INT, 2),
            7);
    List<Integer> keys = new ArrayList<>();
    int key = random.nextInt(3);
    for (int i = between(1, 4); i > 0; i--) {
      keys.add(key);
      key += chance(70) ? 1 : between(2, 400);
    }
    return apart(
        !same,
        () -> {
          List<Boolean> breaks = new ArrayList<>();
          List<Body> cases = new ArrayList<>();
          for (int i = 0; i < keys.size(); i++) {
            breaks.add(chance(70));
            cases.add(body(2));
          }
          return new Switch(on, keys, breaks, cases, body(2));
        });
  }

  private Operation operator(String operator, Kind kind) {
    return KernelOperations.of(kind).stream()
        .filter(it -> it.java().equals("(%0 " + operator + " %1)"))
        .findFirst()
        .orElseThrow();
  }

  private Apply binary(String operator, Kind kind, Expression a, long b) {
    Object literal = kind == Kind.INT ? (Object) (int) b : (Object) b;
    return new Apply(operator(operator, kind), List.of(a, new Literal(kind, literal)));
  }

  private DeclareArray declareArray() {
    LocalArray array =
        new LocalArray(chance(75) ? numberKind() : anyKind(), between(2, 5), fresh("a"));
    List<Expression> values = new ArrayList<>();
    for (int i = chance(80) ? array.length() : 0; i > 0; i--) {
      values.add(expression(array.element().computed(), 1));
    }
    arrays.add(array);
    return new DeclareArray(array, values);
  }

  private List<Statement> setElement() {
    if (arrays.isEmpty()) {
      return List.of(declareArray());
    }
    LocalArray array = any(arrays);
    Expression value = expression(array.element().computed(), 2);
    return List.of(new SetElement(array, index(array.length()), value));
  }

  /** A constant, or a multiple of a counter that stays in range. */
  private Index index(int length) {
    if (!onlyUniform && chance(70)) {
      List<Variable> counters = new ArrayList<>();
      for (Known known : variables) {
        if (known.variable().kind() == Kind.INT && rounds.containsKey(known.variable())) {
          counters.add(known.variable());
        }
      }
      if (!counters.isEmpty()) {
        Variable counter = any(counters);
        for (int attempt = 0; attempt < 8; attempt++) {
          Index index = new Index(counter, any(1, 1, 1, -1, 2), between(-3, length));
          if (rounds.get(counter).stream()
              .allMatch(it -> index.at(it) >= 0 && index.at(it) < length)) {
            return index;
          }
        }
      }
    }
    return new Index(null, 0, random.nextInt(length));
  }

  private List<Statement> declareObject() {
    if (types.isEmpty()) {
      return assign();
    }
    ObjectType type = any(types);
    ObjectExpression value = object(type, 1);
    LocalObject object = new LocalObject(type, fresh("o"));
    objects.add(object);
    return List.of(new DeclareObject(object, value));
  }

  private ObjectExpression object(ObjectType type, int deep) {
    List<LocalObject> outer =
        objects.stream().filter(it -> type.equals(it.type().inner())).toList();
    if (!outer.isEmpty() && chance(25)) {
      return new Inner(any(outer));
    }
    List<Helper> makers =
        helpers.stream().filter(it -> it.gives(type) && referencesFor(it) != null).toList();
    if (!makers.isEmpty() && deep > 0 && chance(40)) {
      Helper helper = any(makers);
      return new Make(helper.name(), type, argumentsFor(helper, 1), referencesFor(helper));
    }
    List<LocalObject> same = objects.stream().filter(it -> it.type().equals(type)).toList();
    if (!same.isEmpty() && chance(25)) {
      return new Alias(any(same));
    }
    if (type.isRecord() && deep > 0 && chance(20)) {
      return new ChooseObject(condition(), object(type, deep - 1), object(type, deep - 1));
    }
    List<Expression> arguments = new ArrayList<>();
    type.fields().forEach(field -> arguments.add(expression(field.computed(), 1)));
    return new New(type, arguments, type.inner() == null ? null : object(type.inner(), deep - 1));
  }

  /** Another object for a record's variable; another value for a field of what can change. */
  private List<Statement> changeObject() {
    if (objects.isEmpty()) {
      return declareObject();
    }
    LocalObject object = any(objects);
    if (object.type().isRecord()) {
      return List.of(new AssignObject(object, object(object.type(), 1)));
    }
    if (object.type().inner() != null && chance(40)) {
      return List.of(new SetInner(object, object(object.type().inner(), 1)));
    }
    int field = random.nextInt(object.type().fields().size());
    Kind kind = object.type().fields().get(field).computed();
    return List.of(new SetField(object, field, expression(kind, 2)));
  }

  /** A break, a continue or a return on a condition. */
  private List<Statement> leave() {
    boolean mayReturn = inHelper ? helperResult != null : !together && depth > 0;
    if (loops.isEmpty() || (mayReturn && chance(15))) {
      if (!mayReturn) {
        return assign();
      }
      Expression value = inHelper ? expression(helperResult, 1) : null;
      return List.of(when(condition(), new Return(value)));
    }
    int at = chance(70) ? loops.size() - 1 : random.nextInt(loops.size());
    Variable loop = loops.get(at).counter();
    boolean leavesUniform = loops.subList(at, loops.size()).stream().anyMatch(Around::uniform);
    if (leavesUniform && !uniform) {
      return assign();
    }
    Expression condition = leavesUniform ? uniformly(this::condition) : condition();
    return List.of(when(condition, new Leave(chance(50), loop)));
  }

  private static If when(Expression condition, Statement then) {
    return new If(condition, new Body(List.of(then)), new Body(List.of()));
  }

  private Store store() {
    Space space = any(Space.values());
    return new Store(space, slot(), expression(space.kind().computed(), 2));
  }

  private Slot slot() {
    if (reckless && chance(10)) {
      return new Slot(null, expression(Kind.INT, 1), Slot.RAW);
    }
    if (!onlyUniform && chance(20)) {
      return new Slot(null, expression(Kind.INT, 1), style());
    }
    return new Slot(index(KernelTree.OWN), null, style());
  }

  private List<Statement> vector() {
    if (strided) {
      return List.of(store());
    }
    Space space = any(Space.INTS, Space.LONGS, Space.FLOATS, Space.DOUBLES);
    int count = space.bytes() == 4 && chance(60) ? 4 : 2;
    int from = random.nextInt(KernelTree.OWN / count) * count;
    if (chance(50)) {
      List<Variable> parts = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Variable variable = new Variable(space.kind(), fresh("v"));
        parts.add(variable);
        variables.add(new Known(variable, false, false));
      }
      return List.of(new LoadVector(space, from, parts));
    }
    List<Expression> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(expression(space.kind(), 2));
    }
    return List.of(new StoreVector(space, from, values));
  }

  private Count count() {
    List<String> methods = List.of("add", "min", "max", "and", "or", "xor");
    int method = random.nextInt(methods.size());
    int first = method * KernelTree.COUNTERS;
    return new Count(methods.get(method), first, expression(Kind.INT, 1), expression(Kind.INT, 2));
  }

  // What threads do together.

  private Meet meet() {
    Meeting meeting = any(KernelOperations.all());
    List<Expression> arguments = new ArrayList<>();
    for (int i = 0; i < meeting.takes().size(); i++) {
      boolean distance = i == 1 && !meeting.method().equals("shuffle");
      arguments.add(
          distance
              ? new Literal(Kind.INT, random.nextInt(32))
              : expression(meeting.takes().get(i), 2));
    }
    Variable variable = new Variable(meeting.result(), fresh("m"));
    variables.add(new Known(variable, false, false));
    return new Meet(variable, meeting, arguments);
  }

  private Share share() {
    Pattern pattern = any(Pattern.values());
    Kind kind =
        switch (pattern) {
          case TALLY -> any(Kind.INT, Kind.LONG);
          case TREE -> numberKind();
          default -> chance(80) ? numberKind() : any(Kind.BYTE, Kind.SHORT);
        };
    Expression value = expression(kind.computed(), 2);
    int by = pattern == Pattern.EXCHANGE ? random.nextInt(32) : between(0, 31);
    Variable variable = new Variable(kind, fresh("s"));
    boolean same = pattern == Pattern.TREE || pattern == Pattern.TALLY;
    // A value that all threads of the block have may decide what they do together.
    variables.add(new Known(variable, same, same));
    return new Share(variable, pattern, by, value);
  }

  // Loops.

  private List<Statement> loop() {
    if (often > MOST_OFTEN / 2) {
      return assign();
    }
    int pick = random.nextInt(100);
    boolean same = uniform && chance(70);
    List<Statement> statements = new ArrayList<>();
    Supplier<Loop> head =
        pick < 40
            ? this::counted
            : pick < 65 ? this::computed : pick < 85 ? () -> walk(statements, same) : this::fuelled;
    boolean before = onlyUniform;
    onlyUniform |= same;
    Loop loop = head.get();
    onlyUniform = before;
    List<Long> values = loop.fuel() > 0 ? null : KernelScopes.rounds(loop);
    int times = loop.fuel() > 0 ? loop.fuel() : values != null ? values.size() : 4;
    if (often * times > MOST_OFTEN) {
      statements.addAll(assign());
      return statements;
    }
    // What threads decide by together they may not change each for itself.
    boolean frozen = loop.fuel() == 0 || same;
    int oftenBefore = often;
    often *= Math.max(1, times);
    variables.add(new Known(loop.counter(), frozen, same));
    loops.add(new Around(loop.counter(), same));
    if (values != null) {
      rounds.put(loop.counter(), values);
    }
    boolean walks = !statements.isEmpty();
    Body body = apart(!same, () -> walks ? scoped(this::gathering) : body(4));
    rounds.remove(loop.counter());
    loops.removeLast();
    variables.removeLast();
    often = oftenBefore;
    statements.add(
        new Loop(
            loop.layout(),
            loop.counter(),
            loop.start(),
            loop.comparison(),
            loop.bound(),
            loop.step(),
            loop.amount(),
            loop.fuel(),
            body));
    return statements;
  }

  private Loop head(
      Layout layout,
      Kind kind,
      Expression start,
      Comparison comparison,
      Expression bound,
      Step step,
      Expression amount,
      int fuel) {
    Variable counter = new Variable(kind, fresh("i"));
    return new Loop(
        layout, counter, start, comparison, bound, step, amount, fuel, new Body(List.of()));
  }

  private Layout layout() {
    return any(Layout.TOP, Layout.TOP, Layout.TOP, Layout.BOTTOM, Layout.DO);
  }

  private static Object boxed(Kind kind, long value) {
    return switch (kind.computed()) {
      case LONG -> (Object) value;
      case FLOAT -> (Object) (float) value;
      case DOUBLE -> (Object) (double) value;
      default -> (Object) (int) value;
    };
  }

  private static Literal literal(Kind kind, long value) {
    return new Literal(kind.computed(), boxed(kind, value));
  }

  /** From one constant to another one, in any way that ends. */
  private Loop counted() {
    for (int attempt = 0; attempt < 20; attempt++) {
      Kind kind =
          any(
              Kind.INT,
              Kind.INT,
              Kind.INT,
              Kind.INT,
              Kind.INT,
              Kind.INT,
              Kind.LONG,
              Kind.LONG,
              Kind.BYTE,
              Kind.SHORT,
              Kind.CHAR);
      Loop loop =
          switch (random.nextInt(5)) {
            case 0 -> wrapping(kind);
            case 1 -> multiplied(kind);
            default -> straight(kind);
          };
      List<Long> values = KernelScopes.rounds(loop);
      if (values != null && values.size() <= 8) {
        return loop;
      }
    }
    return straight(Kind.INT);
  }

  private Loop straight(Kind kind) {
    boolean down = chance(25);
    long by = any(1, 1, 1, 1, 2, 3);
    long start = any(0L, 0L, 0L, 1L, (long) between(-4, 6));
    long count = between(0, 6);
    long end = down ? start - count * by : start + count * by;
    Comparison how =
        down
            ? any(Comparison.MORE, Comparison.NOT_LESS, Comparison.DIFFERENT)
            : any(Comparison.LESS, Comparison.LESS, Comparison.NOT_MORE, Comparison.DIFFERENT);
    return head(
        layout(),
        kind,
        literal(kind, start),
        how,
        literal(kind, end),
        Step.ADD,
        literal(kind, down ? -by : by),
        0);
  }

  /** Ends when the counter has gone beyond the greatest or the least number. */
  private Loop wrapping(Kind kind) {
    long most =
        switch (kind) {
          case BYTE -> Byte.MAX_VALUE;
          case SHORT -> Short.MAX_VALUE;
          case CHAR -> Character.MAX_VALUE;
          case LONG -> Long.MAX_VALUE;
          default -> Integer.MAX_VALUE;
        };
    boolean down = chance(40);
    long by = any(1L, 2L, most / 3, most / 2 + 1);
    long least = kind == Kind.CHAR ? 0 : -most - 1;
    long start = down ? least + random.nextInt(4) * by : most - random.nextInt(4) * by;
    Comparison how =
        down
            ? any(Comparison.LESS, Comparison.NOT_MORE)
            : any(Comparison.MORE, Comparison.NOT_LESS);
    long end = any(0L, start, start / 2);
    return head(
        layout(),
        kind,
        literal(kind, start),
        how,
        literal(kind, end),
        Step.ADD,
        literal(kind, down ? -by : by),
        0);
  }

  private Loop multiplied(Kind kind) {
    int bits = kind == Kind.LONG ? 63 : kind == Kind.BYTE ? 7 : kind == Kind.INT ? 31 : 15;
    Step step = any(Step.MULTIPLY, Step.SHIFT_LEFT, Step.SHIFT_RIGHT, Step.SHIFT_RIGHT_UNSIGNED);
    boolean shift = step != Step.MULTIPLY;
    long start =
        switch (step) {
          case MULTIPLY -> any(1L, 2L, -1L);
          case SHIFT_LEFT -> 1L << between(bits - 5, bits);
          default -> any(1L << between(0, 6), -1L << between(0, 6));
        };
    long end = any(0L, 0L, 1L, 100L, -100L);
    Literal by = shift ? literal(Kind.INT, between(1, 4)) : literal(kind, any(2L, 3L, -2L));
    return head(
        layout(),
        kind,
        literal(kind, start),
        any(Comparison.values()),
        literal(kind, end),
        step,
        by,
        0);
  }

  /** Begins and ends where the data says. */
  private Loop computed() {
    Kind kind = chance(80) ? Kind.INT : Kind.LONG;
    long by = any(1, 1, 1, 2, 3);
    boolean down = chance(30);
    Expression start =
        down
            ? binary("&", kind, expression(kind, 2), 7)
            : chance(50) ? literal(kind, 0) : binary("&", kind, expression(kind, 1), 3);
    Expression end = down ? literal(kind, between(-1, 1)) : bound(kind);
    Comparison how =
        down
            ? any(Comparison.MORE, Comparison.NOT_LESS)
            : any(Comparison.LESS, Comparison.LESS, Comparison.NOT_MORE);
    return head(layout(), kind, start, how, end, Step.ADD, literal(kind, down ? -by : by), 0);
  }

  /** From a number to another one that are both known before, as far as a type goes. */
  private Loop walk(List<Statement> before, boolean same) {
    Kind kind = chance(70) ? Kind.INT : Kind.LONG;
    boolean down = chance(30);
    long most = kind == Kind.INT ? Integer.MAX_VALUE : Long.MAX_VALUE;
    int by = any(1, 1, 1, 2, 3, 7);
    long base = any(0L, 0L, 0L, -5L, down ? -most + by : most - 15 - by);
    Expression near = offset(kind, base, binary("&", kind, expression(kind, 1), any(0, 3, 15)));
    Expression far = offset(kind, base, binary("&", kind, expression(kind, 2), 15));
    Expression amount = literal(kind, down ? -by : by);
    if (by == 3 && !down) {
      // A step that is known to the threads alone.
      amount = offset(kind, 1, binary("&", kind, expression(kind, 1), 2));
    }
    Expression start = named(kind, down ? far : near, before, same);
    Expression end = named(kind, down ? near : far, before, same);
    Expression step = amount instanceof Literal ? amount : named(kind, amount, before, same);
    Comparison how =
        down
            ? any(Comparison.MORE, Comparison.NOT_LESS)
            : any(Comparison.LESS, Comparison.LESS, Comparison.NOT_MORE);
    return head(
        any(Layout.TOP, Layout.TOP, Layout.BOTTOM), kind, start, how, end, Step.ADD, step, 0);
  }

  private Expression offset(Kind kind, long base, Expression expression) {
    return new Apply(operator("+", kind), List.of(literal(kind, base), expression));
  }

  /** A value that is computed once and kept. */
  private Expression named(Kind kind, Expression value, List<Statement> before, boolean same) {
    Variable variable = new Variable(kind, fresh("n"));
    before.add(new Declare(variable, value));
    variables.add(new Known(variable, true, same));
    return new Read(variable);
  }

  /** A few loads, of which something is made. */
  private List<Statement> gathering() {
    List<Statement> statements = new ArrayList<>();
    for (int i = between(1, 3); i > 0; i--) {
      List<Known> free =
          variables.stream()
              .filter(it -> !it.frozen() && it.variable().kind() != Kind.BOOL)
              .toList();
      if (free.isEmpty() || chance(15)) {
        statements.addAll(statement());
      } else {
        Variable variable = any(free).variable();
        Kind kind = variable.kind().computed();
        Slot slot = new Slot(null, asInt(loops.getLast().counter()), style());
        Expression value = inHelper ? expression(kind, 1) : new Load(spaceOf(kind), slot);
        Operation operator = operator(any("+", "-", "*"), kind);
        List<Expression> both = List.of(new Read(variable), value);
        statements.add(new Assign(variable, new Apply(operator, both)));
      }
    }
    return statements;
  }

  private static Expression asInt(Variable counter) {
    Operation cast =
        KernelOperations.of(Kind.INT).stream()
            .filter(it -> it.java().equals("(int) %0") && it.takes().equals(List.of(Kind.LONG)))
            .findFirst()
            .orElseThrow();
    Expression read = new Read(counter);
    return counter.kind() == Kind.LONG ? new Apply(cast, List.of(read)) : read;
  }

  /** Any way of counting, ended by force. */
  private Loop fuelled() {
    Kind kind = numberKind();
    boolean whole = kind == Kind.INT || kind == Kind.LONG;
    Step step = whole ? any(Step.values()) : any(Step.ADD, Step.MULTIPLY);
    boolean shift = step != Step.ADD && step != Step.MULTIPLY;
    Literal by = shift ? literal(Kind.INT, between(1, 40)) : new Literal(kind, number(kind));
    return head(
        layout(),
        kind,
        expression(kind, 2),
        any(Comparison.values()),
        expression(kind, 2),
        step,
        by,
        between(1, 6));
  }

  private Expression bound(Kind kind) {
    return binary("&", kind, expression(kind, 2), 7);
  }

  // Expressions.

  private Expression expression(Kind kind, int deep) {
    if (deep <= 0 || chance(15)) {
      return leaf(kind);
    }
    int pick = random.nextInt(100);
    if (kind == Kind.BOOL && pick < 65) {
      Kind compared = chance(5) ? Kind.BOOL : numberKind();
      Comparison how =
          compared == Kind.BOOL
              ? any(Comparison.SAME, Comparison.DIFFERENT)
              : any(Comparison.values());
      Expression b =
          compared == Kind.INT && chance(30)
              ? new Literal(Kind.INT, 0)
              : expression(compared, deep - 1);
      return new Compare(how, expression(compared, deep - 1), b);
    } else if (kind == Kind.BOOL && pick < 80) {
      return new Logic(chance(50), expression(kind, deep - 1), expression(kind, deep - 1));
    } else if (kind == Kind.BOOL && pick < 85) {
      return new Not(expression(kind, deep - 1));
    } else if (pick < 8) {
      return new Choose(
          expression(Kind.BOOL, deep - 1), expression(kind, deep - 1), expression(kind, deep - 1));
    } else if (pick < 16 && !onlyUniform) {
      Expression call = call(kind, deep);
      if (call != null) {
        return call;
      }
    }
    List<Operation> divisions = KernelOperations.divisions(kind);
    Operation operation =
        reckless && !divisions.isEmpty() && chance(5)
            ? any(divisions)
            : any(KernelOperations.of(kind));
    List<Expression> arguments = new ArrayList<>();
    operation.takes().forEach(it -> arguments.add(expression(it, deep - 1)));
    return new Apply(operation, arguments);
  }

  private Expression call(Kind kind, int deep) {
    List<Helper> fitting =
        helpers.stream().filter(it -> it.gives(kind) && referencesFor(it) != null).toList();
    if (fitting.isEmpty()) {
      return null;
    }
    Helper helper = any(fitting);
    List<Expression> arguments = argumentsFor(helper, deep - 1);
    return new Call(helper.name(), kind, arguments, referencesFor(helper));
  }

  private List<Expression> argumentsFor(Helper helper, int deep) {
    List<Expression> arguments = new ArrayList<>();
    helper.parameters().forEach(it -> arguments.add(expression(it.kind().computed(), deep)));
    return arguments;
  }

  /** Arrays and objects as a helper takes them; null if there are none. */
  private References referencesFor(Helper helper) {
    List<LocalArray> givenArrays = new ArrayList<>();
    for (LocalArray wanted : helper.arrays()) {
      arrays.stream()
          .filter(it -> it.element() == wanted.element() && it.length() == wanted.length())
          .findFirst()
          .ifPresent(givenArrays::add);
    }
    List<LocalObject> givenObjects = new ArrayList<>();
    for (LocalObject wanted : helper.objects()) {
      objects.stream()
          .filter(it -> it.type().equals(wanted.type()))
          .findFirst()
          .ifPresent(givenObjects::add);
    }
    boolean all =
        givenArrays.size() == helper.arrays().size()
            && givenObjects.size() == helper.objects().size();
    return all ? new References(givenArrays, givenObjects) : null;
  }

  private Expression leaf(Kind kind) {
    int pick = random.nextInt(100);
    if (pick < 60) {
      Expression read = read(kind);
      if (read != null) {
        return read;
      }
    } else if (pick < 68 && !onlyUniform) {
      List<LocalArray> fitting =
          arrays.stream().filter(it -> it.element().computed() == kind).toList();
      if (!fitting.isEmpty()) {
        LocalArray array = any(fitting);
        return new Element(array, index(array.length()));
      }
    } else if (pick < 75 && !onlyUniform) {
      Expression component = component(kind);
      if (component != null) {
        return component;
      }
    } else if (pick < 82 && !onlyUniform && !inHelper) {
      List<Space> fitting =
          List.of(Space.values()).stream().filter(it -> it.kind().computed() == kind).toList();
      if (!fitting.isEmpty()) {
        return new Load(any(fitting), slot());
      }
    }
    return kind == Kind.BOOL ? new Literal(Kind.BOOL, chance(50)) : new Literal(kind, number(kind));
  }

  private Expression read(Kind kind) {
    Predicate<Known> fits =
        known -> known.variable().kind().computed() == kind && (known.uniform() || !onlyUniform);
    List<Known> fitting = variables.stream().filter(fits).toList();
    if (fitting.isEmpty()) {
      return null;
    }
    // What was declared last is what was not used yet.
    int at = Math.max(random.nextInt(fitting.size()), random.nextInt(fitting.size()));
    return new Read(fitting.get(at).variable());
  }

  private Expression component(Kind kind) {
    for (int attempt = 0; attempt < 3 && !objects.isEmpty(); attempt++) {
      LocalObject object = any(objects);
      boolean inner = object.type().inner() != null && chance(50);
      List<Kind> fields = (inner ? object.type().inner() : object.type()).fields();
      int field = random.nextInt(fields.size());
      if (fields.get(field).computed() == kind) {
        return new Component(object, inner, field);
      }
    }
    return null;
  }

  private Object number(Kind kind) {
    return Numbers.any(random, kind);
  }

  /** Numbers at which something happens, and others. */
  static final class Numbers {
    private static final int[] INTS = {
      0,
      1,
      -1,
      2,
      3,
      4,
      5,
      7,
      8,
      10,
      15,
      16,
      31,
      32,
      33,
      63,
      64,
      100,
      127,
      128,
      255,
      256,
      -2,
      -7,
      -128,
      -129,
      32767,
      32768,
      -32768,
      65535,
      65536,
      1 << 24,
      Integer.MAX_VALUE,
      Integer.MIN_VALUE,
      Integer.MIN_VALUE + 1,
      0x55555555,
      0xAAAAAAAA
    };
    private static final double[] DOUBLES = {
      0,
      -0.0,
      1,
      -1,
      0.5,
      -0.5,
      1.5,
      2,
      2.5,
      3,
      10,
      0.1,
      1e-3,
      1e10,
      -1e10,
      65504,
      65520,
      1e-40,
      1e40,
      -1e300,
      2147483647,
      2147483648.0,
      -2147483649.0,
      9.3e18,
      -9.3e18,
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      Double.MIN_VALUE,
      Double.MAX_VALUE,
      Float.MIN_VALUE,
      Float.MAX_VALUE
    };

    private Numbers() {}

    static Object any(SplittableRandom random, Kind kind) {
      return switch (kind.computed()) {
        case LONG -> (Object) wide(random);
        case FLOAT -> (Object) (float) floating(random);
        case DOUBLE -> (Object) floating(random);
        default -> (Object) whole(random);
      };
    }

    private static int whole(SplittableRandom random) {
      return switch (random.nextInt(4)) {
        case 0 -> random.nextInt();
        case 1 -> random.nextInt(-20, 21);
        default -> INTS[random.nextInt(INTS.length)];
      };
    }

    private static long wide(SplittableRandom random) {
      return switch (random.nextInt(5)) {
        case 0 -> random.nextLong();
        case 1 -> random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE;
        case 2 -> (long) whole(random) << random.nextInt(33);
        default -> whole(random);
      };
    }

    private static double floating(SplittableRandom random) {
      return switch (random.nextInt(5)) {
        case 0 -> random.nextDouble(-10, 10);
        case 1 -> random.nextInt(-100, 100);
        case 2 -> Math.scalb(random.nextDouble(-1, 1), random.nextInt(-160, 160));
        default -> DOUBLES[random.nextInt(DOUBLES.length)];
      };
    }
  }
}
