package dev.stretto.contract;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.stream.IntStream;

/**
 * Every way in which one thread of a program hands over to another one that something is done, and
 * programs that hand it over too early, otherwise, or not at all.
 */
@SuppressWarnings({"FutureReturnValueIgnored", "UnnecessaryAsync", "UnusedVariable"}) // on purpose
final class WatchedThreads {
  static final CheckedPrograms.Programs PROGRAMS = new CheckedPrograms.Programs();
  private static final VarHandle SAID;
  private static volatile boolean isSaid;
  private static int said;

  static {
    try {
      SAID = MethodHandles.lookup().findStaticVarHandle(WatchedThreads.class, "said", int.class);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the field is not there", e);
    }
    part0();
    part1();
    part2();
    part3();
    part4();
    part5();
    part6();
    part7();
    arrays();
  }

  private WatchedThreads() {}

  /** What one thread at a time runs. */
  private static final class Guarded {
    synchronized void run(Runnable body) {
      body.run();
    }

    static synchronized void runAlone(Runnable body) {
      body.run();
    }
  }

  /** A task of a pool whose threads are not seen. */
  private static final class Filling extends RecursiveAction {
    private static final long serialVersionUID = 1;

    private final transient CheckedPrograms.Hands with;

    Filling(CheckedPrograms.Hands with) {
      this.with = with;
    }

    @Override
    protected void compute() {
      with.first.fill(with.a, 1).await();
    }
  }

  private static void use(float value) {
    if (Float.isInfinite(value)) {
      throw new AssertionError();
    }
  }

  /** Lets the other thread come to its end, without looking. */
  private static void pause() throws InterruptedException {
    Thread.sleep(60);
  }

  private static void run(Runnable body) {
    body.run();
  }

  private static void meet(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new AssertionError(e);
    }
  }

  private static void exchange(Exchanger<String> exchanger) {
    try {
      exchanger.exchange("");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void rethrow(Future<?> future) throws Exception {
    try {
      future.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  private static void part0() {
    PROGRAMS.good(
        "a thread is joined",
        with -> {
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                  });
          thread.start();
          thread.join();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.bad(
        "a thread is not joined",
        with -> {
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                  });
          thread.start();
          pause();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a thread is seen to have ended",
        with -> {
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                  });
          thread.start();
          while (thread.isAlive()) {
            Thread.onSpinWait();
          }
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a thread is joined for a while",
        with -> {
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                  });
          thread.start();
          while (!thread.join(Duration.ofMillis(5))) {
            Thread.onSpinWait();
          }
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.bad(
        "another thread is joined",
        with -> {
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                  });
          thread.start();
          Thread other = new Thread(() -> {});
          other.start();
          other.join();
          pause();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a thread knows what the one knows that starts it",
        with -> {
          with.first.fill(with.a, 1).await();
          Thread thread =
              new Thread(
                  () -> {
                    with.second.copy(with.a, with.b);
                  });
          thread.start();
          thread.join();
        });
    PROGRAMS.good(
        "a thread made before knows what the one knows that starts it",
        with -> {
          Thread thread =
              new Thread(
                  () -> {
                    with.second.copy(with.a, with.b);
                  });
          with.first.fill(with.a, 1).await();
          thread.start();
          thread.join();
        });
    PROGRAMS.good(
        "a virtual thread is joined",
        with -> {
          Thread thread =
              Thread.startVirtualThread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                  });
          thread.join();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.bad(
        "a virtual thread is not joined",
        with -> {
          Thread.startVirtualThread(
              () -> {
                with.first.fill(with.a, 1).await();
              });
          pause();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a thread of a builder is joined",
        with -> {
          Thread thread =
              Thread.ofPlatform()
                  .daemon()
                  .start(
                      () -> {
                        with.first.fill(with.a, 1).await();
                      });
          thread.join();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.bad(
        "a thread of a builder is not joined",
        with -> {
          Thread thread =
              Thread.ofPlatform()
                  .daemon()
                  .unstarted(
                      () -> {
                        with.first.fill(with.a, 1).await();
                      });
          thread.start();
          pause();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a subclass of Thread is joined",
        with -> {
          Thread thread =
              new Thread() {
                @Override
                public void run() {
                  with.first.fill(with.a, 1).await();
                }
              };
          thread.start();
          thread.join();
          with.second.copy(with.a, with.b);
        });
  }

  private static void part1() {
    PROGRAMS.bad(
        "a subclass of Thread is not joined",
        with -> {
          Thread thread =
              new Thread() {
                @Override
                public void run() {
                  with.first.fill(with.a, 1).await();
                }
              };
          thread.start();
          pause();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a thread of an object is joined",
        with -> {
          Thread thread =
              new Thread(
                  new Runnable() {
                    @Override
                    public void run() {
                      with.first.fill(with.a, 1).await();
                    }
                  });
          thread.start();
          thread.join();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.bad(
        "a thread of an object is not joined",
        with -> {
          Thread thread =
              new Thread(
                  new Runnable() {
                    @Override
                    public void run() {
                      with.first.fill(with.a, 1).await();
                    }
                  });
          thread.start();
          pause();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a latch is counted down behind the wait",
        with -> {
          CountDownLatch latch = new CountDownLatch(1);
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                    latch.countDown();
                  });
          thread.start();
          latch.await();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.bad(
        "a latch is counted down before the wait",
        with -> {
          CountDownLatch latch = new CountDownLatch(1);
          Thread thread =
              new Thread(
                  () -> {
                    latch.countDown();
                    with.first.fill(with.a, 1).await();
                  });
          thread.start();
          latch.await();
          pause();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a latch is counted down by a reference",
        with -> {
          CountDownLatch latch = new CountDownLatch(1);
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                    run(latch::countDown);
                  });
          thread.start();
          latch.await();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a callback counts a latch down",
        with -> {
          CountDownLatch latch = new CountDownLatch(1);
          with.first.fill(with.a, 1);
          with.first.then(latch::countDown);
          with.first.await();
          latch.await();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a latch is awaited for a while",
        with -> {
          CountDownLatch latch = new CountDownLatch(1);
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                    latch.countDown();
                  });
          thread.start();
          while (!latch.await(1, TimeUnit.MILLISECONDS)) {
            Thread.onSpinWait();
          }
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "two threads use a monitor",
        with -> {
          Object lock = new Object();
          Thread thread =
              new Thread(
                  () -> {
                    synchronized (lock) {
                      with.first.fill(with.a, 1).await();
                    }
                  });
          thread.start();
          pause();
          synchronized (lock) {
            with.second.copy(with.a, with.b);
          }
          thread.join();
        });
    PROGRAMS.bad(
        "one of two threads uses a monitor",
        with -> {
          Object lock = new Object();
          Thread thread =
              new Thread(
                  () -> {
                    synchronized (lock) {
                      with.first.fill(with.a, 1).await();
                    }
                  });
          thread.start();
          pause();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.bad(
        "two threads use different monitors",
        with -> {
          Object lock = new Object();
          Object other = new Object();
          Thread thread =
              new Thread(
                  () -> {
                    synchronized (lock) {
                      with.first.fill(with.a, 1).await();
                    }
                  });
          thread.start();
          pause();
          synchronized (other) {
            with.second.copy(with.a, with.b);
          }
        });
    PROGRAMS.good(
        "a thread leaves a monitor by an exception",
        with -> {
          Object lock = new Object();
          Thread thread =
              new Thread(
                  () -> {
                    try {
                      synchronized (lock) {
                        with.first.fill(with.a, 1).await();
                        throw new IllegalStateException();
                      }
                    } catch (IllegalStateException _) {
                      Thread.onSpinWait();
                    }
                  });
          thread.start();
          pause();
          synchronized (lock) {
            with.second.copy(with.a, with.b);
          }
          thread.join();
        });
  }

  private static void part2() {
    PROGRAMS.good(
        "a thread waits to be notified",
        with -> {
          Object lock = new Object();
          boolean[] isDone = new boolean[1];
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                    synchronized (lock) {
                      isDone[0] = true;
                      lock.notifyAll();
                    }
                  });
          thread.start();
          synchronized (lock) {
            while (!isDone[0]) {
              lock.wait();
            }
          }
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "two threads use synchronized methods",
        with -> {
          Guarded guarded = new Guarded();
          Thread thread =
              new Thread(
                  () -> {
                    guarded.run(
                        () -> {
                          with.first.fill(with.a, 1).await();
                        });
                  });
          thread.start();
          pause();
          guarded.run(
              () -> {
                with.second.copy(with.a, with.b);
              });
          thread.join();
        });
    PROGRAMS.bad(
        "one of two threads uses a synchronized method",
        with -> {
          Guarded guarded = new Guarded();
          Thread thread =
              new Thread(
                  () -> {
                    guarded.run(
                        () -> {
                          with.first.fill(with.a, 1).await();
                        });
                  });
          thread.start();
          pause();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a thread leaves a synchronized method by an exception",
        with -> {
          Guarded guarded = new Guarded();
          Thread thread =
              new Thread(
                  () -> {
                    try {
                      guarded.run(
                          () -> {
                            with.first.fill(with.a, 1).await();
                            throw new IllegalStateException();
                          });
                    } catch (IllegalStateException _) {
                      Thread.onSpinWait();
                    }
                  });
          thread.start();
          pause();
          guarded.run(
              () -> {
                with.second.copy(with.a, with.b);
              });
          thread.join();
        });
    PROGRAMS.good(
        "two threads use a static synchronized method",
        with -> {
          Thread thread =
              new Thread(
                  () -> {
                    Guarded.runAlone(
                        () -> {
                          with.first.fill(with.a, 1).await();
                        });
                  });
          thread.start();
          pause();
          Guarded.runAlone(
              () -> {
                with.second.copy(with.a, with.b);
              });
          thread.join();
        });
    PROGRAMS.good(
        "two threads use a lock",
        with -> {
          ReentrantLock lock = new ReentrantLock();
          Thread thread =
              new Thread(
                  () -> {
                    lock.lock();
                    try {
                      with.first.fill(with.a, 1).await();
                    } finally {
                      lock.unlock();
                    }
                  });
          thread.start();
          pause();
          lock.lock();
          try {
            with.second.copy(with.a, with.b);
          } finally {
            lock.unlock();
          }
          thread.join();
        });
    PROGRAMS.bad(
        "one of two threads uses a lock",
        with -> {
          ReentrantLock lock = new ReentrantLock();
          Thread thread =
              new Thread(
                  () -> {
                    lock.lock();
                    try {
                      with.first.fill(with.a, 1).await();
                    } finally {
                      lock.unlock();
                    }
                  });
          thread.start();
          pause();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.bad(
        "the first of two threads uses no lock",
        with -> {
          ReentrantLock lock = new ReentrantLock();
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                  });
          thread.start();
          pause();
          lock.lock();
          try {
            with.second.copy(with.a, with.b);
          } finally {
            lock.unlock();
          }
        });
    PROGRAMS.good(
        "a thread awaits a condition",
        with -> {
          ReentrantLock lock = new ReentrantLock();
          Condition changed = lock.newCondition();
          boolean[] isDone = new boolean[1];
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                    lock.lock();
                    try {
                      isDone[0] = true;
                      changed.signalAll();
                    } finally {
                      lock.unlock();
                    }
                  });
          thread.start();
          lock.lock();
          try {
            while (!isDone[0]) {
              changed.await();
            }
          } finally {
            lock.unlock();
          }
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "one thread reads under a lock what another one has written",
        with -> {
          ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
          Thread thread =
              new Thread(
                  () -> {
                    lock.writeLock().lock();
                    try {
                      with.first.fill(with.a, 1).await();
                    } finally {
                      lock.writeLock().unlock();
                    }
                  });
          thread.start();
          pause();
          lock.readLock().lock();
          try {
            with.second.copy(with.a, with.b);
          } finally {
            lock.readLock().unlock();
          }
          thread.join();
        });
    PROGRAMS.good(
        "two threads use a stamped lock",
        with -> {
          StampedLock lock = new StampedLock();
          Thread thread =
              new Thread(
                  () -> {
                    long stamp = lock.writeLock();
                    with.first.fill(with.a, 1).await();
                    lock.unlockWrite(stamp);
                  });
          thread.start();
          pause();
          long stamp = lock.readLock();
          with.second.copy(with.a, with.b);
          lock.unlockRead(stamp);
          thread.join();
        });
    PROGRAMS.good(
        "a volatile field says that it is done",
        with -> {
          isSaid = false;
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                    isSaid = true;
                  });
          thread.start();
          while (!isSaid) {
            Thread.onSpinWait();
          }
          with.second.copy(with.a, with.b);
        });
  }

  private static void part3() {
    PROGRAMS.bad(
        "a volatile field says so too early",
        with -> {
          isSaid = false;
          Thread thread =
              new Thread(
                  () -> {
                    isSaid = true;
                    with.first.fill(with.a, 1).await();
                  });
          thread.start();
          while (!isSaid) {
            Thread.onSpinWait();
          }
          pause();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "an atomic number says that it is done",
        with -> {
          AtomicInteger count = new AtomicInteger();
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                    count.incrementAndGet();
                  });
          thread.start();
          while (count.get() == 0) {
            Thread.onSpinWait();
          }
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.bad(
        "an atomic number is not asked",
        with -> {
          AtomicInteger count = new AtomicInteger();
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                    count.incrementAndGet();
                  });
          thread.start();
          pause();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.bad(
        "another atomic number is asked",
        with -> {
          AtomicInteger count = new AtomicInteger();
          AtomicInteger other = new AtomicInteger();
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                    count.incrementAndGet();
                  });
          thread.start();
          pause();
          use(other.get());
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a variable's handle says that it is done",
        with -> {
          said = 0;
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                    SAID.setRelease(1);
                  });
          thread.start();
          while ((int) SAID.getAcquire() == 0) {
            Thread.onSpinWait();
          }
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a queue hands it over",
        with -> {
          BlockingQueue<String> queue = new LinkedBlockingQueue<>();
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                    queue.add("done");
                  });
          thread.start();
          use(queue.take().length());
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.bad(
        "a queue hands something else over",
        with -> {
          BlockingQueue<String> queue = new LinkedBlockingQueue<>();
          Thread thread =
              new Thread(
                  () -> {
                    queue.add("begun");
                    with.first.fill(with.a, 1).await();
                  });
          thread.start();
          use(queue.take().length());
          pause();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a plain interface of a concurrent queue hands it over",
        with -> {
          Queue<String> queue = new ConcurrentLinkedQueue<>();
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                    queue.add("done");
                  });
          thread.start();
          while (queue.poll() == null) {
            Thread.onSpinWait();
          }
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a concurrent map hands it over",
        with -> {
          Map<String, String> map = new ConcurrentHashMap<>();
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                    map.put("done", "");
                  });
          thread.start();
          while (!map.containsKey("done")) {
            Thread.onSpinWait();
          }
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a function of a concurrent map waits",
        with -> {
          Map<String, String> map = new ConcurrentHashMap<>();
          Thread thread =
              new Thread(
                  () -> {
                    map.computeIfAbsent(
                        "done",
                        _ -> {
                          with.first.fill(with.a, 1).await();
                          return "";
                        });
                  });
          thread.start();
          while (!map.containsKey("done")) {
            Thread.onSpinWait();
          }
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a synchronized list hands it over",
        with -> {
          List<String> list = Collections.synchronizedList(new ArrayList<>());
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                    list.add("done");
                  });
          thread.start();
          while (list.isEmpty()) {
            Thread.onSpinWait();
          }
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a semaphore hands it over",
        with -> {
          Semaphore semaphore = new Semaphore(0);
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                    semaphore.release();
                  });
          thread.start();
          semaphore.acquire();
          with.second.copy(with.a, with.b);
        });
  }

  private static void part4() {
    PROGRAMS.good(
        "a barrier lets both go on",
        with -> {
          CyclicBarrier barrier = new CyclicBarrier(2);
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                    meet(barrier);
                  });
          thread.start();
          barrier.await();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a barrier's action waits",
        with -> {
          CyclicBarrier barrier =
              new CyclicBarrier(
                  2,
                  () -> {
                    with.first.fill(with.a, 1).await();
                  });
          Thread thread =
              new Thread(
                  () -> {
                    meet(barrier);
                  });
          thread.start();
          barrier.await();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a phaser lets both go on",
        with -> {
          Phaser phaser = new Phaser(2);
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                    phaser.arriveAndAwaitAdvance();
                  });
          thread.start();
          phaser.arriveAndAwaitAdvance();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "an exchanger hands it over",
        with -> {
          Exchanger<String> exchanger = new Exchanger<>();
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                    exchange(exchanger);
                  });
          thread.start();
          use(exchanger.exchange("").length());
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a task's result is taken",
        with -> {
          try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            Future<?> future =
                pool.submit(
                    () -> {
                      with.first.fill(with.a, 1).await();
                    });
            future.get();
            with.second.copy(with.a, with.b);
          }
        });
    PROGRAMS.bad(
        "a task's result is not taken",
        with -> {
          try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            pool.submit(
                () -> {
                  with.first.fill(with.a, 1).await();
                });
            pause();
            with.second.copy(with.a, with.b);
          }
        });
    PROGRAMS.bad(
        "another task's result is taken",
        with -> {
          try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            pool.submit(
                () -> {
                  with.first.fill(with.a, 1).await();
                });
            Future<?> other = pool.submit(() -> {});
            other.get();
            pause();
            with.second.copy(with.a, with.b);
          }
        });
    PROGRAMS.good(
        "a task that gives something is taken",
        with -> {
          try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            Future<Integer> future =
                pool.submit(
                    () -> {
                      with.first.fill(with.a, 1).await();
                      return 1;
                    });
            use(future.get());
            with.second.copy(with.a, with.b);
          }
        });
    PROGRAMS.good(
        "a task's failure is taken",
        with -> {
          try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            Future<?> future =
                pool.submit(
                    () -> {
                      with.first.fill(with.a, 1).await();
                      throw new IllegalStateException();
                    });
            try {
              future.get();
            } catch (ExecutionException _) {
              with.second.copy(with.a, with.b);
            }
          }
        });
    PROGRAMS.good(
        "a pool is closed",
        with -> {
          try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            pool.execute(
                () -> {
                  with.first.fill(with.a, 1).await();
                });
          }
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a pool is awaited",
        with -> {
          try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            pool.execute(
                () -> {
                  with.first.fill(with.a, 1).await();
                });
            pool.shutdown();
            use(pool.awaitTermination(1, TimeUnit.MINUTES) ? 1 : 0);
            with.second.copy(with.a, with.b);
          }
        });
    PROGRAMS.bad(
        "a pool is not awaited",
        with -> {
          try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            pool.execute(
                () -> {
                  with.first.fill(with.a, 1).await();
                });
            pause();
            with.second.copy(with.a, with.b);
          }
        });
  }

  private static void part5() {
    PROGRAMS.good(
        "all tasks' results are taken",
        with -> {
          try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            pool.invokeAll(
                List.of(
                    () -> {
                      with.first.fill(with.a, 1).await();
                      return 1;
                    }));
            with.second.copy(with.a, with.b);
          }
        });
    PROGRAMS.good(
        "an object's result is taken",
        with -> {
          try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            Future<?> future =
                pool.submit(
                    new Runnable() {
                      @Override
                      public void run() {
                        with.first.fill(with.a, 1).await();
                      }
                    });
            future.get();
            with.second.copy(with.a, with.b);
          }
        });
    PROGRAMS.good(
        "a task knows what the one knows that submits it",
        with -> {
          try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            with.first.fill(with.a, 1).await();
            pool.submit(
                    () -> {
                      with.second.copy(with.a, with.b);
                    })
                .get();
          }
        });
    PROGRAMS.good(
        "the second task of one thread knows what the first one knows",
        with -> {
          try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
            pool.submit(
                () -> {
                  with.first.fill(with.a, 1).await();
                });
            pool.submit(
                    () -> {
                      with.second.copy(with.a, with.b);
                    })
                .get();
          }
        });
    PROGRAMS.bad(
        "a task on another thread knows nothing of the first one",
        with -> {
          try (ExecutorService one = Executors.newSingleThreadExecutor();
              ExecutorService two = Executors.newSingleThreadExecutor()) {
            one.submit(
                () -> {
                  with.first.fill(with.a, 1).await();
                });
            pause();
            rethrow(
                two.submit(
                    () -> {
                      with.second.copy(with.a, with.b);
                    }));
          }
        });
    PROGRAMS.good(
        "a scheduled task's result is taken",
        with -> {
          try (ScheduledExecutorService pool = Executors.newScheduledThreadPool(1)) {
            pool.schedule(
                    () -> {
                      with.first.fill(with.a, 1).await();
                    },
                    1,
                    TimeUnit.MILLISECONDS)
                .get();
            with.second.copy(with.a, with.b);
          }
        });
    PROGRAMS.good(
        "a task of a thread is taken",
        with -> {
          FutureTask<Integer> task =
              new FutureTask<>(
                  () -> {
                    with.first.fill(with.a, 1).await();
                    return 1;
                  });
          Thread thread = new Thread(task);
          thread.start();
          use(task.get());
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a future is joined",
        with -> {
          CompletableFuture<Void> future =
              CompletableFuture.runAsync(
                  () -> {
                    with.first.fill(with.a, 1).await();
                  });
          future.join();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.bad(
        "a future is not joined",
        with -> {
          CompletableFuture<Void> future =
              CompletableFuture.runAsync(
                  () -> {
                    with.first.fill(with.a, 1).await();
                  });
          pause();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "what is behind a future is joined",
        with -> {
          CompletableFuture<Void> future =
              CompletableFuture.runAsync(
                  () -> {
                    with.first.fill(with.a, 1).await();
                  });
          future.thenRun(() -> {}).join();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "what runs behind a future knows what it knows",
        with -> {
          CompletableFuture<Void> future =
              CompletableFuture.runAsync(
                  () -> {
                    with.first.fill(with.a, 1).await();
                  });
          future
              .thenRunAsync(
                  () -> {
                    with.second.copy(with.a, with.b);
                  })
              .join();
        });
    PROGRAMS.good(
        "all futures are joined",
        with -> {
          CompletableFuture<Void> future =
              CompletableFuture.runAsync(
                  () -> {
                    with.first.fill(with.a, 1).await();
                  });
          CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {});
          CompletableFuture.allOf(other, future).join();
          with.second.copy(with.a, with.b);
        });
  }

  private static void part6() {
    PROGRAMS.bad(
        "some futures are joined",
        with -> {
          CompletableFuture<Void> future =
              CompletableFuture.runAsync(
                  () -> {
                    with.first.fill(with.a, 1).await();
                  });
          CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {});
          CompletableFuture.allOf(other).join();
          pause();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "futures are joined by a reference",
        with -> {
          CompletableFuture<Void> future =
              CompletableFuture.runAsync(
                  () -> {
                    with.first.fill(with.a, 1).await();
                  });
          List.of(future).forEach(CompletableFuture::join);
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a stage is composed",
        with -> {
          CompletableFuture.completedFuture(1)
              .thenCompose(
                  _ ->
                      CompletableFuture.runAsync(
                          () -> {
                            with.first.fill(with.a, 1).await();
                          }))
              .join();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "two stages are combined",
        with -> {
          CompletableFuture<Void> future =
              CompletableFuture.runAsync(
                  () -> {
                    with.first.fill(with.a, 1).await();
                  });
          CompletableFuture.completedFuture(1).thenCombine(future, (one, _) -> one).join();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a thread completes a future",
        with -> {
          CompletableFuture<Integer> future = new CompletableFuture<>();
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                    future.complete(1);
                  });
          thread.start();
          use(future.join());
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.bad(
        "a thread completes a future too early",
        with -> {
          CompletableFuture<Integer> future = new CompletableFuture<>();
          Thread thread =
              new Thread(
                  () -> {
                    future.complete(1);
                    with.first.fill(with.a, 1).await();
                  });
          thread.start();
          use(future.join());
          pause();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a future of the device is joined",
        with -> {
          with.first.fill(with.a, 1).toCompletableFuture().join();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "what is behind a future of the device is joined",
        with -> {
          with.first.fill(with.a, 1).toCompletableFuture().thenApply(_ -> 1).join();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a parallel stream is done",
        with -> {
          IntStream.range(0, 4).parallel().forEach(i -> with.first.fill(with.a, i).await());
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a recursive task is joined",
        with -> {
          new Filling(with).fork().join();
          with.second.copy(with.a, with.b);
        });
    PROGRAMS.good(
        "a timer's task counts a latch down",
        with -> {
          CountDownLatch latch = new CountDownLatch(1);
          Timer timer = new Timer(true);
          timer.schedule(
              new TimerTask() {
                @Override
                public void run() {
                  with.first.fill(with.a, 1).await();
                  latch.countDown();
                }
              },
              1);
          latch.await();
          with.second.copy(with.a, with.b);
          timer.cancel();
        });
    PROGRAMS.good(
        "a thread is unparked",
        with -> {
          Thread main = Thread.currentThread();
          Thread thread =
              new Thread(
                  () -> {
                    with.first.fill(with.a, 1).await();
                    LockSupport.unpark(main);
                  });
          thread.start();
          LockSupport.park();
          thread.join();
          with.second.copy(with.a, with.b);
        });
  }

  private static void part7() {
    PROGRAMS.good(
        "an array is read that another thread has awaited",
        with -> {
          Thread thread =
              new Thread(
                  () -> {
                    with.first.copy(with.a, with.host).await();
                  });
          thread.start();
          thread.join();
          use(with.host[0]);
        });
    PROGRAMS.bad(
        "an array is read that another thread may have awaited",
        with -> {
          Thread thread =
              new Thread(
                  () -> {
                    with.first.copy(with.a, with.host).await();
                  });
          thread.start();
          pause();
          use(with.host[0]);
        });
    PROGRAMS.bad(
        "an array is written whose copy another thread may have awaited",
        with -> {
          Thread thread =
              new Thread(
                  () -> {
                    with.first.copy(with.host, with.a).await();
                  });
          thread.start();
          pause();
          with.host[0] = 1;
        });
    PROGRAMS.good(
        "an array is written whose copy another thread has awaited",
        with -> {
          Thread thread =
              new Thread(
                  () -> {
                    with.first.copy(with.host, with.a).await();
                  });
          thread.start();
          thread.join();
          with.host[0] = 1;
        });
    PROGRAMS.bad(
        "a thread overwrites what another one may have awaited",
        with -> {
          with.first.fill(with.a, 1).await();
          Thread thread =
              new Thread(
                  () -> {
                    with.second.copy(with.a, with.b).await();
                  });
          thread.start();
          pause();
          with.third.fill(with.a, 2);
        });
  }

  private static void arrays() {
    PROGRAMS.good(
        "a thread that has written an array is joined before its copy",
        with -> {
          with.first.copy(with.host, with.a).await();
          Thread thread =
              new Thread(
                  () -> {
                    with.host[0] = 1;
                  });
          thread.start();
          thread.join();
          with.first.copy(with.host, with.a).await();
        });
    PROGRAMS.bad(
        "a thread that writes an array is not joined before its copy",
        with -> {
          with.first.copy(with.host, with.a).await();
          Thread thread =
              new Thread(
                  () -> {
                    with.host[0] = 1;
                  });
          thread.start();
          pause();
          with.first.copy(with.host, with.a).await();
        });
    PROGRAMS.good(
        "a thread that has read an array is joined before it is overwritten",
        with -> {
          with.first.copy(with.host, with.a).await();
          Thread thread =
              new Thread(
                  () -> {
                    use(with.host[0]);
                  });
          thread.start();
          thread.join();
          with.first.copy(with.a, with.host).await();
        });
    PROGRAMS.bad(
        "a thread that reads an array is not joined before it is overwritten",
        with -> {
          with.first.copy(with.host, with.a).await();
          Thread thread =
              new Thread(
                  () -> {
                    use(with.host[0]);
                  });
          thread.start();
          pause();
          with.first.copy(with.a, with.host).await();
        });
    PROGRAMS.good(
        "a thread that reads an array is not joined before its copy",
        with -> {
          with.first.copy(with.host, with.a).await();
          Thread thread =
              new Thread(
                  () -> {
                    use(with.host[0]);
                  });
          thread.start();
          pause();
          with.first.copy(with.host, with.a).await();
          thread.join();
        });
    PROGRAMS.bad(
        "a thread writes one of many elements of an array during a copy",
        with -> {
          with.first.copy(with.host, with.a).await();
          Thread thread =
              new Thread(
                  () -> {
                    for (int i = 0; i < with.host.length; i++) {
                      with.host[i] = i;
                    }
                  });
          thread.start();
          pause();
          with.first.copy(with.host, with.a).await();
        });
    PROGRAMS.good(
        "two threads use halves of an array",
        with -> {
          with.first.copy(with.host, with.a).await();
          Thread thread =
              new Thread(
                  () -> {
                    for (int i = 0; i < 32; i++) {
                      with.host[i] = i;
                    }
                  });
          thread.start();
          pause();
          with.first
              .copy(MemorySegment.ofArray(with.host).asSlice(128), with.a.slice(32, 32))
              .await();
          thread.join();
        });
    PROGRAMS.good(
        "a queue hands arrays over",
        with -> {
          with.first.copy(with.host, with.a).await();
          BlockingQueue<float[]> queue = new LinkedBlockingQueue<>();
          Thread thread =
              new Thread(
                  () -> {
                    for (int i = 0; i < 100; i++) {
                      with.host[i % 64] = i;
                    }
                    queue.add(with.host);
                  });
          thread.start();
          with.first.copy(queue.take(), with.a).await();
        });
    PROGRAMS.bad(
        "a thread goes on writing an array that a queue has handed over",
        with -> {
          with.first.copy(with.host, with.a).await();
          BlockingQueue<float[]> queue = new LinkedBlockingQueue<>();
          Thread thread =
              new Thread(
                  () -> {
                    queue.add(with.host);
                    with.host[1] = 1;
                  });
          thread.start();
          float[] taken = queue.take();
          pause();
          with.first.copy(taken, with.a).await();
        });
  }
}
