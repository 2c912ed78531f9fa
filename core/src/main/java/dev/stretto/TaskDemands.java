package dev.stretto;

import dev.stretto.enqueue.ArrayMemory;
import dev.stretto.memory.GlobalArray;
import dev.stretto.order.Demand;
import dev.stretto.order.Footprint;
import dev.stretto.order.HostMemories;
import dev.stretto.order.Way;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** What a task accesses. Wrong sizes demand nothing: the operation will be refused. */
final class TaskDemands {
  private final List<Demand> all = new ArrayList<>(2);

  List<Demand> all() {
    return all;
  }

  TaskDemands reads(MemorySegment host) {
    return host(host, Footprint.of(host.address(), host.byteSize()), Way.READS);
  }

  TaskDemands writes(MemorySegment host) {
    return host(host, Footprint.of(host.address(), host.byteSize()), Way.WRITES);
  }

  TaskDemands reads(GlobalArray array) {
    return array(array, Footprint.of(array.address(), array.byteSize()), Way.READS);
  }

  TaskDemands writes(GlobalArray array) {
    return array(array, Footprint.of(array.address(), array.byteSize()), Way.WRITES);
  }

  TaskDemands readsRows(MemorySegment host, long pitch, long width, long rows) {
    return host(host, Footprint.ofRows(host.address(), width, pitch, rows), Way.READS);
  }

  TaskDemands writesRows(MemorySegment host, long pitch, long width, long rows) {
    return host(host, Footprint.ofRows(host.address(), width, pitch, rows), Way.WRITES);
  }

  TaskDemands readsRows(GlobalArray array, long pitch, long width, long rows) {
    return array(array, Footprint.ofRows(array.address(), width, pitch, rows), Way.READS);
  }

  TaskDemands writesRows(GlobalArray array, long pitch, long width, long rows) {
    return array(array, Footprint.ofRows(array.address(), width, pitch, rows), Way.WRITES);
  }

  TaskDemands readsPlanes(MemorySegment host, Pitches pitches, Extent extent) {
    return host(host, planes(host.address(), pitches, extent), Way.READS);
  }

  TaskDemands writesPlanes(MemorySegment host, Pitches pitches, Extent extent) {
    return host(host, planes(host.address(), pitches, extent), Way.WRITES);
  }

  TaskDemands readsPlanes(GlobalArray array, Pitches pitches, Extent extent) {
    return array(array, planes(array.address(), pitches, extent), Way.READS);
  }

  TaskDemands writesPlanes(GlobalArray array, Pitches pitches, Extent extent) {
    return array(array, planes(array.address(), pitches, extent), Way.WRITES);
  }

  private static Footprint planes(long address, Pitches pitches, Extent extent) {
    return pitches.box(extent).at(address);
  }

  TaskDemands uses(List<NodeUse> uses) {
    uses.forEach(use -> all.add(new Demand(use.memory().get(), use.bytes(), use.way())));
    return this;
  }

  private TaskDemands host(MemorySegment host, Footprint bytes, Way way) {
    if (isSound(bytes)) {
      all.add(new Demand(HostMemories.of(host), bytes, way));
    }
    return this;
  }

  private TaskDemands array(GlobalArray array, Footprint bytes, Way way) {
    if (isSound(bytes)) {
      all.add(new Demand(ArrayMemory.of(array).block().accesses(), bytes, way));
    }
    return this;
  }

  private static boolean isSound(Footprint bytes) {
    return bytes.width() > 0
        && bytes.rows() > 0
        && bytes.planes() > 0
        && bytes.pitch() >= bytes.width();
  }
}
