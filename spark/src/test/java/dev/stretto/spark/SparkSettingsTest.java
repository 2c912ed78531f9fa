package dev.stretto.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.fault.NoSuchDeviceException;
import dev.stretto.fault.SettingException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SparkSettingsTest {
  private static SparkConf conf(String key, String value) {
    return new SparkConf(false).set(key, value);
  }

  @Test
  void withoutSettingsATaskHasAGpuOfTheMachine() {
    assertThat(SparkSettings.of(new SparkConf(false)))
        .isEqualTo(new SparkSettings("cuda", OnLost.EXIT, Duration.ofMinutes(1), 0, 1, false));
  }

  @Test
  void aFractionOfAGpuIsReadAndSeveralGpusAreEachWhole() {
    assertThat(SparkSettings.of(conf("spark.task.resource.gpu.amount", "0.25")).amount())
        .isEqualTo(0.25);
    assertThat(SparkSettings.of(conf("spark.task.resource.gpu.amount", "2")).amount()).isOne();
    SparkConf both = conf("spark.task.resource.gpu.amount", "0.25");
    assertThat(SparkSettings.of(both.set("spark.stretto.taskAmount", "0.5")).amount())
        .isEqualTo(0.5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "spark.stretto.devices; cuda:0; set it to cuda, for the GPUs of a machine",
        "spark.stretto.devices; virtual:h200,seed=7; leave the seed out",
        "spark.stretto.onLost; retry; set it to exit or keep",
        "spark.stretto.memoryWait; soon; spark.stretto.memoryWait",
        "spark.stretto.pinned; much; spark.stretto.pinned",
        "spark.stretto.taskAmount; half; is no number",
        "spark.stretto.taskAmount; 0; more than 0"
      })
  void aWrongSettingIsRefusedByItsName(String key, String value, String advice) {
    assertThatThrownBy(() -> SparkSettings.of(conf(key, value)))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining(key)
        .hasMessageContaining(advice);
  }

  @Test
  void anAddressWithoutADeviceIsRefusedWithTheSetting() {
    assertThatThrownBy(() -> AddressedDevices.open("virtual:h200x2", List.of("0", "2")))
        .isInstanceOf(NoSuchDeviceException.class)
        .hasMessageContaining("address 2")
        .hasMessageContaining("spark.stretto.devices is 'virtual:h200x2', which has 2")
        .hasMessageContaining("stretto devices --spark virtual:h200x2");
    assertThatThrownBy(() -> AddressedDevices.open("cuda", List.of("GPU-5f0c")))
        .isInstanceOf(NoSuchDeviceException.class)
        .hasMessageContaining("the address 'GPU-5f0c', which is no number")
        .hasMessageContaining("discoveryScript");
    assertThatThrownBy(() -> AddressedDevices.open("cuda", List.of("999")))
        .isInstanceOf(NoSuchDeviceException.class)
        .hasMessageContaining("address 999")
        .hasMessageContaining("set spark.stretto.devices to virtual devices");
  }

  @Test
  void addressesAreOpenedInTheirOrderAndTheOthersClosed() {
    List<OpenedDevice> opened = AddressedDevices.open("virtual:h200x4", List.of("3", "1"));
    assertThat(opened).extracting(OpenedDevice::address).containsExactly("3", "1");
    assertThat(opened)
        .extracting(each -> each.device().properties().ordinal())
        .containsExactly(3, 1);
    opened.forEach(each -> each.device().close());
  }

  @Test
  void aRateIsThatOfTheLastSecondOrMore() {
    AtomicLong bytes = new AtomicLong(100);
    AtomicLong nanos = new AtomicLong();
    ByteRate rate = new ByteRate(bytes::get, nanos::get);
    bytes.set(4_000_000_100L);
    nanos.set(500_000_000);
    assertThat(rate.gigabytesPerSecond()).isZero();
    nanos.set(2_000_000_000);
    assertThat(rate.gigabytesPerSecond()).isEqualTo(2);
    nanos.set(2_500_000_000L);
    assertThat(rate.gigabytesPerSecond()).isEqualTo(2);
    nanos.set(4_000_000_000L);
    assertThat(rate.gigabytesPerSecond()).isZero();
  }
}
