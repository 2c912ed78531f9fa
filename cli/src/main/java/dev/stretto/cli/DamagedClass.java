package dev.stretto.cli;

import java.lang.classfile.ClassFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Explains why a kernel could not be compiled although no rule refuses it. */
final class DamagedClass {
  private DamagedClass() {}

  /**
   * The failure to report. The compiler expects class files that a JVM has verified; the command
   * gets files that no JVM has seen.
   *
   * @param name of the kernel
   * @param trouble the exception that the compiler did not expect
   */
  static CommandFailure failure(ClassPath classes, String name, Throwable trouble) {
    String owner = name.substring(0, name.indexOf("::")).replace('.', '/');
    String damage = damage(classes.bytes(owner));
    return new CommandFailure(
        damage.isEmpty()
            ? name
                + " cannot be compiled: a class file that it calls is damaged, or the "
                + "compiler has a bug (--verbose prints the stack trace): "
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
      return Faults.line(e); // the damage is more than the verifier can handle
    }
  }
}
