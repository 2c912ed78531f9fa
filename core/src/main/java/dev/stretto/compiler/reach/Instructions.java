package dev.stretto.compiler.reach;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads from the text of PTX statements what they do with the memory that they name. */
final class Instructions {
  /**
   * Memory that a statement names.
   *
   * @param address the operand that is its address
   * @param kinds what the statement does with it
   * @param bytes how many bytes; -1 if a value says so or nothing does
   * @param count the value that says how many bytes; null if none does
   */
  record Named(Value address, List<AccessKind> kinds, long bytes, @Nullable Value count) {}

  /** The end of a type, such as {@code .v4.b32}. */
  private static final Pattern TYPE = Pattern.compile("(?:\\.v(\\d))?\\.[bsuf](?:16x2|(\\d+))\\b");

  private static final Pattern NUMBER = Pattern.compile("^]\\s*,\\s*(\\d+)");
  private static final List<AccessKind> READS = List.of(AccessKind.READ);
  private static final List<AccessKind> WRITES = List.of(AccessKind.WRITE);
  private static final List<AccessKind> BOTH = List.of(AccessKind.READ, AccessKind.WRITE);
  private static final List<AccessKind> ATOMIC_READS = List.of(AccessKind.ATOMIC_READ);
  private static final List<AccessKind> ATOMIC = List.of(AccessKind.ATOMIC);

  private Instructions() {}

  /** {@return the memory that an operation's statements name} */
  static List<Named> of(Op op) {
    List<Named> all = new ArrayList<>();
    List<Asm.Piece> pieces = op.attribute(Asm.class).pieces();
    StringBuilder statement = new StringBuilder();
    int place = 0;
    for (int i = 0; i < pieces.size(); i++) {
      switch (pieces.get(i)) {
        case Asm.Text text -> {
          int end = Math.max(text.text().lastIndexOf(';'), text.text().lastIndexOf('{'));
          if (isEnd(text.text(), end)) {
            statement.setLength(0);
            place = 0;
          }
          statement.append(
              text.text(), isEnd(text.text(), end) ? end + 1 : 0, text.text().length());
        }
        case Asm.Space _ -> statement.append("cta.shared");
        case Asm.Literal literal -> statement.append(word(op.operand(literal.index())));
        case Asm.Address address -> {
          Value at = op.operand(address.index());
          all.add(
              named(
                  at,
                  statement.toString().strip(),
                  place++,
                  pieces.subList(i + 1, pieces.size()),
                  op));
        }
        case Asm.Operand operand -> {
          Value at = op.operand(operand.index());
          if (at.type().isAddress()) { // of a tensor map
            all.add(named(at, statement.toString().strip(), place++, List.of(), op));
          }
        }
        default -> {}
      }
    }
    return all;
  }

  /** A brace opens a scope at the beginning of a statement, and a vector within one. */
  private static boolean isEnd(String text, int end) {
    return end >= 0 && (text.charAt(end) == ';' || text.substring(0, end).isBlank());
  }

  private static String word(Value value) {
    if (value instanceof Constant constant) {
      return constant.value() instanceof Constant.EnumName name
          ? name.name()
          : String.valueOf(constant.value());
    }
    return "?";
  }

  private static Named named(
      Value address, String statement, int place, List<Asm.Piece> rest, Op op) {
    List<AccessKind> kinds = kinds(statement, place);
    if (statement.startsWith("cp.async.bulk") && !statement.contains("tensor")) {
      return new Named(address, kinds, -1, count(rest, op));
    }
    if (statement.startsWith("cp.async.c")) {
      Matcher number = NUMBER.matcher(text(rest));
      return new Named(address, kinds, number.find() ? Long.parseLong(number.group(1)) : -1, null);
    }
    return new Named(address, kinds, width(statement), null);
  }

  private static List<AccessKind> kinds(String statement, int place) {
    if (statement.contains("prefetch") || statement.startsWith("mapa")) {
      return List.of();
    }
    boolean isForDevice = statement.contains("DEVICE") || statement.contains("SYSTEM");
    if (statement.startsWith("ld.acquire") || statement.startsWith("ld.relaxed")) {
      return isForDevice ? ATOMIC_READS : READS;
    }
    if (statement.startsWith("st.release") || statement.startsWith("st.relaxed")) {
      return isForDevice ? ATOMIC : WRITES;
    }
    if (statement.startsWith("atom.") || statement.startsWith("red.")) {
      return isForDevice ? ATOMIC : BOTH;
    }
    if (statement.startsWith("cp.reduce")) {
      return ATOMIC;
    }
    if (statement.startsWith("ld")) {
      return READS;
    }
    if (statement.startsWith("st")) {
      return WRITES;
    }
    if (statement.startsWith("cp.async")) {
      boolean isStore = statement.contains(".global.shared");
      return isStore == (place == 0) ? isStore ? WRITES : READS : place == 0 ? WRITES : READS;
    }
    return BOTH;
  }

  /** The first register or literal behind an address, and behind a further address. */
  private static @Nullable Value count(List<Asm.Piece> rest, Op op) {
    for (Asm.Piece piece : rest) {
      if (piece instanceof Asm.Operand operand) {
        return op.operand(operand.index());
      }
      if (piece instanceof Asm.Literal literal) {
        return op.operand(literal.index());
      }
      if (piece instanceof Asm.Text text && text.text().contains(";")) {
        return null;
      }
    }
    return null;
  }

  private static String text(List<Asm.Piece> rest) {
    return !rest.isEmpty() && rest.getFirst() instanceof Asm.Text text ? text.text() : "";
  }

  private static long width(String statement) {
    Matcher type = TYPE.matcher(statement);
    long bytes = -1;
    while (type.find()) {
      long bits = type.group(2) == null ? 32 : Long.parseLong(type.group(2));
      bytes = bits / 8 * (type.group(1) == null ? 1 : Long.parseLong(type.group(1)));
    }
    return bytes;
  }
}
