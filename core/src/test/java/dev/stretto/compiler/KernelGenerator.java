package dev.stretto.compiler;

import dev.stretto.compiler.KernelOperations.Meeting;
import dev.stretto.compiler.KernelOperations.Operation;
import dev.stretto.compiler.KernelTree.*;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Makes kernels up: a seed always gives the same one. A kernel ends, writes only what is its own
 * (or what may be updated in any order), lets threads meet only where all of them come, and leaves
 * what it has computed in the arrays.
 */
final class KernelGenerator extends RandomLoops {
  /** How often a statement may be gone through in a kernel, roughly. */
  private static final int MOST_OFTEN = 48;

  /** A loop around, which threads leave together if it is uniform. */
  private record Around(Variable counter, boolean uniform) {}

  private final boolean together;
  private final String name;
  private final List<Around> loops = new ArrayList<>();
  private final List<ObjectType> types = new ArrayList<>();
  private Kind helperResult;
  private boolean uniform;
  private int often = 1;
  private int depth;

  private KernelGenerator(long seed, boolean reckless) {
    super(seed, reckless);
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
      return chance(60) ? List.of(store()) : guarded();
    } else if (pick < 97) {
      return vector();
    }
    return List.of(chance(50) ? count() : update());
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

  /** Accesses to an element that is asked for before whether it is there. */
  private List<Statement> guarded() {
    Variable number = new Variable(Kind.INT, fresh("g"));
    Declare declare = new Declare(number, expression(Kind.INT, 2));
    variables.add(new Known(number, true, false));
    Expression read = new Read(number);
    Expression condition =
        new Logic(
            true,
            new Compare(Comparison.NOT_LESS, read, new Literal(Kind.INT, 0)),
            new Compare(Comparison.LESS, read, new Literal(Kind.INT, KernelTree.OWN)));
    guarded.add(number);
    Body body =
        apart(
            true,
            () ->
                scoped(
                    () -> {
                      List<Statement> statements = new ArrayList<>();
                      Space space = any(Space.values());
                      Slot slot = new Slot(new Index(number, 1, 0), null, style());
                      List<Known> fitting =
                          variables.stream()
                              .filter(it -> !it.frozen() && it.variable().kind() == space.kind())
                              .toList();
                      statements.add(
                          fitting.isEmpty()
                              ? new Store(space, slot, expression(space.kind().computed(), 1))
                              : new Assign(any(fitting).variable(), new Load(space, slot)));
                      if (chance(40)) {
                        statements.addAll(statement());
                      }
                      return statements;
                    }));
    guarded.removeLast();
    return List.of(declare, new If(condition, body, new Body(List.of())));
  }

  private Update update() {
    Space space = any(Space.INTS, Space.INTS, Space.LONGS, Space.FLOATS, Space.DOUBLES);
    boolean whole = space == Space.INTS || space == Space.LONGS;
    String method =
        whole ? any("add", "min", "max", "and", "or", "xor", "exchange") : any("add", "exchange");
    Expression value = expression(space.kind(), 2);
    Slot slot = slot();
    Variable variable = new Variable(space.kind(), fresh("u"));
    variables.add(new Known(variable, false, false));
    return new Update(variable, method, space, slot, value);
  }

  private Store store() {
    Space space = any(Space.values());
    return new Store(space, slot(), expression(space.kind().computed(), 2));
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
}
