package dev.stretto.misuse;

import dev.stretto.fault.StrettoException;
import dev.stretto.flow.FlowException;
import java.io.UncheckedIOException;
import java.lang.reflect.Executable;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.regex.Pattern;

/** Which exceptions a public call may throw: typed ones, in words. */
final class Judge {
  private static final Set<Class<?>> DOCUMENTED =
      Set.of(
          IllegalArgumentException.class,
          IllegalStateException.class,
          NullPointerException.class,
          IndexOutOfBoundsException.class,
          UnsupportedOperationException.class,
          WrongThreadException.class,
          CancellationException.class,
          UncheckedIOException.class);

  private static final Pattern WORD = Pattern.compile("[A-Za-z]{2}");

  private Judge() {}

  /** {@return what is wrong with that a call threw this, if anything is} */
  static Optional<String> objection(Executable call, Throwable thrown) {
    if (Planned.isBehind(thrown)) {
      return Optional.empty();
    }
    if (!isTyped(call, thrown)) {
      return Optional.of("is no exception of Stretto's, and not a documented one");
    }
    String message = thrown.getMessage();
    if (message == null) {
      return Optional.of("has no message");
    }
    if (thrown instanceof NullPointerException) {
      return message.startsWith("Cannot ") ? Optional.of("tells of internals") : Optional.empty();
    }
    return WORD.matcher(message).find() ? Optional.empty() : Optional.of("has no words");
  }

  private static boolean isTyped(Executable call, Throwable thrown) {
    if (thrown instanceof StrettoException
        || thrown instanceof FlowException
        || DOCUMENTED.contains(thrown.getClass())) {
      return true;
    }
    for (Class<?> declared : call.getExceptionTypes()) {
      if (declared != Exception.class && declared.isInstance(thrown)) {
        return true;
      }
    }
    return false;
  }
}
