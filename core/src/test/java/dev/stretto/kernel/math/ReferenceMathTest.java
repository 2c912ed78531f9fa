package dev.stretto.kernel.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import org.junit.jupiter.api.Test;

/** Against values that another library computed to 34 digits. */
final class ReferenceMathTest {
  private static final BigDecimal ERROR = BigDecimal.TWO.pow(-95, MathContext.DECIMAL128);

  @Test
  void valuesHaveNinetyFiveBits() {
    assertValue("2.718281828459045235360287471352662", ReferenceMath.exp(1.0));
    assertValue("7.40818220681717874291608235944652e-1", ReferenceMath.exp(-0.3));
    assertValue("1.302299736699178393533542238619217e+304", ReferenceMath.exp(700.25));
    assertValue("2.576757109154980948124403947486452e-18", ReferenceMath.exp(-40.5));
    assertValue("1.00000000005000003643386398580767e-10", ReferenceMath.expm1(1e-10));
    assertValue("-2.59181779318282125708391764055348e-1", ReferenceMath.expm1(-0.3));
    assertValue("2.436919322642203879151889495118394e+2", ReferenceMath.expm1(5.5));
    assertValue("2.220446049250312834328230454615488e-16", ReferenceMath.log(1.0000000000000002));
    assertValue("-6.907755278982137051803383445701005e+2", ReferenceMath.log(1e-300));
    assertValue("1.981001468866583408348807789445558", ReferenceMath.log(7.25));
    assertValue("9.999999995000000626149247285815984e-10", ReferenceMath.log1p(1e-09));
    assertValue("-2.302585092994045906062596379715697", ReferenceMath.log1p(-0.9));
    assertValue("9.421142318018150565923075458868308", ReferenceMath.log1p(12345.678));
    assertValue("5.440680443502756354984773638681432e-1", ReferenceMath.log10(3.5));
    assertValue("4.499339044302952602639168982016172e+17", ReferenceMath.pow(1.5, 100.25));
    assertValue("1.995262314968877976704764514340713e+7", ReferenceMath.pow(0.1, -7.3));
    assertValue("8.41470984807896506652502321630299e-1", ReferenceMath.sin(1.0));
    assertValue("1.0", ReferenceMath.sin(5.319372648326541e+255));
    assertValue("-8.522008497671888017727058937530294e-1", ReferenceMath.sin(1e+22));
    assertValue("1.224646799147353177226065932274998e-16", ReferenceMath.sin(3.141592653589793));
    assertValue("5.403023058681397174009366074429766e-1", ReferenceMath.cos(1.0));
    assertValue("-5.753861119575490466882442759658062e-1", ReferenceMath.cos(1e+300));
    assertValue("6.123233995736765886130329661375001e-17", ReferenceMath.cos(1.5707963267948966));
    assertValue("1.55740772465490223050697480745836", ReferenceMath.tan(1.0));
    assertValue(
        "-2.133485385753703843674852663344475e+18", ReferenceMath.tan(5.319372648326541e+255));
    assertValue("1.00167421161559801924603795051402e-1", ReferenceMath.asin(0.1));
    assertValue("1.57034911319578757799424828305575", ReferenceMath.asin(0.9999999));
    assertValue("1.470628905633336817306717896588349", ReferenceMath.acos(0.1));
    assertValue("4.472135991090412370734085840014697e-4", ReferenceMath.acos(0.9999999));
    assertValue("3.096867566421059787347706993646531", ReferenceMath.acos(-0.999));
    assertValue("9.99999999966666748471720572517528e-6", ReferenceMath.atan(1e-05));
    assertValue("6.107259643892085867391139201101941e-1", ReferenceMath.atan(0.7));
    assertValue("1.570796326694896619231321691640085", ReferenceMath.atan(10000000000.0));
    assertValue("2.677945044588987122248387151818288", ReferenceMath.atan2(1.0, -2.0));
    assertValue("9.999999999999999874833483783883517e-9", ReferenceMath.atan2(0.001, 100000.0));
    assertValue("-1.520837931072953857821315404604907", ReferenceMath.atan2(-5.0, 0.25));
    assertValue("1.000000000016666748469803918121462e-5", ReferenceMath.sinh(1e-05));
    assertValue("1.000000000050000000000416674846973", ReferenceMath.cosh(1e-05));
    assertValue("9.999999999666667484710539058509502e-6", ReferenceMath.tanh(1e-05));
    assertValue("7.585837018395334477191734536993409e-1", ReferenceMath.sinh(0.7));
    assertValue("1.255169005630942984476791065484906", ReferenceMath.cosh(0.7));
    assertValue("6.043677771171634681205868855175503e-1", ReferenceMath.tanh(0.7));
    assertValue("2.215977954922947708005353098978241e+43", ReferenceMath.sinh(100.5));
    assertValue("2.215977954922947708005353098978241e+43", ReferenceMath.cosh(100.5));
    assertValue("1.0", ReferenceMath.tanh(100.5));
    assertValue("1.259921049894873164767210607278228", ReferenceMath.cbrt(2.0));
    assertValue("1.703183936003260287964021486498924e-108", ReferenceMath.cbrt(Double.MIN_VALUE));
    assertValue("2.236067977499789696409173668731276", ReferenceMath.hypot(1.0, 2.0));
  }

  @Test
  void distancesAreInUlpsOfTheValue() {
    assertThat(ReferenceMath.exp(1).ulpsTo(Math.nextUp(Math.E))).isBetween(0.6, 1.4);
    assertThat(ReferenceMath.exp(-745).ulpsTo(0)).isBetween(0.57, 0.58);
    assertThat(ReferenceMath.exp(709).ulpsTo(Double.POSITIVE_INFINITY)).isGreaterThan(1e15);
    assertThat(ReferenceMath.exp(710).ulpsTo(Double.POSITIVE_INFINITY)).isZero();
    assertThat(ReferenceMath.exp(1).ulpsTo(Double.NaN)).isInfinite();
  }

  private static void assertValue(String expected, ReferenceMath.Value actual) {
    BigDecimal value = new BigDecimal(expected);
    assertThat(actual.decimal()).isCloseTo(value, within(value.abs().multiply(ERROR)));
  }
}
