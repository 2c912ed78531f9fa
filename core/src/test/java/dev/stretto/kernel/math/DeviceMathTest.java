package dev.stretto.kernel.math;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class DeviceMathTest {
  @Test
  void expIsWithinOneUlp() {
    new Accuracy("exp")
        .within(1, DeviceMath::exp, ReferenceMath::exp, StrictMath::exp, 746, 709.78, 745.13);
  }

  @Test
  void expm1IsWithinOneUlp() {
    new Accuracy("expm1")
        .within(1, DeviceMath::expm1, ReferenceMath::expm1, StrictMath::expm1, 3, 709.78, 0.3466);
  }

  @Test
  void logIsWithinOneUlp() {
    new Accuracy("log")
        .within(1, DeviceMath::log, ReferenceMath::log, StrictMath::log, 3, 1, 1.4142);
  }

  @Test
  void log10IsWithinOneUlp() {
    new Accuracy("log10")
        .within(1, DeviceMath::log10, ReferenceMath::log10, StrictMath::log10, 30, 1, 1.4142);
  }

  @Test
  void log1pIsWithinOneUlp() {
    new Accuracy("log1p")
        .within(1, DeviceMath::log1p, ReferenceMath::log1p, StrictMath::log1p, 3, 1, 0.4142);
  }

  @Test
  void powIsWithinOneUlp() {
    new Accuracy("pow").powerWithin(1, DeviceMath::pow, ReferenceMath::pow, StrictMath::pow);
  }

  @Test
  void sinIsWithinOneUlp() {
    new Accuracy("sin")
        .within(1, DeviceMath::sin, ReferenceMath::sin, StrictMath::sin, 10, nearRightAngles());
  }

  @Test
  void cosIsWithinOneUlp() {
    new Accuracy("cos")
        .within(1, DeviceMath::cos, ReferenceMath::cos, StrictMath::cos, 10, nearRightAngles());
  }

  @Test
  void tanIsWithinOneUlp() {
    new Accuracy("tan")
        .within(1, DeviceMath::tan, ReferenceMath::tan, StrictMath::tan, 10, nearRightAngles());
  }

  @Test
  void asinIsWithinOneUlp() {
    new Accuracy("asin")
        .within(1, DeviceMath::asin, ReferenceMath::asin, StrictMath::asin, 1.01, 1, 0.5);
  }

  @Test
  void acosIsWithinOneUlp() {
    new Accuracy("acos")
        .within(1, DeviceMath::acos, ReferenceMath::acos, StrictMath::acos, 1.01, 1, 0.5);
  }

  @Test
  void atanIsWithinOneUlp() {
    new Accuracy("atan")
        .within(1, DeviceMath::atan, ReferenceMath::atan, StrictMath::atan, 5, 1, 0.4142, 2.4142);
  }

  @Test
  void atan2IsWithinOneUlp() {
    new Accuracy("atan2").within(1, DeviceMath::atan2, ReferenceMath::atan2, StrictMath::atan2, 5);
  }

  @Test
  void sinhIsWithinOneUlp() {
    new Accuracy("sinh")
        .within(1, DeviceMath::sinh, ReferenceMath::sinh, StrictMath::sinh, 3, 1, 710.47, 20);
  }

  @Test
  void coshIsWithinOneUlp() {
    new Accuracy("cosh")
        .within(1, DeviceMath::cosh, ReferenceMath::cosh, StrictMath::cosh, 3, 1, 710.47, 20);
  }

  @Test
  void tanhIsWithinOneUlp() {
    new Accuracy("tanh")
        .within(1, DeviceMath::tanh, ReferenceMath::tanh, StrictMath::tanh, 3, 0.1733, 20);
  }

  @Test
  void cbrtIsWithinOneUlp() {
    new Accuracy("cbrt").within(1, DeviceMath::cbrt, ReferenceMath::cbrt, StrictMath::cbrt, 9, 1);
  }

  @Test
  void hypotIsWithinOneUlp() {
    new Accuracy("hypot").within(1, DeviceMath::hypot, ReferenceMath::hypot, StrictMath::hypot, 5);
  }

  @Test
  void expOfFloatsIsWithinTwoUlps() {
    new Accuracy("expf").within(2, DeviceMath::exp, StrictMath::exp, 104, 88.72, 103.9);
  }

  @Test
  void expm1OfFloatsIsWithinTwoUlps() {
    new Accuracy("expm1f").within(2, DeviceMath::expm1, StrictMath::expm1, 3, 88.72, 0.3466);
  }

  @Test
  void logOfFloatsIsWithinTwoUlps() {
    new Accuracy("logf").within(2, DeviceMath::log, StrictMath::log, 3, 1, 1.4142);
  }

  @Test
  void log10OfFloatsIsWithinTwoUlps() {
    new Accuracy("log10f").within(2, DeviceMath::log10, StrictMath::log10, 30, 1, 1.4142);
  }

  @Test
  void log1pOfFloatsIsWithinTwoUlps() {
    new Accuracy("log1pf").within(2, DeviceMath::log1p, StrictMath::log1p, 3, 1, 0.4142);
  }

  @Test
  void powOfFloatsIsWithinTwoUlps() {
    new Accuracy("powf").powerWithin(2, DeviceMath::pow, StrictMath::pow);
  }

  @Test
  void sinOfFloatsIsWithinTwoUlps() {
    new Accuracy("sinf").within(2, DeviceMath::sin, StrictMath::sin, 10, nearRightAngles());
  }

  @Test
  void cosOfFloatsIsWithinTwoUlps() {
    new Accuracy("cosf").within(2, DeviceMath::cos, StrictMath::cos, 10, nearRightAngles());
  }

  @Test
  void tanOfFloatsIsWithinTwoUlps() {
    new Accuracy("tanf").within(2, DeviceMath::tan, StrictMath::tan, 10, nearRightAngles());
  }

  @Test
  void asinOfFloatsIsWithinTwoUlps() {
    new Accuracy("asinf").within(2, DeviceMath::asin, StrictMath::asin, 1.01, 1, 0.5);
  }

  @Test
  void acosOfFloatsIsWithinTwoUlps() {
    new Accuracy("acosf").within(2, DeviceMath::acos, StrictMath::acos, 1.01, 1, 0.5);
  }

  @Test
  void atanOfFloatsIsWithinTwoUlps() {
    new Accuracy("atanf").within(2, DeviceMath::atan, StrictMath::atan, 5, 1, 0.4142, 2.4142);
  }

  @Test
  void atan2OfFloatsIsWithinTwoUlps() {
    new Accuracy("atan2f").within(2, DeviceMath::atan2, StrictMath::atan2, 5);
  }

  @Test
  void sinhOfFloatsIsWithinTwoUlps() {
    new Accuracy("sinhf").within(2, DeviceMath::sinh, StrictMath::sinh, 3, 1, 89.41, 9);
  }

  @Test
  void coshOfFloatsIsWithinTwoUlps() {
    new Accuracy("coshf").within(2, DeviceMath::cosh, StrictMath::cosh, 3, 1, 89.41, 9);
  }

  @Test
  void tanhOfFloatsIsWithinTwoUlps() {
    new Accuracy("tanhf").within(2, DeviceMath::tanh, StrictMath::tanh, 3, 0.55, 9);
  }

  @Test
  void cbrtOfFloatsIsWithinTwoUlps() {
    new Accuracy("cbrtf").within(2, DeviceMath::cbrt, StrictMath::cbrt, 9, 1);
  }

  @Test
  void hypotOfFloatsIsWithinTwoUlps() {
    new Accuracy("hypotf").within(2, DeviceMath::hypot, StrictMath::hypot, 5);
  }

  /** {@return multiples of a right angle, rounded, and the double and the float nearest to one} */
  private static double[] nearRightAngles() {
    SplittableRandom random = new SplittableRandom(7);
    double[] multiples = new double[200];
    for (int i = 0; i < multiples.length; i++) {
      double multiple = Math.rint(Math.scalb(random.nextDouble(1, 2), i % 60));
      multiples[i] = Math.PI / 2 * multiple;
    }
    multiples[0] = 0x1.6ac5b262ca1ffp849;
    multiples[1] = 0x1.f37c8ap95;
    return multiples;
  }
}
