package dev.stretto.driver.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stretto.compiler.KernelTarget;
import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.HostClock;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class VirtualConfigTest {
  @Test
  void nothingIsOneH200RunByThreads() {
    VirtualConfig config = VirtualConfig.parse("");
    assertThat(config).isEqualTo(VirtualConfig.DEFAULT);
    assertThat(config.profile()).isEqualTo(HopperProfiles.H200);
    assertThat(config.devices()).isEqualTo(1);
    assertThat(config.seed()).isEmpty();
    assertThat(config.queue()).isEqualTo(1024);
  }

  @ParameterizedTest
  @CsvSource({
    "h200,h200,1",
    "a100,a100,1",
    "rtx4090,rtx4090,1",
    "t4,t4,1",
    "l4,l4,1",
    "h100x4,h100,4",
    "b200,b200,1",
    "rtx5090,rtx5090,1",
    "h200x8,h200,8",
    "2,h200,2",
    "rtx4090x2,rtx4090,2"
  })
  void aWordNamesTheProfileAndTheNumberOfDevices(String text, String profile, int devices) {
    VirtualConfig config = VirtualConfig.parse(text);
    assertThat(config.profile().word()).isEqualTo(profile);
    assertThat(config.devices()).isEqualTo(devices);
  }

  /** What a profile's figures have to do with each other, whatever the product. */
  @ParameterizedTest
  @MethodSource("profiles")
  void theFiguresOfAProfileFitTogether(DeviceProfile profile) {
    DeviceModel model = profile.model();
    DeviceProperties product = profile.product();
    double peak = 2.0 * product.memoryClockKilohertz() * 1e3 * product.memoryBusBits() / 8;
    double perClock = product.clockKilohertz() * 1e3 * product.multiprocessors();

    assertThat(model.memoryTraffic() / peak).as("of the peak").isBetween(0.85, 0.95);
    assertThat(model.fill() / peak).isBetween(0.7, 0.9);
    assertThat(model.localCopy() / model.memoryTraffic()).isBetween(0.45, 0.55);
    assertThat(model.operations() / perClock).isBetween(63.0, 65.0);
    assertThat(model.bothWays() / (model.toDevice() + model.toHost())).isBetween(0.85, 1.0);
    assertThat(product.name()).endsWith(" (virtual)");
    int sm = 10 * product.computeMajor() + product.computeMinor();
    assertThat(product.sharedBytesPerBlockOptIn())
        .isEqualTo(new KernelTarget(sm).mostSharedBytes());
  }

  private static List<DeviceProfile> profiles() {
    return DeviceProfile.all();
  }

  @Test
  void theNamesOfTheProfilesOpenDevices() {
    assertThat(VirtualProfile.all().stream().map(VirtualProfile::word))
        .containsExactly("t4", "a100", "l4", "rtx4090", "h100", "h200", "b200", "rtx5090")
        .allSatisfy(word -> assertThat(VirtualConfig.parse(word).profile().word()).isEqualTo(word));
  }

  @Test
  void wordsCombineInAnyOrder() {
    VirtualConfig config =
        VirtualConfig.parse("seed=-7, a100x2,memory=1073741824,queue=64,pinned=4096,engines=1");
    assertThat(config)
        .isEqualTo(
            new VirtualConfig(
                AmpereProfiles.A100,
                HostRates.OF_PROFILE,
                2,
                OptionalLong.of(-7),
                Schedule.ROTATE,
                OptionalLong.of(1L << 30),
                4096,
                64,
                1,
                4,
                PeerTopology.ALL,
                Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource({
    "h200x4, ALL",
    "'h200x4,peers', ALL",
    "'ring,4', RING",
    "'h200x4,no-peer,seed=1', NONE"
  })
  void aWordSaysWhichDevicesReachEachOther(String text, PeerTopology expected) {
    assertThat(VirtualConfig.parse(text).peers()).isEqualTo(expected);
  }

  @Test
  void whatIsSaidOfPeersStandsWhateverElseIsSaid() {
    assertThat(
            VirtualConfig.parse(
                "ring,a100x3,memory=1,pinned=2,queue=3,engines=4,threads=5,host-cores=6,"
                    + "file-read=7"))
        .isEqualTo(
            new VirtualConfig(
                AmpereProfiles.A100,
                new HostRates(7e9, 0, 0, 0, 6),
                3,
                OptionalLong.empty(),
                Schedule.ROTATE,
                OptionalLong.of(1),
                2,
                3,
                4,
                5,
                PeerTopology.RING,
                Optional.empty()));
  }

  @Test
  void theHostIsTheProfilesUnlessTheProgramSaysWhatItIs() {
    VirtualConfig config = VirtualConfig.parse("file-read=6,h200,host-copy=5.15,host-cores=8");
    assertThat(config.host()).isEqualTo(new HostRates(6e9, 0, 0, 5.15e9, 8));
    DeviceModel usual = HopperProfiles.H200.model();
    assertThat(HostRates.OF_PROFILE.of(usual)).isEqualTo(usual);
    DeviceModel model = config.host().of(usual);
    assertThat(model.fileRead()).isEqualTo(6e9);
    assertThat(model.fileWrite()).isEqualTo(usual.fileWrite());
    assertThat(model.hostCopy()).isEqualTo(5.15e9);
    assertThat(model.hostCores()).isEqualTo(8);
    assertThat(model.toDevice()).isEqualTo(usual.toDevice());
    assertThat(VirtualConfig.parse("file-write=0.5").host().fileWrite()).isEqualTo(0.5e9);
    assertThat(VirtualConfig.parse("file-writes=0.5").host().fileWrites()).isEqualTo(0.5e9);
  }

  @Test
  void theDriversOwnPathIsAsFastAsTheHostCopies() {
    DeviceModel usual = HopperProfiles.H200.model();
    DeviceModel half = VirtualConfig.parse("host-copy=5.15").host().of(usual);
    assertThat(half.pageableToDevice()).isEqualTo(usual.pageableToDevice() / 2);
    assertThat(half.pageableToHost()).isEqualTo(usual.pageableToHost() / 2);
  }

  @Test
  void timeIsThatOfTheHostThatWasNamed() {
    HostClock clock =
        new Platform(VirtualConfig.parse("file-read=2,file-write=4,host-copy=8,host-cores=3"), null)
            .clock();
    assertThat(clock.readNanos(1_000)).isEqualTo(500);
    assertThat(clock.writeNanos(1_000, 1)).isEqualTo(250);
    assertThat(clock.copyNanos(1_000)).isEqualTo(125);
    assertThat(clock.cores()).isEqualTo(3);
  }

  /** Two threads are twice as fast as one, as long as that is not faster than all together. */
  @Test
  void threadsWriteAFileTogetherAsFastAsTheHostLetsThem() {
    HostClock slow = clock("file-write=4,file-writes=5");
    assertThat(slow.writeNanos(1_000, 1)).isEqualTo(250);
    assertThat(slow.writeNanos(1_000, 2)).isEqualTo(400);
    assertThat(clock("file-write=4,file-writes=9").writeNanos(1_000, 2)).isEqualTo(250);
    DeviceModel usual = HopperProfiles.H200.model();
    assertThat(VirtualConfig.parse("file-write=2.6").host().of(usual).fileWrites())
        .isEqualTo(usual.fileWrites() / 2);
  }

  private static HostClock clock(String words) {
    return new Platform(VirtualConfig.parse(words), null).clock();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "file-read=0",
        "file-write=-1",
        "file-writes=0",
        "host-copy=NaN",
        "host-copy=Infinity",
        "file-read=1e9"
      })
  void aRateOutOfRangeIsRefusedWithTheRange(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VirtualConfig.parse(text))
        .withMessageMatching(".* is \\S+ GB/s, but has to be 0.001 to 10000");
  }

  @Test
  void aNumberKeepsTheProfileAndAProfileTheNumber() {
    assertThat(VirtualConfig.parse("a100,3").profile()).isEqualTo(AmpereProfiles.A100);
    assertThat(VirtualConfig.parse("3,a100").devices()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "h300",
        "h200,",
        "h200x",
        "seed=",
        "seed=x",
        "colour=red",
        "=",
        "h200=1",
        "H200",
        "file-read=",
        "host-copy=fast",
        "host-cores=1.5",
        "peer",
        "no-peers",
        "rings",
        "ringx4",
        "peers=1"
      })
  void anUnknownWordIsRefusedWithTheLegalOnes(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VirtualConfig.parse(text))
        .withMessageContaining("virtual:" + text)
        .withMessageContaining("t4, a100, l4, rtx4090, h100, h200, b200, rtx5090")
        .withMessageContaining("peers, ring or no-peer")
        .withMessageContaining("seed=N");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "64",
        "h200x99",
        "memory=0",
        "queue=0",
        "threads=0",
        "pinned=-1",
        "queue=99999999999",
        "host-cores=5000"
      })
  void aNumberOutOfRangeIsRefusedWithTheRange(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VirtualConfig.parse(text))
        .withMessageMatching(".* is -?\\d+, but has to be \\d+ to \\d+");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '#',
      value = {
        "h200,a100;the profile is given twice, as 'h200' and as 'a100'",
        "h200x2,a100;the profile is given twice, as 'h200x2' and as 'a100'",
        "a100,seed=3,h200x2;the profile is given twice, as 'a100' and as 'h200x2'",
        "h200,h200;'h200' is given twice",
        "h200x2,h200x2;'h200x2' is given twice",
        "h200x2,4;the number of devices is given twice, as 'h200x2' and as '4'",
        "4,h200x2;the number of devices is given twice, as '4' and as 'h200x2'",
        "2,2;'2' is given twice",
        "2,3;the number of devices is given twice, as '2' and as '3'",
        "seed=1,seed=2;seed is given twice, as 'seed=1' and as 'seed=2'",
        "seed=1,a100,seed=1;'seed=1' is given twice",
        "ring,no-peer;the access between devices is given twice, as 'ring' and as 'no-peer'",
        "peers,peers;'peers' is given twice",
        "memory=1,memory=2;memory is given twice",
        "pinned=1,pinned=2;pinned is given twice",
        "queue=1,queue=2;queue is given twice",
        "engines=1,engines=2;engines is given twice",
        "threads=1,threads=2;threads is given twice",
        "host-cores=1,host-cores=2;host-cores is given twice",
        "file-read=1,file-read=2;file-read is given twice",
        "file-write=1,file-write=2;file-write is given twice",
        "host-copy=1,host-copy=1.0;host-copy is given twice",
        "seed=1,threads=2;'threads=2' contradicts 'seed=1'",
        "threads=2,seed=1;'threads=2' contradicts 'seed=1'"
      })
  void whatIsSaidTwiceIsRefusedWithBothWords(String text, String what) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VirtualConfig.parse(text))
        .withMessageContaining("virtual:" + text)
        .withMessageContaining(what)
        .withMessageContaining("leave one out");
  }

  @Test
  void propertiesAreTheProducts() {
    VirtualDriver driver = new VirtualDriver(VirtualConfig.parse("h200x2"));
    assertThat(driver.deviceCount()).isEqualTo(2);
    assertThat(driver.properties(1).ordinal()).isEqualTo(1);
    assertThat(driver.properties(0).multiprocessors()).isEqualTo(132);
    assertThat(driver.properties(0).totalBytes()).isEqualTo(143_771L << 20);
    assertThat(driver.properties(0).sharedBytesPerBlockOptIn()).isEqualTo(232_448);
    assertThat(driver.properties(0).copyEngines()).isEqualTo(3);
    VirtualDriver changed = new VirtualDriver(VirtualConfig.parse("memory=4096,engines=1"));
    assertThat(changed.properties(0).totalBytes()).isEqualTo(4096);
    assertThat(changed.properties(0).copyEngines()).isEqualTo(1);
  }

  @Test
  void aScheduleIsOneOfAFamilyOrEachInTurn() {
    assertThat(VirtualConfig.parse("seed=7").schedule()).isEqualTo(Schedule.ROTATE);
    assertThat(VirtualConfig.parse("h200,seed=7,schedule=pct3").schedule())
        .isEqualTo(Schedule.PCT3);
    Set<Schedule> used = EnumSet.noneOf(Schedule.class);
    for (int seed = -20; seed < 0; seed++) {
      used.add(Schedule.ROTATE.of(seed));
      assertThat(Schedule.POS.of(seed)).isEqualTo(Schedule.POS);
    }
    assertThat(used).isEqualTo(EnumSet.complementOf(EnumSet.of(Schedule.ROTATE, Schedule.QUIET)));
  }

  @Test
  void aScheduleThatIsNoneOrHasNoSeedIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VirtualConfig.parse("seed=7,schedule=pct6"))
        .withMessageContaining("'pct6' is not a schedule")
        .withMessageContaining("uniform, pct1, pct2, pct3, pct4, pct5, pos, rotate");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VirtualConfig.parse("schedule=pos"))
        .withMessageContaining("without 'seed=N'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VirtualConfig.parse("seed=7,schedule=pos,schedule=pct1"))
        .withMessageContaining("is given twice");
  }
}
