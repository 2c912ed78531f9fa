package dev.stretto.junit;

import dev.stretto.Device;
import dev.stretto.schedule.Program;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/**
 * A test that has failed, as a program that can be run again: each time on a new instance of its
 * class, with the methods before and after it, and without other extensions of JUnit.
 *
 * @param run the run that has failed
 * @param context of the test
 */
record Rerun(Run run, ExtensionContext context) implements Program {
  /** A parameter of a method of the test. */
  private record Place(Executable of, int index, Object instance) implements ParameterContext {
    @Override
    public Parameter getParameter() {
      return of.getParameters()[index];
    }

    @Override
    public int getIndex() {
      return index;
    }

    @Override
    public Optional<Object> getTarget() {
      return Optional.of(instance);
    }
  }

  /** {@return whether nothing but devices is needed for it} */
  boolean isPossible() {
    List<Method> all = new ArrayList<>(around(HierarchyTraversalMode.TOP_DOWN, true));
    all.addAll(around(HierarchyTraversalMode.BOTTOM_UP, false));
    all.add(context.getRequiredTestMethod());
    return constructor().isPresent()
        && all.stream()
            .allMatch(
                method -> {
                  for (int i = 0; i < method.getParameterCount(); i++) {
                    Place place = new Place(method, i, context.getRequiredTestInstance());
                    if (!RunParameter.isSupported(place)) {
                      return false;
                    }
                  }
                  return true;
                });
  }

  private List<Method> around(HierarchyTraversalMode order, boolean before) {
    return AnnotationSupport.findAnnotatedMethods(
        context.getRequiredTestClass(), before ? BeforeEach.class : AfterEach.class, order);
  }

  private boolean isOneInstance() {
    return context.getTestInstanceLifecycle().orElse(TestInstance.Lifecycle.PER_METHOD)
        == TestInstance.Lifecycle.PER_CLASS;
  }

  /** {@return the constructor that takes at most the instance around it} */
  private Optional<Constructor<?>> constructor() {
    List<Object> instances = context.getRequiredTestInstances().getAllInstances();
    Constructor<?>[] all = context.getRequiredTestClass().getDeclaredConstructors();
    return all.length == 1 && all[0].getParameterCount() <= instances.size() - 1
        ? Optional.of(all[0])
        : Optional.empty();
  }

  private Object instance() throws ReflectiveOperationException {
    if (isOneInstance()) {
      return context.getRequiredTestInstance();
    }
    Constructor<?> constructor = constructor().orElseThrow();
    constructor.setAccessible(true);
    List<Object> instances = context.getRequiredTestInstances().getAllInstances();
    return constructor.getParameterCount() == 0
        ? constructor.newInstance()
        : constructor.newInstance(instances.get(instances.size() - 2));
  }

  @Override
  public void run(List<Device> devices) throws Throwable {
    RunDevices lent = RunDevices.of(devices);
    Object instance = instance();
    try {
      for (Method method : around(HierarchyTraversalMode.TOP_DOWN, true)) {
        call(method, instance, lent);
      }
      call(context.getRequiredTestMethod(), instance, lent);
    } finally {
      try {
        for (Method method : around(HierarchyTraversalMode.BOTTOM_UP, false)) {
          call(method, instance, lent);
        }
      } finally {
        lent.settle();
        lent.takeBack();
      }
    }
  }

  private void call(Method method, Object instance, RunDevices devices) throws Throwable {
    Object[] arguments = new Object[method.getParameterCount()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = new RunParameter(new Place(method, i, instance), run).of(devices);
    }
    method.setAccessible(true);
    try {
      method.invoke(instance, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
