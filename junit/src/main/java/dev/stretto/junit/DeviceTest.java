package dev.stretto.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A test of a program that uses devices. It runs once per seed on virtual devices, on which each
 * seed is another legal order of the work; once on GPUs, if there are any; and, if asked for, once
 * per driver call, with that call failing.
 *
 * {@snippet class="dev.stretto.junit.SumsTest" region="pair"}
 *
 * <p><b>Parameters.</b> The method and those annotated with {@code @BeforeEach} and
 * {@code @AfterEach} may take, in any number and any order:
 *
 * <ul>
 *   <li>{@link dev.stretto.Device}: the first parameter is the first device, and so on. {@code
 *       List<Device>} are all of them.
 *   <li>{@link dev.stretto.Stream}: a new stream of the device parameter before it, or of the first
 *       device. Its name is that of the parameter, if the class was compiled with {@code
 *       -parameters}.
 *   <li>{@link dev.stretto.PinnedArena}: a new one, of that device.
 *   <li>{@link dev.stretto.timeline.Timeline}: one that records that device.
 *   <li>{@link java.lang.foreign.Arena}: a new shared arena of ordinary memory.
 *   <li>{@link Seed @Seed} {@code long}: the seed.
 * </ul>
 *
 * <p>All of them are closed after the run, and the test need not do so.
 *
 * <p><b>Afterwards</b>, when the methods annotated with {@code @AfterEach} have run, the devices
 * are awaited, so that a failure that nobody has awaited fails the run; a device that is lost by
 * then is left alone. Then no stream, array, arena, pinned buffer or graph that the test has opened
 * may be open: whatever is, is a leak and fails the run, with the place where it was opened.
 *
 * <p><b>A failure</b> names the run, which is a device string such as {@code
 * virtual:h200x2,seed=17,order=checked}. With the system property or JUnit parameter {@code
 * stretto.junit.replay} set to it, that run is the only one. Its schedule is the same again. In a
 * debugger, breakpoints in kernels stop too.
 *
 * <p>The first failure of a test also shows the shortest run that fails in the same way: a picture
 * with a column for each stream, in which the two operations whose order decides are marked, and
 * the text of that run for the same property. To find it, the test runs again, up to 1,000 times
 * and for at most five seconds, on new devices and new instances of its class, with the methods
 * before and after it. This is left out if a parameter or the constructor needs another extension
 * of JUnit, and with the parameter {@code stretto.junit.shrink=false}.
 *
 * <p><b>Each run is a test of its own</b> in JUnit's tree, with its own instance of the class and
 * its own {@code @BeforeEach}, like a repetition of {@code @RepeatedTest}. So what a test expects
 * of JUnit holds for each seed, an IDE shows which seeds fail, and can run them again. One test
 * that runs all seeds in a loop would hide that, and share an instance among its seeds. The runs
 * are side by side if JUnit's parallel execution is on ({@code
 * junit.jupiter.execution.parallel.enabled=true}); no other setting is needed, since this
 * annotation asks for concurrent execution, which {@code @Execution(SAME_THREAD)} on the method
 * takes back. With {@link Faults#ONE_BY_ONE} the runs of one method come one after the other,
 * beside those of other methods, because the calls that are to fail are known only after the first
 * run.
 *
 * <p>As with every annotation of JUnit, a project may have its own, with its own values:
 *
 * {@snippet class="dev.stretto.junit.SumsTest" region="composed"}
 *
 * <p>The parameters {@code stretto.junit.seeds} and {@code stretto.junit.firstSeed} replace the
 * number of seeds and the first one in all tests, for a nightly run for example; {@code
 * stretto.junit.gpu} replaces {@link #gpu()}.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(providers = OneThread.class)
@ExtendWith(DeviceTestExtension.class)
@SuppressWarnings("exports") // JUnit alone uses the extension
public @interface DeviceTest {
  /**
   * {@return the virtual devices, as the words that {@link dev.stretto.Device#open(String)} takes
   * after {@code virtual:}} {@code h200x2} are two H200s; {@code h200,memory=1000000} is one with
   * little memory. The test runs with all seeds for each string. Words for the seed and the order
   * are not allowed, because {@link #seeds()} and {@link #order()} decide these.
   */
  String[] devices() default "h200";

  /**
   * {@return the number of seeds, from 0 on} With 0 there is one run, on virtual devices that are
   * run by threads.
   */
  int seeds() default 50;

  /** {@return whether the order of operations is checked} */
  Order order() default Order.CHECKED;

  /** {@return whether calls of the driver are made to fail} */
  Faults faults() default Faults.NONE;

  /** {@return whether the test runs on GPUs too} */
  Gpu gpu() default Gpu.IF_PRESENT;
}
