package dev.stretto.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow.Publisher;
import java.util.concurrent.Flow.Subscriber;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.reactivestreams.tck.flow.FlowSubscriberBlackboxVerification;
import org.testng.annotations.Test;

/**
 * The rules of Reactive Streams, checked by their own test kit. It is written for TestNG; its
 * methods are called from here one by one.
 */
class ReactiveStreamsTest {
  private static final int CHUNK = 64;

  /** Notes on what no test can check, and what is for publishers with several subscribers. */
  private static final Pattern LEFT_OUT = Pattern.compile("untested_|optional_spec111_");

  private static final long TIMEOUT_MILLIS = Long.getLong("stretto.tck.millis", 400);

  private static Device device;
  private static ExecutorService executor;

  @BeforeAll
  static void open() {
    device = Device.open("virtual");
    executor = Executors.newVirtualThreadPerTaskExecutor();
  }

  @AfterAll
  static void close() {
    executor.close();
    device.close();
  }

  @TestFactory
  Stream<DynamicTest> aFlowIsAPublisherByTheRulesOnAnExecutor() {
    return tests(() -> new OfPublisher(executor));
  }

  @TestFactory
  Stream<DynamicTest> aFlowIsAPublisherByTheRulesOnItsOwnThreads() {
    return tests(() -> new OfPublisher(Runnable::run));
  }

  @TestFactory
  Stream<DynamicTest> aFlowSubscribesToItsSourceByTheRules() {
    return tests(OfSubscriber::new);
  }

  /** A verification of the kit. */
  public interface Verification {
    /** Prepares a test. */
    void setUp() throws Exception;
  }

  private static Stream<DynamicTest> tests(java.util.function.Supplier<Verification> made) {
    List<Method> methods =
        Arrays.stream(made.get().getClass().getMethods())
            .filter(method -> method.isAnnotationPresent(Test.class))
            .filter(method -> !LEFT_OUT.matcher(method.getName()).lookingAt())
            .sorted(Comparator.comparing(Method::getName))
            .toList();
    assertThat(methods).hasSizeGreaterThan(10);
    return methods.stream()
        .map(method -> DynamicTest.dynamicTest(method.getName(), () -> run(made.get(), method)));
  }

  private static void run(Verification verification, Method method) throws Throwable {
    verification.setUp();
    try {
      method.invoke(verification);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** Publishes so many chunks. */
  public static final class OfPublisher extends FlowPublisherVerification<ByteBuffer>
      implements Verification {
    private final Executor on;

    OfPublisher(Executor on) {
      super(new TestEnvironment(TIMEOUT_MILLIS, TIMEOUT_MILLIS / 4), TIMEOUT_MILLIS);
      this.on = on;
    }

    @Override
    public Publisher<ByteBuffer> createFlowPublisher(long elements) {
      return Flow.on(device)
          .from(new EndlessSource(elements * CHUNK))
          .chunkBytes(CHUNK)
          .granularity(CHUNK)
          .depth(2)
          .publish(on);
    }

    @Override
    public Publisher<ByteBuffer> createFailedFlowPublisher() {
      Publisher<ByteBuffer> publisher = createFlowPublisher(1);
      publisher.subscribe(new Nobody()); // the second subscriber is refused
      return publisher;
    }

    @Override
    public long maxElementsFromPublisher() {
      return Integer.MAX_VALUE;
    }
  }

  private static final class Nobody implements Subscriber<ByteBuffer> {
    @Override
    public void onSubscribe(java.util.concurrent.Flow.Subscription subscription) {
      subscription.cancel();
    }

    @Override
    public void onNext(ByteBuffer chunk) {}

    @Override
    public void onError(Throwable cause) {}

    @Override
    public void onComplete() {}
  }

  /** The side of a source that a publisher sees. */
  public static final class OfSubscriber extends FlowSubscriberBlackboxVerification<ByteBuffer>
      implements Verification {
    OfSubscriber() {
      super(new TestEnvironment(TIMEOUT_MILLIS, TIMEOUT_MILLIS / 4));
    }

    @Override
    public void setUp() throws Exception {
      startPublisherExecutorService();
      super.setUp();
    }

    @Override
    public Subscriber<ByteBuffer> createFlowSubscriber() {
      return new PublisherSource(subscriber -> {});
    }

    @Override
    public ByteBuffer createElement(int element) {
      return ByteBuffer.allocate(4).putInt(element).flip();
    }
  }
}
