package dev.stretto.junit;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * Stands between Stretto and a driver: tells of each call before it is made. Devices are proxies,
 * so that whatever the contract of drivers gets is passed on too.
 */
record DriverLayer(Driver driver, DriverCalls calls) implements Driver {
  @Override
  public String name() {
    return driver.name();
  }

  @Override
  public int deviceCount() {
    return driver.deviceCount();
  }

  @Override
  public DeviceProperties properties(int ordinal) {
    return driver.properties(ordinal);
  }

  @Override
  public DriverDevice open(int ordinal) {
    return (DriverDevice)
        Proxy.newProxyInstance(
            DriverDevice.class.getClassLoader(),
            new Class<?>[] {DriverDevice.class},
            new Tap(driver.open(ordinal), calls));
  }

  /** The same for one device. */
  private record Tap(DriverDevice device, DriverCalls calls) implements InvocationHandler {
    @Override
    public @Nullable Object invoke(
        Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
      if (method.getDeclaringClass() == Object.class) {
        return ofObject(proxy, method, arguments);
      }
      calls.before(method.getName());
      try {
        return method.invoke(device, untapped(arguments));
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }

    @SuppressWarnings("ReferenceEquality") // a proxy is itself only
    private Object ofObject(Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
      return switch (method.getName()) {
        case "equals" -> arguments != null && proxy == arguments[0];
        case "hashCode" -> System.identityHashCode(proxy);
        default -> device.toString();
      };
    }

    /** A driver knows its own devices only, not what stands before them. */
    private static @Nullable Object @Nullable [] untapped(@Nullable Object @Nullable [] arguments) {
      if (arguments != null) {
        for (int i = 0; i < arguments.length; i++) {
          Object argument = arguments[i];
          if (argument != null
              && Proxy.isProxyClass(argument.getClass())
              && Proxy.getInvocationHandler(argument) instanceof Tap tap) {
            arguments[i] = tap.device;
          }
        }
      }
      return arguments;
    }
  }
}
