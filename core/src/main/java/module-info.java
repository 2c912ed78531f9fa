/** Asynchronous copies on GPUs. Needs no other module than the JDK's base. */
module dev.stretto {
  requires static org.jspecify;

  exports dev.stretto;
  exports dev.stretto.collective;
  exports dev.stretto.driver;
  exports dev.stretto.fault;
  exports dev.stretto.flow;
  exports dev.stretto.kernel;
  exports dev.stretto.memory;
  exports dev.stretto.timeline;
}
