/**
 * Asynchronous copies on GPUs. Needs no other module than the JDK's base; where {@code jdk.jfr} is
 * among a program's modules, it writes events of the JDK's Flight Recorder; and where {@code
 * java.management} is, a device's metrics can be read by JMX.
 */
module dev.stretto {
  requires static org.jspecify;
  requires static jdk.jfr;
  requires static java.management;

  exports dev.stretto;
  exports dev.stretto.collective;
  exports dev.stretto.diagnosis;
  exports dev.stretto.driver;
  exports dev.stretto.fault;
  exports dev.stretto.flow;
  exports dev.stretto.kernel;
  exports dev.stretto.kernel.math;
  exports dev.stretto.memory;
  exports dev.stretto.rows;
  exports dev.stretto.schedule;
  exports dev.stretto.timeline;
}
