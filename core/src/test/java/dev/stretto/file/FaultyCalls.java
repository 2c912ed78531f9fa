package dev.stretto.file;

import java.lang.foreign.MemorySegment;
import java.util.Random;

/** The system's calls, which at times do less than they were asked for, or fail. */
class FaultyCalls implements FileCalls {
  private final FileCalls real;
  private final Random random;

  /** The chance that a call is interrupted, or reads less than it should. */
  double troubles;

  /** Errors to answer with; 0 for none. */
  volatile int pastOpening;

  volatile int pastReading;
  volatile int allocating;

  /** Whether the page cache is said to have nothing. */
  volatile boolean isCold;

  /** How often the file was read past the page cache. */
  volatile int readsPast;

  FaultyCalls(long seed) {
    this.real = HostFiles.here().calls().orElseThrow();
    this.random = new Random(seed);
  }

  private synchronized boolean isTroubled() {
    return random.nextDouble() < troubles;
  }

  private synchronized long fewer(long bytes) {
    return bytes <= 4096 ? bytes : 4096L * (1 + random.nextInt((int) (bytes / 4096)));
  }

  @Override
  public int openPast(String path) {
    return pastOpening != 0 ? -pastOpening : real.openPast(path);
  }

  @Override
  public int openToRead(String path) {
    return real.openToRead(path);
  }

  @Override
  public int openToWrite(String path) {
    return real.openToWrite(path);
  }

  @Override
  public int close(int descriptor) {
    return real.close(descriptor);
  }

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // a rough count
  public long readPast(int descriptor, long address, long bytes, long position) {
    readsPast++;
    if (pastReading != 0) {
      return -pastReading;
    }
    if (isTroubled()) {
      return -INTERRUPTED;
    }
    return real.readPast(descriptor, address, isTroubled() ? fewer(bytes) : bytes, position);
  }

  @Override
  public int allocate(int descriptor, long bytes) {
    return allocating != 0 ? -allocating : real.allocate(descriptor, bytes);
  }

  @Override
  public int wantLargePages(long address, long bytes) {
    return real.wantLargePages(address, bytes);
  }

  @Override
  public int isLargePage(long address) {
    return real.isLargePage(address);
  }

  @Override
  @SuppressWarnings("restricted") // the memory that a reader gave for its answer
  public int cached(long address, long bytes, long pages) {
    int failed = real.cached(address, bytes, pages);
    if (failed == 0 && isCold) {
      MemorySegment.ofAddress(pages).reinterpret(Math.ceilDiv(bytes, 4096)).fill((byte) 0);
    }
    return failed;
  }

  @Override
  public String name(int error) {
    return real.name(error);
  }
}
