package dev.stretto.agent;

import java.lang.constant.ClassDesc;
import java.util.List;

/**
 * A method of the JDK of which is known what it does with host memory.
 *
 * @param owner the class that declares it, with dots
 * @param isStatic whether it is static
 * @param name its name; {@code <init>} for a constructor
 * @param parameters the types of its parameters
 * @param hooks what to tell, in this order
 */
record KnownCall(
    String owner, boolean isStatic, String name, List<ClassDesc> parameters, List<Hook> hooks) {
  KnownCall {
    parameters = List.copyOf(parameters);
    hooks = List.copyOf(hooks);
  }

  /**
   * A method's name and parameters, whichever class declares it.
   *
   * @param name the name
   * @param parameters their types
   */
  record Shape(String name, List<ClassDesc> parameters) {}

  Shape shape() {
    return new Shape(name, parameters);
  }
}
