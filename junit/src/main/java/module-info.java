/**
 * Device tests for JUnit Jupiter: seeds, order, faults, leaks. Begin with {@link
 * dev.stretto.junit.DeviceTest}.
 */
module dev.stretto.junit {
  requires transitive dev.stretto;
  requires transitive org.junit.jupiter.api;
  requires jdk.management;
  requires static org.jspecify;

  exports dev.stretto.junit;

  // JUnit creates the extensions.
  opens dev.stretto.junit to
      org.junit.platform.commons;
}
