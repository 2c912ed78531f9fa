package dev.stretto.misuse;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.channels.Channel;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.LockSupport;

/**
 * A program's own implementation of an interface: it does what it should or throws exceptions of
 * every kind, blocks for a moment, calls back into the library, or interrupts the thread.
 */
final class ProgramCode implements InvocationHandler {
  private final Class<?> type;
  private final Random random;
  private final MisuseThread thread;
  private final boolean obedient;

  private ProgramCode(Class<?> type, Random random, MisuseThread thread) {
    this.type = type;
    this.random = new Random(random.nextLong());
    this.thread = thread;
    this.obedient = random.nextInt(3) > 0;
  }

  /** {@return whether a program can implement it} */
  static boolean canImplement(Class<?> type) {
    return type.isInterface() && !type.isSealed() && !type.isHidden();
  }

  /** {@return an implementation} */
  static Object of(Class<?> type, Random random, MisuseThread thread) {
    ClassLoader loader =
        type.getClassLoader() == null ? ProgramCode.class.getClassLoader() : type.getClassLoader();
    return Proxy.newProxyInstance(
        loader, new Class<?>[] {type}, new ProgramCode(type, random, thread));
  }

  @SuppressWarnings("ReferenceEquality") // what equals means for a proxy
  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    if (method.getDeclaringClass() == Object.class) {
      return switch (method.getName()) {
        case "equals" -> proxy == arguments[0];
        case "hashCode" -> System.identityHashCode(proxy);
        default -> "the program's " + type.getSimpleName();
      };
    }
    Random here;
    synchronized (random) {
      here = new Random(random.nextLong());
    }
    if (!obedient) {
      misbehave(here);
    }
    if (method.isDefault()) {
      return InvocationHandler.invokeDefault(proxy, method, arguments);
    }
    return obey(method, arguments, here);
  }

  private void misbehave(Random here) {
    switch (here.nextInt(8)) {
      case 0, 1, 2 -> throw Planned.<RuntimeException>sneak(Planned.any(here));
      case 3 -> LockSupport.parkNanos(1_000_000);
      case 4 -> Thread.currentThread().interrupt();
      case 5, 6 -> {
        // An executor that awaits what it has yet to run waits for ever, and nobody can know it:
        // another thread may have the task.
        if (!Executor.class.isAssignableFrom(type)) {
          thread.callBack(here);
        }
      }
      default -> {}
    }
  }

  private Object obey(Method method, Object[] arguments, Random here) {
    if (arguments != null && here.nextInt(4) == 0) {
      for (Object argument : arguments) {
        if (argument != null) {
          thread.keep(argument, here);
        }
      }
    }
    if (Executor.class.isAssignableFrom(type) && method.getName().equals("execute")) {
      ((Runnable) arguments[0]).run();
      return null;
    }
    if (type == Flow.Publisher.class) {
      publish((Flow.Subscriber<?>) arguments[0], here);
      return null;
    }
    Class<?> result = method.getReturnType();
    if (result == void.class) {
      return null;
    }
    if (Channel.class.isAssignableFrom(type) && result == int.class) {
      return -1;
    }
    if (result == long.class && !here.nextBoolean()) {
      return 0L;
    }
    return thread.values().of(result, result, here);
  }

  private static void publish(Flow.Subscriber<?> subscriber, Random here) {
    if (here.nextInt(4) > 0) {
      subscriber.onSubscribe(
          new Flow.Subscription() {
            @Override
            public void request(long n) {}

            @Override
            public void cancel() {}
          });
    }
    if (here.nextBoolean()) {
      subscriber.onComplete();
    } else {
      subscriber.onError(Planned.any(here));
    }
  }
}
