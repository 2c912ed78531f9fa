import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.util.Arrays;

final class Hello {
  @Kernel
  static void square(ThreadBlock block, GlobalInts numbers) {
    int i = block.threadIndexX();
    numbers.set(i, i * i);
  }

  static void main() {
    int[] numbers = new int[8];
    try (Device device = Device.open();
        Stream stream = device.stream();
        GlobalInts there = device.allocateInts(numbers.length)) {
      stream.launch(Grid.of(1, numbers.length), Hello::square, there);
      stream.copy(there, numbers).await();
    }
    IO.println(Arrays.toString(numbers));
  }
}
