package dev.stretto.driver.virtual;

import dev.stretto.process.SharedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * What opens device memory in another process.
 *
 * @param path the file that stands for it
 * @param bytes its size
 */
record SharedMemoryHandle(Path path, long bytes) {
  private static final String CALL = "cuIpcOpenMemHandle";

  static byte[] of(Path path, long bytes) {
    byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(Long.BYTES + name.length).putLong(bytes).put(name).array();
  }

  static SharedMemoryHandle read(byte[] handle) {
    if (handle.length <= Long.BYTES) {
      throw CudaResult.INVALID_HANDLE.of(CALL, "%d bytes are no handle".formatted(handle.length));
    }
    byte[] name = Arrays.copyOfRange(handle, Long.BYTES, handle.length);
    return new SharedMemoryHandle(path(name), ByteBuffer.wrap(handle).getLong());
  }

  private static Path path(byte[] name) {
    Path path;
    try {
      path = Path.of(new String(name, StandardCharsets.UTF_8));
    } catch (InvalidPathException e) {
      throw CudaResult.INVALID_HANDLE.of(CALL, "this is no handle: " + e.getMessage());
    }
    if (!SharedFile.isOne(path)) {
      throw CudaResult.INVALID_HANDLE.of(CALL, "no virtual device made this handle");
    }
    if (SharedFile.isOfThisProcess(path)) {
      throw CudaResult.INVALID_CONTEXT.of(CALL, "this process made the handle");
    }
    return path;
  }

  SharedFile open() {
    try {
      return SharedFile.open(path, bytes);
    } catch (IOException e) {
      throw CudaResult.INVALID_HANDLE.of(CALL, "the memory is gone: " + e);
    }
  }
}
