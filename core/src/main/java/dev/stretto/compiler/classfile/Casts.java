package dev.stretto.compiler.classfile;

import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.NewObject;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import dev.stretto.fault.KernelRefusedException;
import org.jspecify.annotations.Nullable;

/**
 * Translates casts of references. A cast does nothing at run time, so a cast that would throw is
 * refused.
 */
final class Casts {
  private final Site site;
  private final ClassFiles classes;

  Casts(Site site, ClassFiles classes) {
    this.site = site;
    this.classes = classes;
  }

  /** Refuses a cast of a value that is known to be of another type. */
  void require(Value value, String descriptor) {
    if (!(value instanceof Op op)) {
      return;
    }
    String to = descriptor.replaceAll("^L|;$", "");
    switch (op.code()) {
      case NEW -> {
        String name = op.attribute(NewObject.class).name();
        if (!classes.isKind(name, to)) {
          throw refuse("a " + Calls.shortName(name), Calls.shortName(to));
        }
      }
      case VIEW -> {
        Element element = op.attribute(Element.class);
        boolean shared = op.operand(0).type() == Type.SHARED;
        Element other = ArrayMethods.elementOf(to);
        if (other != null && (other != element || shared != ArrayMethods.isShared(to))) {
          throw refuse(
              "an array of " + element + (shared ? " in shared" : " in global") + " memory",
              Calls.shortName(to));
        }
      }
      case NEW_ARRAY -> {
        String from = site.typeOf(op);
        if (from != null && isNumbers(descriptor) && !from.equals(descriptor)) {
          throw refuse("a " + ArrayCalls.name(from), ArrayCalls.name(descriptor));
        }
      }
      default -> {}
    }
  }

  private static boolean isNumbers(@Nullable String descriptor) {
    return descriptor != null && descriptor.startsWith("[") && descriptor.length() == 2;
  }

  private KernelRefusedException refuse(String what, String to) {
    return site.refuse(
        what + " is cast to " + to + ", which would throw",
        "cast an object to its type or to a supertype");
  }
}
