package dev.stretto.order.program;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Hashtable;
import java.util.Vector;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Phaser;
import org.jspecify.annotations.Nullable;

/** How an object hands over what threads know, by its class. */
enum Kind {
  /** It does not. */
  NONE,

  /** Only by calls of the program. */
  SEEN,

  /** By threads of its own, or in ways that nobody sees. */
  UNSEEN;

  private static final ClassValue<Kind> OF =
      new ClassValue<>() {
        @Override
        protected Kind computeValue(Class<?> type) {
          return find(type);
        }
      };

  static Kind of(Object object) {
    return OF.get(object.getClass());
  }

  private static Kind find(Class<?> type) {
    if (PrintStream.class.isAssignableFrom(type)
        || PrintWriter.class.isAssignableFrom(type)
        || Writer.class.isAssignableFrom(type)
        || Vector.class.isAssignableFrom(type)
        || Hashtable.class.isAssignableFrom(type)
        || type == StringBuffer.class) {
      return SEEN;
    }
    if (CyclicBarrier.class.isAssignableFrom(type) || Phaser.class.isAssignableFrom(type)) {
      return UNSEEN; // the last thread that arrives does something before the others go on
    }
    for (@Nullable Class<?> each = type; each != null; each = each.getSuperclass()) {
      Kind its = named(each.getName());
      if (its != NONE) {
        return its;
      }
    }
    return NONE;
  }

  private static Kind named(String name) {
    if (name.startsWith("java.util.Collections$Synchronized")) {
      return SEEN;
    }
    if (!name.startsWith("java.util.concurrent.")) {
      return NONE;
    }
    String simple = name.substring("java.util.concurrent.".length());
    boolean isIterator = simple.contains("$") && simple.matches(".*(Itr|Iterator|Spliterator)");
    boolean isSeen =
        simple.startsWith("atomic.")
            || simple.startsWith("locks.")
            || simple.matches(
                "(CountDownLatch|Semaphore|Exchanger|Concurrent\\w+|CopyOnWrite\\w+"
                    + "|\\w+Queue|\\w+Deque)([$].*)?");
    return isSeen && !isIterator ? SEEN : UNSEEN;
  }
}
