package dev.stretto.order.program;

import dev.stretto.order.Threads;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A task of the program that the JDK runs, on whatever thread: whoever runs it knows what he knew
 * who gave it, and whoever has its result knows what it has learned.
 */
final class Task {
  /** A task in the clothes of a type of the JDK. */
  sealed interface Dressed {
    /** {@return the task} */
    Task task();
  }

  record OfRunnable(Task task, Runnable body) implements Runnable, Dressed {
    @Override
    public void run() {
      task.begins();
      try {
        body.run();
      } finally {
        task.ends();
      }
    }
  }

  record OfCallable<T>(Task task, Callable<T> body) implements Callable<T>, Dressed {
    @Override
    public T call() throws Exception {
      task.begins();
      try {
        return task.of(body.call());
      } finally {
        task.ends();
      }
    }
  }

  record OfSupplier<T>(Task task, Supplier<T> body) implements Supplier<T>, Dressed {
    @Override
    public T get() {
      task.begins();
      try {
        return task.of(body.get());
      } finally {
        task.ends();
      }
    }
  }

  record OfFunction<A, T>(Task task, Function<A, T> body) implements Function<A, T>, Dressed {
    @Override
    public T apply(A a) {
      task.begins();
      try {
        return task.of(body.apply(a));
      } finally {
        task.ends();
      }
    }
  }

  record OfBiFunction<A, B, T>(Task task, BiFunction<A, B, T> body)
      implements BiFunction<A, B, T>, Dressed {
    @Override
    public T apply(A a, B b) {
      task.begins();
      try {
        return task.of(body.apply(a, b));
      } finally {
        task.ends();
      }
    }
  }

  record OfConsumer<A>(Task task, Consumer<A> body) implements Consumer<A>, Dressed {
    @Override
    public void accept(A a) {
      task.begins();
      try {
        body.accept(a);
      } finally {
        task.ends();
      }
    }
  }

  record OfBiConsumer<A, B>(Task task, BiConsumer<A, B> body) implements BiConsumer<A, B>, Dressed {
    @Override
    public void accept(A a, B b) {
      task.begins();
      try {
        body.accept(a, b);
      } finally {
        task.ends();
      }
    }
  }

  private final Passed given = new Passed();
  private final Passed result = new Passed();

  private Task() {
    given.release();
  }

  /**
   * {@return the same object, so that its begin and its end are told} Of other types than tasks
   * have, the object itself.
   */
  static @Nullable Object of(@Nullable Object body, Class<?> type) {
    if (body == null || body instanceof Dressed) {
      return body;
    }
    if (type == Runnable.class && body instanceof Runnable its) {
      return new OfRunnable(new Task(), its);
    }
    if (type == Callable.class && body instanceof Callable<?> its) {
      return new OfCallable<>(new Task(), its);
    }
    if (type == Supplier.class && body instanceof Supplier<?> its) {
      return new OfSupplier<>(new Task(), its);
    }
    if (type == Function.class && body instanceof Function<?, ?> its) {
      return new OfFunction<>(new Task(), its);
    }
    if (type == BiFunction.class && body instanceof BiFunction<?, ?, ?> its) {
      return new OfBiFunction<>(new Task(), its);
    }
    if (type == Consumer.class && body instanceof Consumer<?> its) {
      return new OfConsumer<>(new Task(), its);
    }
    if (type == BiConsumer.class && body instanceof BiConsumer<?, ?> its) {
      return new OfBiConsumer<>(new Task(), its);
    }
    return body;
  }

  /** {@return what is passed on by its result} */
  Passed result() {
    return result;
  }

  /** Notes that it runs behind something else. */
  void comesBehind(Passed other) {
    given.comesFrom(other);
  }

  private void begins() {
    Threads.begins();
    given.acquireResult();
    Passed start = Passed.find(Thread.currentThread());
    if (start != null) {
      start.acquire();
    }
  }

  private <T> T of(T its) {
    if (its instanceof CompletionStage<?> stage) {
      result.comesFrom(Passed.by(stage)); // who composes stages waits for that one too
    }
    return its;
  }

  private void ends() {
    result.release();
    given.isWhole();
    Threads.ends();
  }
}
