package dev.stretto.junit;

/**
 * A call of the driver that a test has caused.
 *
 * @param number its number among those, from 1 on
 * @param name the method of {@link dev.stretto.driver.DriverDevice}
 * @param place the file and line of the test, or of the program that it tests
 */
record DriverCall(int number, String name, String place) {
  @Override
  public String toString() {
    return name + " at " + place;
  }
}
