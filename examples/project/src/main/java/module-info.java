/** Multiplies numbers on a device. */
module com.acme.scale {
  requires dev.stretto;
}
