package com.acme.mixer;

import static dev.stretto.junit.DeviceAssertions.assertOverlapped;
import static dev.stretto.junit.Faults.ONE_BY_ONE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.stretto.Device;
import dev.stretto.Observer.Kind;
import dev.stretto.PinnedArena;
import dev.stretto.junit.DeviceTest;
import dev.stretto.junit.Seed;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;
import java.util.Random;

class MixerTest {
  private static MemorySegment track(PinnedArena pinned, int samples, long seed) {
    MemorySegment track = pinned.allocate(JAVA_FLOAT, samples);
    Random random = new Random(seed);
    for (int i = 0; i < samples; i++) {
      track.setAtIndex(JAVA_FLOAT, i, random.nextFloat());
    }
    return track;
  }

  @DeviceTest(seeds = 100, faults = ONE_BY_ONE)
  void everySampleIsTheSumOfBoth(Device device, PinnedArena pinned, @Seed long seed) {
    int samples = 5 * 1024;
    MemorySegment left = track(pinned, samples, seed);
    MemorySegment right = track(pinned, samples, seed + 1);
    MemorySegment mixed = pinned.allocate(JAVA_FLOAT, samples);
    Mixer.mix(device, left, right, mixed, 1024);
    for (int i = 0; i < samples; i++) {
      float sum = left.getAtIndex(JAVA_FLOAT, i) + right.getAtIndex(JAVA_FLOAT, i);
      assertEquals(sum, mixed.getAtIndex(JAVA_FLOAT, i), "sample " + i);
    }
  }

  @DeviceTest(seeds = 10)
  void theNextChunkIsCopiedWhileOneIsComputed(
      Device device, PinnedArena pinned, Timeline timeline) {
    int chunk = 1 << 17;
    MemorySegment track = track(pinned, 5 * chunk, 1);
    MemorySegment mixed = pinned.allocate(JAVA_FLOAT, 5 * chunk);
    Mixer.mix(device, track, track, mixed, chunk);
    assertOverlapped(timeline, Kind.HOST_TO_DEVICE, Kind.KERNEL);
  }
}
