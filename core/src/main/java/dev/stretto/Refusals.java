// Generated from tools/families/Refusals.template by tools/Families.java. Do not edit.
package dev.stretto;

/**
 * What the Java compiler says of a launch or a copy that does not fit. Without them it lists all
 * overloads, because it does not leave out generic methods with another number of parameters: 120
 * lines for a number of a wrong type.
 *
 * <p>An overload that fits no right call, since it is tried after all others, takes the wrong one.
 * It has a parameter of a type of this class, which no program may use; so the compiler refuses the
 * call with one sentence, and the sentence names that type. Its name and its type arguments are the
 * message: {@code KernelTakes<Float,GlobalFloats>.ButIsGiven<Integer,GlobalFloats>}. Where a number
 * of arguments is wrong, types of {@link dev.stretto.kernel.RefusedLaunch} do the same.
 */
@SuppressWarnings({
  "ClassCanBeStatic",
  "UnusedTypeParameter",
  "unused"
}) // their names are all that matters
final class Refusals {
  private Refusals() {}

  /** {@return what an overload throws that no program can call but by tricks} */
  static IllegalArgumentException noLaunch() {
    return new IllegalArgumentException(
        "this is no launch: it needs a Grid, a kernel, and the arguments that the kernel takes");
  }

  /** {@return the same for a copy} */
  static IllegalArgumentException noCopy() {
    return new IllegalArgumentException(
        "this is no copy: it needs a source and a destination with elements of one type");
  }

  /** For a launch of nothing. */
  static final class NothingToLaunch {
    private NothingToLaunch() {}
  }

  /** For a launch of a grid alone. */
  static final class NoKernel {
    private NoKernel() {}
  }

  /** For a copy of nothing. */
  static final class NothingToCopy {
    private NothingToCopy() {}
  }

  /** For a copy with two arguments. */
  static final class NoCopyFrom<S> {
    private NoCopyFrom() {}

    final class To<D> {
      private To() {}
    }
  }

  /** For one argument. */
  static final class For1 {
    private For1() {}

    static final class KernelTakes<A> {
      private KernelTakes() {}

      final class ButIsGiven<A1> {
        private ButIsGiven() {}
      }
    }

    static final class NoCopyTakes<A> {
      private NoCopyTakes() {}
    }
  }

  /** For two arguments. */
  static final class For2 {
    private For2() {}

    static final class KernelTakes<A, B> {
      private KernelTakes() {}

      final class ButIsGiven<A1, B1> {
        private ButIsGiven() {}
      }
    }

    static final class NoCopyTakes<A, B> {
      private NoCopyTakes() {}
    }
  }

  /** For three arguments. */
  static final class For3 {
    private For3() {}

    static final class KernelTakes<A, B, C> {
      private KernelTakes() {}

      final class ButIsGiven<A1, B1, C1> {
        private ButIsGiven() {}
      }
    }

    static final class NoCopyTakes<A, B, C> {
      private NoCopyTakes() {}
    }
  }

  /** For four arguments. */
  static final class For4 {
    private For4() {}

    static final class KernelTakes<A, B, C, D> {
      private KernelTakes() {}

      final class ButIsGiven<A1, B1, C1, D1> {
        private ButIsGiven() {}
      }
    }

    static final class NoCopyTakes<A, B, C, D> {
      private NoCopyTakes() {}
    }
  }

  /** For five arguments. */
  static final class For5 {
    private For5() {}

    static final class KernelTakes<A, B, C, D, E> {
      private KernelTakes() {}

      final class ButIsGiven<A1, B1, C1, D1, E1> {
        private ButIsGiven() {}
      }
    }

    static final class NoCopyTakes<A, B, C, D, E> {
      private NoCopyTakes() {}
    }
  }

  /** For six arguments. */
  static final class For6 {
    private For6() {}

    static final class KernelTakes<A, B, C, D, E, F> {
      private KernelTakes() {}

      final class ButIsGiven<A1, B1, C1, D1, E1, F1> {
        private ButIsGiven() {}
      }
    }

    static final class NoCopyTakes<A, B, C, D, E, F> {
      private NoCopyTakes() {}
    }
  }

  /** For seven arguments. */
  static final class For7 {
    private For7() {}

    static final class KernelTakes<A, B, C, D, E, F, G> {
      private KernelTakes() {}

      final class ButIsGiven<A1, B1, C1, D1, E1, F1, G1> {
        private ButIsGiven() {}
      }
    }

    static final class NoCopyTakes<A, B, C, D, E, F, G> {
      private NoCopyTakes() {}
    }
  }

  /** For eight arguments. */
  static final class For8 {
    private For8() {}

    static final class KernelTakes<A, B, C, D, E, F, G, H> {
      private KernelTakes() {}

      final class ButIsGiven<A1, B1, C1, D1, E1, F1, G1, H1> {
        private ButIsGiven() {}
      }
    }

    static final class NoCopyTakes<A, B, C, D, E, F, G, H> {
      private NoCopyTakes() {}
    }
  }

  /** For nine arguments. */
  static final class For9 {
    private For9() {}

    static final class KernelTakes<A, B, C, D, E, F, G, H, I> {
      private KernelTakes() {}

      final class ButIsGiven<A1, B1, C1, D1, E1, F1, G1, H1, I1> {
        private ButIsGiven() {}
      }
    }

    static final class NoCopyTakes<A, B, C, D, E, F, G, H, I> {
      private NoCopyTakes() {}
    }
  }

  /** For ten arguments. */
  static final class For10 {
    private For10() {}

    static final class KernelTakes<A, B, C, D, E, F, G, H, I, J> {
      private KernelTakes() {}

      final class ButIsGiven<A1, B1, C1, D1, E1, F1, G1, H1, I1, J1> {
        private ButIsGiven() {}
      }
    }

    static final class NoCopyTakes<A, B, C, D, E, F, G, H, I, J> {
      private NoCopyTakes() {}
    }
  }

  /** For eleven arguments. */
  static final class For11 {
    private For11() {}

    static final class KernelTakes<A, B, C, D, E, F, G, H, I, J, K> {
      private KernelTakes() {}

      final class ButIsGiven<A1, B1, C1, D1, E1, F1, G1, H1, I1, J1, K1> {
        private ButIsGiven() {}
      }
    }

    static final class NoCopyTakes<A, B, C, D, E, F, G, H, I, J, K> {
      private NoCopyTakes() {}
    }
  }

  /** For twelve arguments. */
  static final class For12 {
    private For12() {}

    static final class KernelTakes<A, B, C, D, E, F, G, H, I, J, K, L> {
      private KernelTakes() {}

      final class ButIsGiven<A1, B1, C1, D1, E1, F1, G1, H1, I1, J1, K1, L1> {
        private ButIsGiven() {}
      }
    }

    static final class NoCopyTakes<A, B, C, D, E, F, G, H, I, J, K, L> {
      private NoCopyTakes() {}
    }
  }
}
