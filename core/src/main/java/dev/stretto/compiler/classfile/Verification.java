package dev.stretto.compiler.classfile;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver.ClassHierarchyInfo;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks a class the way a JVM does before it runs it. The compiler relies on this: operands have
 * the types that instructions need, locals have values, branches lead to instructions, and
 * attributes are complete.
 *
 * @param name the class's internal name
 * @param finder returns the bytes of classes that it mentions, or null
 */
record Verification(String name, Function<String, byte @Nullable []> finder) {
  /** Says why a JVM would refuse a class file. */
  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedException(String why, @Nullable Throwable cause) {
      super(why, cause);
    }
  }

  /**
   * The first version whose methods all have stack maps; classes of earlier versions are refused
   * elsewhere.
   */
  static final int FIRST_WITH_STACK_MAPS = ClassFile.JAVA_7_VERSION;

  /** The verifier's message for classes that are too old for it. */
  private static final String TOO_OLD = "Inference verification is not supported";

  private static final int LONGEST_MESSAGE = 200;

  /** The class, if a JVM would accept it. */
  ClassModel verify(byte[] bytes) throws MalformedException {
    try {
      ClassModel model = parse(bytes);
      requireHead(model);
      String cut = CutInstructions.find(model).orElse(null);
      if (cut != null) {
        throw new MalformedException("an instruction of " + cut + " goes on behind its end", null);
      }
      List<VerifyError> errors =
          ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(this::kind)).verify(model);
      for (VerifyError error : errors) {
        if (!TOO_OLD.equals(error.getMessage())) {
          throw new MalformedException(message(error), error);
        }
      }
      return model;
    } catch (RuntimeException | StackOverflowError | VerifyError e) {
      // The Class-File API reads lazily, and has no exception of its own for what it cannot read.
      throw new MalformedException(message(e), e);
    }
  }

  /** Parses a class file; most of it is not read yet. */
  static ClassModel parse(byte[] bytes) {
    return ClassFile.of(ClassFile.DeadCodeOption.KEEP_DEAD_CODE).parse(bytes);
  }

  private void requireHead(ClassModel model) throws MalformedException {
    String said = model.thisClass().asInternalName();
    if (!said.equals(name)) {
      throw new MalformedException("it is the file of " + said, null);
    }
    if (model.superclass().isEmpty() && !name.equals("java/lang/Object")) {
      throw new MalformedException("it names no superclass", null);
    }
  }

  /**
   * What the verifier asks about other classes. For classes that are missing, malformed or their
   * own superclass, it makes the most permissive assumption, as it does for a class that may be
   * any. Code that uses them is refused later.
   */
  private @Nullable ClassHierarchyInfo kind(ClassDesc type) {
    String internal = type.descriptorString();
    internal = internal.substring(1, internal.length() - 1);
    Set<String> below = new HashSet<>();
    Optional<ClassModel> first = head(internal);
    Optional<ClassModel> at = first;
    while (at.isPresent()) {
      if (!below.add(at.get().thisClass().asInternalName())) {
        return null;
      }
      at = at.get().superclass().flatMap(above -> head(above.asInternalName()));
    }
    return first.map(Verification::kind).orElse(null);
  }

  private static ClassHierarchyInfo kind(ClassModel model) {
    return model.flags().has(AccessFlag.INTERFACE)
        ? ClassHierarchyInfo.ofInterface()
        : ClassHierarchyInfo.ofClass(model.superclass().map(ClassEntry::asSymbol).orElse(null));
  }

  /** A class whose name, flags and superclass can be read. */
  private Optional<ClassModel> head(String internalName) {
    byte[] bytes = finder.apply(internalName);
    if (bytes == null) {
      return Optional.empty();
    }
    try {
      ClassModel model = parse(bytes);
      boolean right = model.thisClass().asInternalName().equals(internalName);
      model.superclass().ifPresent(ClassEntry::asSymbol);
      return right ? Optional.of(model) : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /** What went wrong, in one line. */
  private static String message(Throwable trouble) {
    String said = trouble.getMessage();
    String line =
        said == null || said.isBlank()
            ? trouble.getClass().getSimpleName()
            : said.strip().lines().findFirst().orElseThrow().strip();
    return line.length() > LONGEST_MESSAGE ? line.substring(0, LONGEST_MESSAGE) + "…" : line;
  }
}
