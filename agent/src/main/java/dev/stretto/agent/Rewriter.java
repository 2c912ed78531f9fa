package dev.stretto.agent;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ShortJumpsOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import org.jspecify.annotations.Nullable;

/**
 * Adds a call in front of every access to host memory that a class makes.
 *
 * <p>What is added neither branches nor is branched to, and leaves stack and locals as they were.
 * So the frames by which the JVM verifies a method stay as its compiler has written them, and no
 * class has to be looked for to find them anew. Only a method that grows so long that its jumps
 * need another form gets new frames.
 */
final class Rewriter {
  private final CallCode calls;

  Rewriter(KnownCalls calls) {
    this.calls = new CallCode(calls);
  }

  /**
   * {@return a class that tells its accesses and what its threads hand over; null if there is
   * nothing to tell}
   *
   * @param supertypes what is known about the classes that it sees
   * @param hierarchy the same, for a method that needs new frames
   * @throws IllegalArgumentException if it is no class file, or of a newer version
   */
  byte @Nullable [] rewrite(
      byte[] classFile, Supertypes supertypes, ClassHierarchyResolver hierarchy) {
    ClassModel parsed = ClassFile.of().parse(classFile);
    Rewriting own = new Rewriting(parsed, calls, supertypes, true);
    if (own.isNeedless()) {
      return null;
    }
    try {
      return ClassFile.of(StackMapsOption.DROP_STACK_MAPS, ShortJumpsOption.FAIL_ON_SHORT_JUMPS)
          .transformClass(parsed, own.transform());
    } catch (IllegalArgumentException _) { // a jump is too far
      return ClassFile.of(
              StackMapsOption.STACK_MAPS_WHEN_REQUIRED,
              ShortJumpsOption.FIX_SHORT_JUMPS,
              ClassFile.ClassHierarchyResolverOption.of(hierarchy))
          .transformClass(parsed, new Rewriting(parsed, calls, supertypes, false).transform());
    }
  }
}
