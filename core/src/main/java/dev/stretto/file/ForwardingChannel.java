package dev.stretto.file;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/** A channel that does everything by another one, except for what its subclasses do better. */
abstract class ForwardingChannel extends FileChannel {
  final FileChannel plain;

  ForwardingChannel(FileChannel plain) {
    this.plain = plain;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    return plain.read(into);
  }

  @Override
  public long read(ByteBuffer[] into, int offset, int length) throws IOException {
    return plain.read(into, offset, length);
  }

  /** An interrupt closes the other channel, and thus this one. */
  @Override
  public int read(ByteBuffer into, long position) throws IOException {
    try {
      return plain.read(into, position);
    } catch (ClosedChannelException e) {
      close();
      throw e;
    }
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    return plain.write(from);
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int length) throws IOException {
    return plain.write(from, offset, length);
  }

  @Override
  public int write(ByteBuffer from, long position) throws IOException {
    try {
      return plain.write(from, position);
    } catch (ClosedChannelException e) {
      close();
      throw e;
    }
  }

  @Override
  public long position() throws IOException {
    return plain.position();
  }

  @Override
  public FileChannel position(long to) throws IOException {
    plain.position(to);
    return this;
  }

  @Override
  public long size() throws IOException {
    return plain.size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    plain.truncate(size);
    return this;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    plain.force(metaData);
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    return plain.transferTo(position, count, target);
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count)
      throws IOException {
    return plain.transferFrom(source, position, count);
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long bytes) throws IOException {
    return plain.map(mode, position, bytes);
  }

  @Override
  public MemorySegment map(MapMode mode, long offset, long bytes, Arena arena) throws IOException {
    return plain.map(mode, offset, bytes, arena);
  }

  @Override
  public FileLock lock(long position, long bytes, boolean isShared) throws IOException {
    return plain.lock(position, bytes, isShared);
  }

  @Override
  public @Nullable FileLock tryLock(long position, long bytes, boolean isShared)
      throws IOException {
    return plain.tryLock(position, bytes, isShared);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    plain.close();
  }
}
