package dev.stretto.compiler;

import static dev.stretto.compiler.KernelTree.ELEMENTS;
import static dev.stretto.compiler.KernelTree.PLACE;
import static dev.stretto.compiler.KernelTree.RANK;

import dev.stretto.compiler.KernelTree.*;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes a kernel as Java, to be read and to become a test of its own. */
final class KernelText {
  private final Kernel kernel;
  private final StringBuilder out = new StringBuilder();
  private int depth = 1;
  private int shared;

  private KernelText(Kernel kernel) {
    this.kernel = kernel;
  }

  static String of(Kernel kernel) {
    return new KernelText(kernel).write();
  }

  private String write() {
    out.append(
            """
            import dev.stretto.kernel.*;
            import dev.stretto.kernel.math.*;
            import dev.stretto.memory.*;

            """)
        .append("// ")
        .append(kernel.grid()[0])
        .append(" x ")
        .append(kernel.grid()[1]);
    out.append(" blocks of ").append(kernel.block()[0]).append(" x ").append(kernel.block()[1]);
    out.append(" threads\npublic final class ").append(kernel.name()).append(" {\n");
    kernel.types().forEach(this::type);
    line("static float number(float x) { return x == x ? x : 1.5f; }");
    line("static double number(double x) { return x == x ? x : 1.5; }");
    kernel.helpers().forEach(this::helper);
    line("@Kernel");
    line(
        "public static void "
            + KernelClassFile.method(kernel)
            + "(ThreadBlock block, "
            + IntStream.range(0, Space.values().length)
                .mapToObj(i -> Space.values()[i].type() + " " + Space.values()[i].java())
                .collect(Collectors.joining(", "))
            + ", GlobalInts counters, int anInt, long aLong, float aFloat, double aDouble) {");
    depth++;
    line("int rank = block.threadRank();");
    String blocks = "(block.blockIndexX() + block.blockIndexY() * block.gridSizeX())";
    line("long place = (long) " + blocks + " * block.size() + rank;");
    kernel.body().statements().forEach(this::statement);
    depth--;
    line("}");
    return out.append("}\n").toString();
  }

  private void line(String text) {
    out.append("  ".repeat(depth)).append(text).append('\n');
  }

  private void type(ObjectType type) {
    List<String> fields =
        new ArrayList<>(
            IntStream.range(0, type.fields().size())
                .mapToObj(i -> type.fields().get(i).java() + " " + KernelClassFile.field(i))
                .toList());
    if (type.inner() != null) {
      fields.add(type.inner().name() + " " + KernelClassFile.field(type.fields().size()));
    }
    String list = String.join(", ", fields);
    if (type.isRecord()) {
      line("record " + type.name() + "(" + list + ") {}");
      return;
    }
    line("static final class " + type.name() + " {");
    fields.forEach(field -> line("  " + field + ";"));
    line("  " + type.name() + "(" + list + ") {");
    for (int i = 0; i < fields.size(); i++) {
      String field = KernelClassFile.field(i);
      line("    this." + field + " = " + field + ";");
    }
    line("  }");
    line("}");
  }

  private void helper(Helper helper) {
    List<String> parameters = new ArrayList<>();
    helper.parameters().forEach(it -> parameters.add(it.kind().java() + " " + it.name()));
    helper.arrays().forEach(it -> parameters.add(it.element().java() + "[] " + it.name()));
    helper.objects().forEach(it -> parameters.add(it.type().name() + " " + it.name()));
    String type =
        helper.result() instanceof Expression value
            ? value.kind().java()
            : ((ObjectExpression) helper.result()).type().name();
    line("static " + type + " " + helper.name() + "(" + String.join(", ", parameters) + ") {");
    block(helper.body());
    String result =
        helper.result() instanceof Expression value
            ? value(value)
            : object((ObjectExpression) helper.result());
    line("  return " + result + ";");
    line("}");
  }

  private void block(Body body) {
    depth++;
    body.statements().forEach(this::statement);
    depth--;
  }

  private void statement(Statement statement) {
    switch (statement) {
      case Declare it -> line(declared(it.variable()) + narrowed(it.variable().kind(), it.value()));
      case Assign it ->
          line(it.variable().name() + " = " + narrowed(it.variable().kind(), it.value()));
      case DeclareArray it -> {
        String type = it.array().element().java() + "[]";
        String all =
            it.values().stream()
                .map(value -> narrow(it.array().element(), value))
                .collect(Collectors.joining(", "));
        String values =
            it.values().isEmpty()
                ? "new " + it.array().element().java() + "[" + it.array().length() + "]"
                : "{" + all + "}";
        line(type + " " + it.array().name() + " = " + values + ";");
      }
      case SetElement it ->
          line(
              element(it.array(), it.index()) + " = " + narrowed(it.array().element(), it.value()));
      case DeclareObject it ->
          line(
              it.object().type().name()
                  + " "
                  + it.object().name()
                  + " = "
                  + object(it.value())
                  + ";");
      case AssignObject it -> line(it.object().name() + " = " + object(it.value()) + ";");
      case SetField it ->
          line(
              it.object().name()
                  + "."
                  + KernelClassFile.field(it.field())
                  + " = "
                  + narrowed(it.object().type().fields().get(it.field()), it.value()));
      case SetInner it ->
          line(
              it.object().name()
                  + inner(it.object().type(), false)
                  + " = "
                  + object(it.value())
                  + ";");
      case If it -> {
        line("if (" + value(it.condition()) + ") {");
        block(it.yes());
        if (!it.no().statements().isEmpty()) {
          line("} else {");
          block(it.no());
        }
        line("}");
      }
      case Switch it -> choice(it);
      case Loop it -> loop(it);
      case Leave it ->
          line((it.again() ? "continue " : "break ") + "loop_" + it.loop().name() + ";");
      case Return it -> line(it.value() == null ? "return;" : "return " + value(it.value()) + ";");
      case Store it ->
          line(
              at(it.space(), "set", it.slot(), ", " + narrow(it.space().kind(), it.value())) + ";");
      case LoadVector it -> {
        String type = KernelClassFile.vector(it.space(), it.variables().size()).displayName();
        String name = "all_" + it.variables().getFirst().name();
        Slot slot = new Slot(new Index(null, 0, it.from()), null, 0);
        line(
            type
                + " "
                + name
                + " = "
                + at(it.space(), "get" + it.variables().size(), slot, "")
                + ";");
        for (int i = 0; i < it.variables().size(); i++) {
          line(declared(it.variables().get(i)) + name + "." + KernelClassFile.part(i) + "();");
        }
      }
      case StoreVector it -> {
        int count = it.values().size();
        String type = KernelClassFile.vector(it.space(), count).displayName();
        String all = it.values().stream().map(this::value).collect(Collectors.joining(", "));
        Slot slot = new Slot(new Index(null, 0, it.from()), null, 0);
        line(at(it.space(), "set" + count, slot, ", new " + type + "(" + all + ")") + ";");
      }
      case Count it ->
          line(
              "Atomics."
                  + it.method()
                  + "(counters, ("
                  + value(it.which())
                  + " & "
                  + (KernelTree.COUNTERS - 1)
                  + ") + "
                  + it.first()
                  + ", "
                  + value(it.value())
                  + ");");
      case Update it -> {
        String array = at(it.space(), "get", it.slot(), "");
        int get = array.lastIndexOf(".get(");
        line(
            declared(it.variable())
                + "Atomics."
                + it.method()
                + "("
                + array.substring(0, get)
                + ", "
                + array.substring(get + 5, array.length() - 1)
                + ", "
                + value(it.value())
                + ");");
      }
      case Meet it ->
          line(
              declared(it.variable())
                  + (it.meeting().ofBlock() ? "block." : "block.warp().")
                  + it.meeting().method()
                  + it.arguments().stream()
                      .map(this::value)
                      .collect(Collectors.joining(", ", "(", ");")));
      case Share it -> share(it);
    }
  }

  private static String declared(Variable variable) {
    return variable.kind().java() + " " + variable.name() + " = ";
  }

  private String narrowed(Kind kind, Expression value) {
    return narrow(kind, value) + ";";
  }

  private String narrow(Kind kind, Expression value) {
    return kind == kind.computed() ? value(value) : "(" + kind.java() + ") " + value(value);
  }

  private void choice(Switch it) {
    line("switch (" + value(it.on()) + ") {");
    for (int i = 0; i < it.keys().size(); i++) {
      line("case " + it.keys().get(i) + ":");
      block(it.cases().get(i));
      if (it.breaks().get(i)) {
        line("  break;");
      }
    }
    line("default:");
    block(it.otherwise());
    line("}");
  }

  private void loop(Loop it) {
    Variable counter = it.counter();
    String name = counter.name();
    String goesOn = name + " " + it.comparison().java() + " " + value(it.bound());
    String step = name + " " + it.step().java() + " " + value(it.amount());
    String begin = declared(counter) + narrow(counter.kind(), it.start());
    String fuel = "if (--fuel_" + name + " < 0) break;";
    if (it.fuel() > 0) {
      line("int fuel_" + name + " = " + it.fuel() + ";");
    }
    if (it.layout() == Layout.DO) {
      // Not a do loop, so that a continue goes to the step.
      line("boolean more_" + name + " = true;");
      line(begin + ";");
      line("loop_" + name + ":");
      line("for (; more_" + name + "; " + step + ", more_" + name + " = " + goesOn + ") {");
    } else {
      line("loop_" + name + ":");
      line("for (" + begin + "; " + goesOn + "; " + step + ") {");
    }
    if (it.fuel() > 0) {
      line("  " + fuel);
    }
    block(it.body());
    line("}");
  }

  private String at(Space space, String method, Slot slot, String value) {
    if (slot.style() == Slot.RAW) {
      return space.java() + "." + method + "(" + value(slot.computed()) + value + ")";
    }
    String number =
        slot.index() != null ? index(slot.index()) : "(" + value(slot.computed()) + " & 7)";
    if (!kernel.strided() && slot.style() == Slot.SLICED) {
      return space.java()
          + ".slice(place * "
          + ELEMENTS
          + ", "
          + ELEMENTS
          + ")."
          + method
          + "("
          + number
          + value
          + ")";
    }
    String own = kernel.strided() ? "" : " * " + ELEMENTS;
    String times = kernel.strided() ? " * " + kernel.threads() : "";
    String at =
        switch (slot.style()) {
          case 0 -> PLACE.name() + own + " + " + number + times;
          case 1 -> number + times + " + (int) " + PLACE.name() + own;
          case Slot.WRAPPED ->
              "("
                  + number
                  + times
                  + " + 2147483647) + ((int) "
                  + PLACE.name()
                  + own
                  + " - 2147483647)";
          default -> "(long) " + number + times + " + " + PLACE.name() + own;
        };
    return space.java() + "." + method + "(" + at + value + ")";
  }

  private static String element(LocalArray array, Index index) {
    return array.name() + "[" + index(index) + "]";
  }

  private static String index(Index index) {
    if (index.counter() == null) {
      return String.valueOf(index.plus());
    }
    String times = index.factor() == 1 ? "" : " * " + index.factor();
    String plus = index.plus() == 0 ? "" : " + " + index.plus();
    return times.isEmpty() && plus.isEmpty()
        ? index.counter().name()
        : "(" + index.counter().name() + times + plus + ")";
  }

  private void share(Share it) {
    Kind kind = it.variable().kind();
    String name = "shared" + shared++;
    String type =
        kind.java().substring(0, 1).toUpperCase(Locale.ROOT) + kind.java().substring(1) + "s";
    int count = kernel.blockThreads();
    int length = it.pattern() == Pattern.TALLY ? 1 : count;
    String made =
        switch (KernelClassFile.view(it)) {
          case WHOLE -> "block.shared" + type + "(" + length + ")";
          case SLICE ->
              "block.shared"
                  + type
                  + "("
                  + (length + it.by())
                  + ").slice("
                  + it.by()
                  + ", "
                  + length
                  + ")";
          case BYTES ->
              "block.sharedBytes(" + length * KernelClassFile.bytes(kind) + ").as" + type + "()";
        };
    line("Shared" + type + " " + name + " = " + made + ";");
    String got =
        switch (it.pattern()) {
          case ROTATE -> "(rank + " + it.by() + ") % " + count;
          case EXCHANGE -> "rank ^ " + it.by();
          case TREE, TALLY -> "0";
        };
    if (it.pattern() == Pattern.TALLY) {
      line("if (rank == 0) " + name + ".set(0, " + it.by() + ");");
      line("block.sync();");
      line("Atomics.add(" + name + ", 0, " + value(it.value()) + ");");
    } else {
      line(name + ".set(" + RANK.name() + ", " + narrow(kind, it.value()) + ");");
    }
    line("block.sync();");
    if (it.pattern() == Pattern.TREE) {
      String operator =
          switch (kind) {
            case LONG -> "^";
            case DOUBLE -> "*";
            default -> "+";
          };
      line("for (int half = " + count / 2 + "; half > 0; half >>= 1) {");
      line(
          "  if (rank < half) "
              + name
              + ".set(rank, "
              + name
              + ".get(rank) "
              + operator
              + " "
              + name
              + ".get(rank + half));");
      line("  block.sync();");
      line("}");
    }
    line(declared(it.variable()) + name + ".get(" + got + ");");
    line("block.sync();");
  }

  private String object(ObjectExpression expression) {
    return switch (expression) {
      case New it -> {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < it.arguments().size(); i++) {
          fields.add(narrow(it.type().fields().get(i), it.arguments().get(i)));
        }
        if (it.inner() != null) {
          fields.add(object(it.inner()));
        }
        yield "new " + it.type().name() + "(" + String.join(", ", fields) + ")";
      }
      case Inner it -> it.of().name() + inner(it.of().type(), true);
      case Make it -> call(it.helper(), it.arguments(), it.references());
      case Alias it -> it.of().name();
      case ChooseObject it ->
          "(" + value(it.condition()) + " ? " + object(it.yes()) + " : " + object(it.no()) + ")";
    };
  }

  private static String literal(Kind kind, Object value) {
    return switch (kind) {
      case LONG -> value + "L";
      case FLOAT -> floating("Float", ((Number) value).floatValue(), "f");
      case DOUBLE -> floating("Double", ((Number) value).doubleValue(), "");
      default -> String.valueOf(value);
    };
  }

  private static String floating(String type, double value, String suffix) {
    if (Double.isNaN(value)) {
      return type + ".NaN";
    }
    if (Double.isInfinite(value)) {
      return type + (value > 0 ? ".POSITIVE_INFINITY" : ".NEGATIVE_INFINITY");
    }
    return (suffix.isEmpty() ? Double.toString(value) : Float.toString((float) value)) + suffix;
  }

  private String value(Expression expression) {
    return switch (expression) {
      case Literal it -> {
        String text = literal(it.kind(), it.value());
        yield text.startsWith("-") ? "(" + text + ")" : text;
      }
      case Read it -> it.variable().name();
      case Apply it -> {
        String text = it.operation().java();
        for (int i = it.arguments().size() - 1; i >= 0; i--) {
          text = text.replace("%" + i, value(it.arguments().get(i)));
        }
        yield text.startsWith("(") && text.endsWith(")") ? text : "(" + text + ")";
      }
      case Compare it -> "(" + value(it.a()) + " " + it.how().java() + " " + value(it.b()) + ")";
      case Logic it -> "(" + value(it.a()) + (it.both() ? " && " : " || ") + value(it.b()) + ")";
      case Not it -> "!" + value(it.a());
      case Choose it ->
          "(" + value(it.condition()) + " ? " + value(it.yes()) + " : " + value(it.no()) + ")";
      case Element it -> element(it.array(), it.index());
      case Component it ->
          it.object().name()
              + (it.inner() ? inner(it.object().type(), true) : "")
              + "."
              + KernelClassFile.field(it.field())
              + (it.type().isRecord() ? "()" : "");
      case Call it -> call(it.helper(), it.arguments(), it.references());
      case Load it -> at(it.space(), "get", it.slot(), "");
    };
  }

  private static String inner(ObjectType type, boolean get) {
    return "." + KernelClassFile.field(type.fields().size()) + (get && type.isRecord() ? "()" : "");
  }

  private String call(String name, List<Expression> arguments, References references) {
    Helper helper = KernelClassFile.helper(kernel, name);
    List<String> all = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      all.add(narrow(helper.parameters().get(i).kind(), arguments.get(i)));
    }
    references.arrays().forEach(it -> all.add(it.name()));
    references.objects().forEach(it -> all.add(it.name()));
    return name + "(" + String.join(", ", all) + ")";
  }
}
