package dev.stretto.compiler;

import dev.stretto.compiler.KernelOperations.Operation;
import dev.stretto.compiler.KernelTree.*;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Makes expressions up, of what is known where they stand. */
abstract class RandomExpressions extends Dice {
  /** A variable, and what is known of it. */
  record Known(Variable variable, boolean frozen, boolean uniform) {}

  final boolean reckless;
  final List<Known> variables = new ArrayList<>();
  final List<LocalArray> arrays = new ArrayList<>();
  final List<LocalObject> objects = new ArrayList<>();
  final Map<Variable, List<Long>> rounds = new HashMap<>();

  /** What is known to be the number of an element of the thread's own. */
  final List<Variable> guarded = new ArrayList<>();

  final List<Helper> helpers = new ArrayList<>();
  boolean strided;
  boolean inHelper;
  boolean onlyUniform;

  RandomExpressions(long seed, boolean reckless) {
    super(seed);
    this.reckless = reckless;
  }

  Kind anyKind() {
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

  Kind numberKind() {
    return any(Kind.INT, Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE);
  }

  int style() {
    return random.nextInt(strided ? Slot.SLICED : Slot.SLICED + 1);
  }

  static Space spaceOf(Kind kind) {
    return switch (kind) {
      case BYTE -> Space.BYTES;
      case SHORT -> Space.SHORTS;
      case LONG -> Space.LONGS;
      case FLOAT -> Space.FLOATS;
      case DOUBLE -> Space.DOUBLES;
      default -> Space.INTS;
    };
  }

  Expression condition() {
    return expression(Kind.BOOL, 2);
  }

  Expression uniformly(Supplier<Expression> made) {
    boolean before = onlyUniform;
    onlyUniform = true;
    Expression expression = made.get();
    onlyUniform = before;
    return expression;
  }

  Operation operator(String operator, Kind kind) {
    return KernelOperations.of(kind).stream()
        .filter(it -> it.java().equals("(%0 " + operator + " %1)"))
        .findFirst()
        .orElseThrow();
  }

  Apply binary(String operator, Kind kind, Expression a, long b) {
    Object literal = kind == Kind.INT ? (Object) (int) b : (Object) b;
    return new Apply(operator(operator, kind), List.of(a, new Literal(kind, literal)));
  }

  /** A constant, or a multiple of a counter that stays in range. */
  Index index(int length) {
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

  ObjectExpression object(ObjectType type, int deep) {
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

  Slot slot() {
    if (reckless && chance(10)) {
      return new Slot(null, expression(Kind.INT, 1), Slot.RAW);
    }
    if (!onlyUniform && !guarded.isEmpty() && chance(50)) {
      return new Slot(new Index(any(guarded), 1, 0), null, style());
    }
    if (!onlyUniform && chance(20)) {
      return new Slot(null, expression(Kind.INT, 1), style());
    }
    return new Slot(index(KernelTree.OWN), null, style());
  }

  Expression expression(Kind kind, int deep) {
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
    if (kind == Kind.FLOAT || kind == Kind.DOUBLE) {
      // Long ones, whose bodies are the kernel's then.
      if (chance(2)) {
        Operation function = any(KernelOperations.functions(kind));
        List<Expression> numbers = new ArrayList<>();
        function.takes().forEach(it -> numbers.add(expression(it, deep - 1)));
        return new Apply(function, numbers);
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

  Expression call(Kind kind, int deep) {
    List<Helper> fitting =
        helpers.stream().filter(it -> it.gives(kind) && referencesFor(it) != null).toList();
    if (fitting.isEmpty()) {
      return null;
    }
    Helper helper = any(fitting);
    List<Expression> arguments = argumentsFor(helper, deep - 1);
    return new Call(helper.name(), kind, arguments, referencesFor(helper));
  }

  List<Expression> argumentsFor(Helper helper, int deep) {
    List<Expression> arguments = new ArrayList<>();
    helper.parameters().forEach(it -> arguments.add(expression(it.kind().computed(), deep)));
    return arguments;
  }

  /** Arrays and objects as a helper takes them; null if there are none. */
  References referencesFor(Helper helper) {
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

  Expression leaf(Kind kind) {
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

  Expression read(Kind kind) {
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

  Expression component(Kind kind) {
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
}
