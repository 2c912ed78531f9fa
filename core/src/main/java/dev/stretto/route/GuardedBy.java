package dev.stretto.route;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The lock that has to be held where a field is used. Error Prone checks it, by this annotation's
 * name, when Stretto is built. It cannot follow a lock from object to object: what the driver's
 * lock guards is asserted at run time ({@link DriverLock#assertHeld}).
 */
@Retention(RetentionPolicy.SOURCE)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface GuardedBy {
  /** {@return the lock, as an expression within the class} */
  String value();
}
