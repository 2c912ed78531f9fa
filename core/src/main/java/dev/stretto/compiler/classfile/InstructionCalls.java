package dev.stretto.compiler.classfile;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Attribute;
import dev.stretto.compiler.ir.Builder;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.NumberRange;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Trap;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Translates calls of methods that stand for PTX instructions. The text of the annotation has
 * placeholders for operands and results; see {@link dev.stretto.compiler.Instruction}.
 */
final class InstructionCalls {
  private static final String ROOM = "dev/stretto/kernel/";
  private static final String INSTRUCTION = "Ldev/stretto/compiler/Instruction;";
  private static final String CONST = "Ldev/stretto/kernel/Const;";
  private static final String RANGE = "Ldev/stretto/kernel/InRange;";

  private static final int OLDEST = 75;

  /** The oldest target that needs no substitutes. */
  private static final int FIRST_WITH_ALL = 80;

  static final String OFFSET = "Ldev/stretto/kernel/Offset;";
  static final Pattern PLACE =
      Pattern.compile(
          "\\$(?:(r)|(u)|t(\\d+)#(\\d+)/(\\d+)(?:\\?(\\d+))?|w(\\d+)\\.(\\d+)|(\\d+)\\.(\\d+)|([&@]?)(\\d+)\\[(\\d+)(?:\\?(\\d+))?]|(\\d+))");

  /** The content of an annotation. */
  record Template(
      String text, boolean pure, boolean convergent, Set<Integer> writes, int sm, String feature) {}

  private final Site site;
  private final Builder builder;
  private final ArrayMethods memory;

  InstructionCalls(Site site) {
    this.site = site;
    this.builder = site.builder();
    this.memory = new ArrayMethods(site);
  }

  static Optional<Template> template(MethodModel method, int target) {
    return method
        .findAttribute(Attributes.runtimeInvisibleAnnotations())
        .flatMap(
            attribute ->
                attribute.annotations().stream()
                    .filter(annotation -> annotation.className().equalsString(INSTRUCTION))
                    .findFirst())
        .map(annotation -> template(annotation, target));
  }

  private static Template template(Annotation annotation, int target) {
    String text = "";
    @Nullable String on75 = null;
    boolean pure = false;
    boolean convergent = false;
    Set<Integer> writes = new HashSet<>();
    int sm = OLDEST;
    String feature = "";
    for (AnnotationElement element : annotation.elements()) {
      switch (element.name().stringValue()) {
        case "value" -> text = lines(element);
        case "on75" -> on75 = lines(element);
        case "pure" -> pure = ((AnnotationValue.OfBoolean) element.value()).booleanValue();
        case "convergent" ->
            convergent = ((AnnotationValue.OfBoolean) element.value()).booleanValue();
        case "writes" ->
            ((AnnotationValue.OfArray) element.value())
                .values()
                .forEach(index -> writes.add(((AnnotationValue.OfInt) index).intValue()));
        case "sm" -> sm = ((AnnotationValue.OfInt) element.value()).intValue();
        default -> feature = ((AnnotationValue.OfString) element.value()).stringValue();
      }
    }
    return on75 != null && target < FIRST_WITH_ALL
        ? new Template(substitute(text, on75), pure, convergent, writes, OLDEST, feature)
        : new Template(text, pure, convergent, writes, sm, feature);
  }

  /**
   * The substitute after a comment with what it stands for, whose operands so have the same places
   * as on other targets: the lints read them.
   */
  private static String substitute(String text, String on75) {
    return text.lines().map(line -> "// " + line + "\n").collect(Collectors.joining()) + on75;
  }

  private static String lines(AnnotationElement element) {
    return ((AnnotationValue.OfArray) element.value())
        .values().stream()
            .map(line -> ((AnnotationValue.OfString) line).stringValue())
            .collect(Collectors.joining("\n"));
  }

  /** The parameters that carry an annotation. */
  static Set<Integer> annotated(MethodModel method, String descriptor) {
    Set<Integer> found = new HashSet<>();
    List<List<Annotation>> all = new ArrayList<>();
    method
        .findAttribute(Attributes.runtimeVisibleParameterAnnotations())
        .ifPresent(attribute -> all.addAll(attribute.parameterAnnotations()));
    collect(all, descriptor, found);
    all.clear();
    method
        .findAttribute(Attributes.runtimeInvisibleParameterAnnotations())
        .ifPresent(attribute -> all.addAll(attribute.parameterAnnotations()));
    collect(all, descriptor, found);
    return found;
  }

  private static void collect(List<List<Annotation>> all, String descriptor, Set<Integer> found) {
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).stream().anyMatch(it -> it.className().equalsString(descriptor))) {
        found.add(i);
      }
    }
  }

  static Set<Integer> constants(MethodModel method) {
    return annotated(method, CONST);
  }

  /** One call, with the values of its placeholders. */
  private final class Call {
    private final List<ClassDesc> types;
    private final List<Value> arguments;
    private final Set<Integer> constants;
    private final Set<Integer> offsets;
    private final List<Value> operands = new ArrayList<>();
    private final List<Type> results = new ArrayList<>();
    private final List<Asm.Piece> pieces = new ArrayList<>();
    private final Map<String, Integer> places = new HashMap<>();
    private final List<int[]> written = new ArrayList<>();

    Call(ClassFiles.Method method, List<Value> arguments) {
      this.types = method.model().methodTypeSymbol().parameterList();
      this.arguments = arguments;
      this.constants = constants(method.model());
      this.offsets = annotated(method.model(), OFFSET);
    }

    void place(Matcher at) {
      if (at.group(1) != null) {
        pieces.add(new Asm.Result(0));
      } else if (at.group(2) != null) {
        pieces.add(new Asm.Unique());
      } else if (at.group(3) != null) {
        inPlace(at);
      } else if (at.group(7) != null) {
        pieces.add(
            new Asm.Result(write(Integer.parseInt(at.group(7)), Integer.parseInt(at.group(8)))));
      } else if (at.group(9) != null) {
        int array = Integer.parseInt(at.group(9));
        int index = Integer.parseInt(at.group(10));
        pieces.add(
            new Asm.Operand(places.computeIfAbsent(at.group(), _ -> add(element(array, index)))));
      } else if (at.group(12) != null) {
        int array = Integer.parseInt(at.group(12));
        int index = Integer.parseInt(at.group(13));
        int place =
            places.computeIfAbsent(
                "$" + at.group().substring(at.group().indexOf(String.valueOf(array))),
                _ ->
                    add(
                        memory.address(
                            arguments.get(array),
                            owner(array),
                            arguments.get(index),
                            at.group(14) == null ? null : isUnread(at.group(14)))));
        pieces.add(
            switch (at.group(11)) {
              case "@" -> new Asm.Space(place);
              case "&" -> new Asm.Operand(place);
              default -> new Asm.Address(place);
            });
      } else {
        plain(Integer.parseInt(at.group(15)), at.group());
      }
    }

    /** Registers of a local array that an instruction reads and writes. */
    private void inPlace(Matcher at) {
      int array = Integer.parseInt(at.group(3));
      int count = Integer.parseInt(at.group(4));
      if (!(arguments.get(count) instanceof Constant known)) {
        throw site.refuse(
            "the number of registers that an instruction takes is not constant at this call",
            "write a number, a static final field or a @Const parameter of the "
                + "kernel, and compute conditions in the arguments (such as k > 0) into "
                + "variables first");
      }
      int unless = -1;
      if (at.group(6) != null) {
        int keeps = Integer.parseInt(at.group(6));
        unless = places.computeIfAbsent("$" + keeps, _ -> add(operand(keeps)));
      }
      long registers = known.asLong() / Integer.parseInt(at.group(5));
      for (int i = 0; i < registers; i++) {
        int operand = add(element(array, i));
        pieces.add(new Asm.Text(i == 0 ? "" : ", "));
        pieces.add(new Asm.InPlace(operand, write(array, i), unless));
      }
    }

    private void plain(int index, String place) {
      if (constants.contains(index)) {
        pieces.add(new Asm.Literal(places.computeIfAbsent(place, _ -> add(arguments.get(index)))));
      } else if (arguments.get(index).type() == Type.REF) {
        Type space =
            owner(index).startsWith("dev/stretto/kernel/Shared") ? Type.SHARED : Type.GLOBAL;
        pieces.add(
            new Asm.Address(
                places.computeIfAbsent(
                    place, _ -> add(builder.op(OpCode.VIEW_BASE, space, arguments.get(index))))));
      } else {
        pieces.add(new Asm.Operand(places.computeIfAbsent(place, _ -> add(operand(index)))));
      }
    }

    /** Whether the parameter that decides it says that nothing is read at an address. */
    private Value isUnread(String parameter) {
      int index = Integer.parseInt(parameter);
      boolean ignores = types.get(index).descriptorString().equals("Z");
      return builder.cmp(ignores ? Cond.NE : Cond.EQ, arguments.get(index), Constant.of(0));
    }

    private String owner(int index) {
      String descriptor = types.get(index).descriptorString();
      return descriptor.substring(1, descriptor.length() - 1);
    }

    private Value operand(int index) {
      Value value = arguments.get(index);
      return types.get(index).descriptorString().equals("Z")
          ? builder.cmp(Cond.NE, value, Constant.of(0))
          : value;
    }

    private int add(Value operand) {
      operands.add(operand);
      return operands.size() - 1;
    }

    private Value offset(int array, int index) {
      Value by = Constant.of(index);
      return offsets.contains(array + 1)
          ? builder.op(OpCode.ADD, Type.INT, arguments.get(array + 1), by)
          : by;
    }

    private Value element(int array, int index) {
      Element element = elementOf(array);
      return builder.op(
          OpCode.ARRAY_GET, element.type(), element, arguments.get(array), offset(array, index));
    }

    private Element elementOf(int array) {
      return Site.element(types.get(array).descriptorString().charAt(1));
    }

    private int write(int array, int index) {
      return places.computeIfAbsent(
          "w" + array + "." + index,
          _ -> {
            results.add(elementOf(array).type());
            written.add(new int[] {array, index, results.size() - 1});
            return results.size() - 1;
          });
    }
  }

  @Nullable Value call(ClassFiles.Method method, Template template, List<Value> all) {
    boolean isStatic = method.model().flags().has(AccessFlag.STATIC);
    List<Value> arguments = isStatic ? all : all.subList(1, all.size());
    ranges(method, arguments);
    Call call = new Call(method, arguments);
    ClassDesc returns = method.model().methodTypeSymbol().returnType();
    boolean predicate = returns.descriptorString().equals("Z");
    Type type = predicate ? Type.BOOL : Site.type(returns);
    if (type != Type.VOID) {
      call.results.add(type);
    }
    Matcher matcher = PLACE.matcher(template.text());
    int end = 0;
    while (matcher.find()) {
      call.pieces.add(new Asm.Text(template.text().substring(end, matcher.start())));
      call.place(matcher);
      end = matcher.end();
    }
    call.pieces.add(new Asm.Text(template.text().substring(end)));
    Asm asm =
        new Asm(
            name(method, template),
            List.copyOf(call.pieces),
            List.copyOf(call.results),
            template.pure(),
            template.convergent(),
            template.sm(),
            template.feature());
    return emit(call, asm, type, predicate);
  }

  /**
   * The instruction's name for a refusal because the target does not have it: the name by which the
   * kernel calls it.
   */
  private String name(ClassFiles.Method method, Template template) {
    return template.sm() > site.target() && !site.writtenAs().isEmpty()
        ? ROOM + site.writtenAs()
        : method.owner().thisClass().asInternalName()
            + "."
            + method.model().methodName().stringValue();
  }

  private void ranges(ClassFiles.Method method, List<Value> arguments) {
    List<List<Annotation>> all =
        method
            .model()
            .findAttribute(Attributes.runtimeInvisibleParameterAnnotations())
            .map(attribute -> attribute.parameterAnnotations())
            .orElse(List.of());
    for (int i = 0; i < all.size(); i++) {
      for (Annotation annotation : all.get(i)) {
        if (annotation.className().equalsString(RANGE)) {
          range(arguments.get(i), range(annotation, "parameter " + i + " of " + method.name()));
        }
      }
    }
  }

  private static NumberRange range(Annotation annotation, String what) {
    long from = 0;
    long to = NumberRange.ENDLESS;
    int multipleOf = 1;
    String name = what;
    for (AnnotationElement element : annotation.elements()) {
      switch (element.name().stringValue()) {
        case "from" -> from = number(element);
        case "to" -> to = number(element);
        case "multipleOf" -> multipleOf = number(element);
        default -> name = ((AnnotationValue.OfString) element.value()).stringValue();
      }
    }
    return new NumberRange(name, from, to, multipleOf);
  }

  private static int number(AnnotationElement element) {
    return ((AnnotationValue.OfInt) element.value()).intValue();
  }

  private void range(Value number, NumberRange range) {
    builder.op(OpCode.IN_RANGE, Type.VOID, range, number);
    Type type = number.type();
    boolean wide = type == Type.LONG;
    Value from = wide ? Constant.of(range.from()) : Constant.of((int) range.from());
    long most = wide ? range.to() : Math.min(range.to(), Integer.MAX_VALUE);
    Value to = wide ? Constant.of(most) : Constant.of((int) most);
    Value mask = wide ? Constant.of(range.multipleOf() - 1L) : Constant.of(range.multipleOf() - 1);
    Value inside =
        builder.op(
            OpCode.AND,
            Type.BOOL,
            builder.cmp(Cond.GE, number, from),
            builder.op(
                OpCode.AND,
                Type.BOOL,
                builder.cmp(Cond.LE, number, to),
                builder.cmp(
                    Cond.EQ, builder.op(OpCode.AND, type, number, mask), Constant.zero(type))));
    site.check(inside, Trap.Kind.RANGE, range.toString(), number);
  }

  private @Nullable Value emit(Call call, Asm asm, Type type, boolean predicate) {
    Value[] operands = call.operands.toArray(new Value[0]);
    if (call.written.isEmpty()) {
      Value result = builder.op(OpCode.ASM, type, asm, operands);
      if (type == Type.VOID) {
        return null;
      }
      return predicate ? builder.op(OpCode.BOOL_TO_INT, Type.INT, result) : result;
    }
    Value tuple = builder.op(OpCode.ASM, Type.TUPLE, asm, operands);
    for (int[] place : call.written) {
      Element element = call.elementOf(place[0]);
      builder.op(
          OpCode.ARRAY_SET,
          Type.VOID,
          element,
          call.arguments.get(place[0]),
          call.offset(place[0], place[1]),
          builder.op(OpCode.EXTRACT, element.type(), new Attribute.Count(place[2]), tuple));
    }
    if (type == Type.VOID) {
      return null;
    }
    Value result = builder.op(OpCode.EXTRACT, type, new Attribute.Count(0), tuple);
    return predicate ? builder.op(OpCode.BOOL_TO_INT, Type.INT, result) : result;
  }
}
