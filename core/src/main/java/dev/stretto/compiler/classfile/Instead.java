package dev.stretto.compiler.classfile;

/** Suggests what to write instead of a part of the JDK that kernels do not have. */
final class Instead {
  static final String OF_LOCKS = "use block.sync(), a warp's functions or Atomics";
  static final String OF_SWITCHES = "switch over an int, or over a @Const enum";

  private static final String TEXT = "use Debug.print with a constant label";
  private static final String TIME = "use block.globalTimer() or block.clock()";
  private static final String SEED = "compute numbers from the thread's index and a seed";

  private Instead() {}

  /** The suggestion for a method, or for all of its class. */
  static String of(String owner, String name) {
    return switch (owner) {
      case "java/lang/String", "java/lang/StringBuilder", "java/lang/StringBuffer" -> TEXT;
      case "java/lang/Enum" -> name.equals("ordinal") ? OF_SWITCHES : "pass an int instead";
      case "java/lang/Object" ->
          name.startsWith("wait") || name.startsWith("notify")
              ? OF_LOCKS
              : "objects of a kernel have values only";
      case "java/lang/System" ->
          name.equals("nanoTime") || name.startsWith("current") ? TIME : other();
      case "java/lang/Thread" ->
          "the launch sets the number of threads; they wait for each other in block.sync()";
      case "java/util/Arrays" -> "write a loop";
      case "java/util/Objects" -> "remove the call: arrays and objects in a kernel are never null";
      case "java/util/Random",
          "java/util/SplittableRandom",
          "java/util/concurrent/ThreadLocalRandom" ->
          SEED;
      default -> ofPackage(owner.substring(0, owner.lastIndexOf('/') + 1));
    };
  }

  private static String ofPackage(String name) {
    return switch (name) {
      case "java/io/", "java/text/" -> TEXT;
      case "java/time/" -> TIME;
      case "java/util/random/" -> SEED;
      case "java/util/stream/" -> "write a loop";
      case "java/util/function/" -> "call a static method by name";
      case "java/util/concurrent/atomic/", "java/lang/invoke/" -> "use Atomics on an array";
      case "java/util/concurrent/", "java/util/concurrent/locks/" -> OF_LOCKS;
      case "java/util/" ->
          "use arrays: device arrays, shared ones, or local ones of constant length";
      case "java/lang/foreign/", "java/nio/" -> "pass an array of the device";
      default -> other();
    };
  }

  private static String other() {
    return "kernels can call their own static methods, Math, FastMath and the methods of "
        + "dev.stretto.kernel";
  }

  /** The suggestion for a method that every record has. */
  static String ofRecord(String name) {
    return switch (name) {
      case "equals" -> "compare its components";
      case "hashCode" -> "compute with its components";
      default -> "print its components with Debug.print";
    };
  }
}
