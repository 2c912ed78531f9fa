package dev.stretto.cli;

import java.lang.classfile.ClassFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why a kernel could not be compiled that no rule refuses. */
final class DamagedClass {
  private DamagedClass() {}

  /**
   * What to say. The compiler takes class files to be as a JVM has them that has verified them; the
   * command is given files that no JVM has seen.
   *
   * @param name of the kernel
   * @param trouble what the compiler did not expect
   */
  static CommandFailure failure(ClassPath classes, String name, Throwable trouble) {
    String owner = name.substring(0, name.indexOf("::")).replace('.', '/');
    String damage = damage(classes.bytes(owner));
    return new CommandFailure(
        damage.isEmpty()
            ? name
                + " cannot be compiled: a class file that it calls is damaged, or the compiler has"
                + " a fault (--verbose shows where): "
                + Faults.line(trouble)
            : "the class file of " + owner.replace('/', '.') + " is damaged: " + damage,
        trouble);
  }

  /** What the JVM's verifier finds; nothing if it finds nothing, or there is no file. */
  private static String damage(byte @Nullable [] bytes) {
    if (bytes == null) {
      return "";
    }
    try {
      List<VerifyError> errors = ClassFile.of().verify(bytes);
      return errors.isEmpty() ? "" : Faults.line(errors.getFirst());
    } catch (RuntimeException e) {
      return Faults.line(e); // the verifier takes less damage than that
    }
  }
}
