package dev.stretto.junit;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Keeps the runs of a test with faults on one thread, by a lock that no other test takes: JUnit
 * runs what is below a lock on the thread that holds it. The run that counts the calls is over
 * then, when the first run with a fault is asked for.
 */
final class OneThread implements ResourceLocksProvider {
  @Override
  public Set<Lock> provideForMethod(
      List<Class<?>> enclosingInstanceTypes, Class<?> testClass, Method testMethod) {
    return AnnotationSupport.findAnnotation(testMethod, DeviceTest.class)
        .filter(test -> test.faults() == Faults.ONE_BY_ONE)
        .map(_ -> Set.of(new Lock("faults of " + testClass.getName() + "." + testMethod)))
        .orElse(Set.of());
  }
}
