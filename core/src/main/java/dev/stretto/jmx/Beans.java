package dev.stretto.jmx;

/** Registers beans with the server of the process. */
public final class Beans {
  private Beans() {}

  /** {@return whether the module {@code java.management} is there} */
  public static boolean arePossible() {
    try {
      Class.forName("javax.management.MBeanServer", false, Beans.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /**
   * Registers the bean of a device, unless it is registered.
   *
   * @param type its interface, whose values are translated as those of an MXBean
   * @param device the device's name
   */
  public static <T> void register(T bean, Class<T> type, String device) {
    PlatformServer.register(bean, type, device);
  }

  /** Removes the bean of a device, if it is registered. */
  public static void remove(String device) {
    PlatformServer.remove(device);
  }
}
