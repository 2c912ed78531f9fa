package dev.stretto.agent;

import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * A method as a call names it.
 *
 * @param owner the class by which it is named
 * @param name its name
 * @param type its type, without the object whose method it is
 * @param isStatic whether it is static
 */
record Call(ClassDesc owner, String name, MethodTypeDesc type, boolean isStatic) {
  /** {@return the class's name with dots} */
  String ownerName() {
    return Supertypes.nameOf(owner);
  }

  /** {@return where the first parameter is among the arguments} */
  int firstParameter() {
    return isStatic ? 0 : 1;
  }
}
