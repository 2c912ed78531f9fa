package dev.stretto.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.lang.constant.ClassDesc;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of methods that access host memory: {@code accesses.txt} says how it reads. */
final class KnownCalls {
  private static final Pattern ROW =
      Pattern.compile("(static )?(\\S+) ([\\w<>]+)\\(([^)]*)\\)\\s+(\\S.*)");

  private static final Pattern HOOK = Pattern.compile("(\\w+)\\(([^)]*)\\)");

  private static final List<String> NUMBERS =
      List.of("Byte", "Char", "Short", "Int", "Long", "Float", "Double", "Boolean");

  private static final Map<String, String> PACKAGES =
      Map.of(
          "Object", "java.lang",
          "String", "java.lang",
          "MemorySegment", "java.lang.foreign",
          "MemoryLayout", "java.lang.foreign",
          "ValueLayout", "java.lang.foreign",
          "AddressLayout", "java.lang.foreign",
          "Charset", "java.nio.charset",
          "Path", "java.nio.file",
          "OpenOption", "java.nio.file");

  private final Map<KnownCall.Shape, List<KnownCall>> all = new HashMap<>();

  private KnownCalls() {}

  /** {@return the table that the agent comes with} */
  static KnownCalls read() {
    try (Reader reader =
        new InputStreamReader(
            Objects.requireNonNull(KnownCalls.class.getResourceAsStream("accesses.txt")),
            StandardCharsets.UTF_8)) {
      return parse(reader);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@return the table that a text holds} */
  static KnownCalls parse(Reader text) {
    KnownCalls calls = new KnownCalls();
    new BufferedReader(text)
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .forEach(calls::add);
    return calls;
  }

  /** {@return the methods with a shape} */
  List<KnownCall> of(KnownCall.Shape shape) {
    return all.getOrDefault(shape, List.of());
  }

  List<KnownCall> all() {
    return all.values().stream().flatMap(List::stream).toList();
  }

  private void add(String line) {
    if (!line.contains("{")) {
      addRow(line);
      return;
    }
    for (String number : NUMBERS) {
      String small = Character.toLowerCase(number.charAt(0)) + number.substring(1);
      addRow(line.replace("{T}", number).replace("{t}", small));
    }
  }

  private void addRow(String line) {
    Matcher row = ROW.matcher(line);
    if (!row.matches()) {
      throw new IllegalArgumentException("no row of the table of accesses: " + line);
    }
    KnownCall call =
        new KnownCall(
            row.group(2),
            row.group(1) != null,
            row.group(3),
            parts(row.group(4)).stream().map(KnownCalls::type).toList(),
            HOOK.matcher(row.group(5)).results().map(KnownCalls::hook).toList());
    all.computeIfAbsent(call.shape(), _ -> new ArrayList<>(1)).add(call);
  }

  private static List<String> parts(String list) {
    return list.isEmpty() ? List.of() : List.of(list.split(",", -1));
  }

  private static Hook hook(MatchResult match) {
    return Hook.ofAccess(
        match.group(1), parts(match.group(2)).stream().map(KnownCalls::operand).toList());
  }

  private static Hook.Operand operand(String text) {
    if (text.equals("#utf8")) {
      return new Hook.Operand.Utf8();
    }
    return text.startsWith("#")
        ? new Hook.Operand.Constant(Long.parseLong(text.substring(1)))
        : new Hook.Operand.Argument(Integer.parseInt(text));
  }

  private static ClassDesc type(String name) {
    if (name.endsWith("[]")) {
      return type(name.substring(0, name.length() - 2)).arrayType();
    }
    return switch (name) {
      case "boolean" -> ClassDesc.ofDescriptor("Z");
      case "byte" -> ClassDesc.ofDescriptor("B");
      case "char" -> ClassDesc.ofDescriptor("C");
      case "short" -> ClassDesc.ofDescriptor("S");
      case "int" -> ClassDesc.ofDescriptor("I");
      case "long" -> ClassDesc.ofDescriptor("J");
      case "float" -> ClassDesc.ofDescriptor("F");
      case "double" -> ClassDesc.ofDescriptor("D");
      default -> ClassDesc.of(name.contains(".") ? name : packageOf(name) + "." + name);
    };
  }

  private static String packageOf(String name) {
    String outer = name.contains("$") ? name.substring(0, name.indexOf('$')) : name;
    return outer.endsWith("Buffer")
        ? "java.nio"
        : Objects.requireNonNull(PACKAGES.get(outer), name);
  }
}
