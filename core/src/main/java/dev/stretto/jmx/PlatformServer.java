package dev.stretto.jmx;

import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/** The server of the process. Loaded only where the module is. */
final class PlatformServer {
  private static final String NAME = "dev.stretto:type=Device,name=";

  private PlatformServer() {}

  /**
   * Registers the bean of a device, unless it is registered.
   *
   * @param type its interface, whose values are translated as those of an MXBean
   * @param device the device's name
   */
  static <T> void register(T bean, Class<T> type, String device) {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      if (server.isRegistered(name(device))) {
        return;
      }
      server.registerMBean(new StandardMBean(bean, type, true), name(device));
    } catch (InstanceAlreadyExistsException _) {
      return; // what was asked for is so
    } catch (JMException e) {
      throw new IllegalStateException("the metrics of " + device + " cannot be registered", e);
    }
  }

  /** Removes the bean of a device, if it is registered. */
  static void remove(String device) {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      if (server.isRegistered(name(device))) {
        server.unregisterMBean(name(device));
      }
    } catch (JMException e) {
      throw new IllegalStateException("the metrics of " + device + " cannot be removed", e);
    }
  }

  private static ObjectName name(String device) throws JMException {
    return new ObjectName(NAME + ObjectName.quote(device));
  }
}
