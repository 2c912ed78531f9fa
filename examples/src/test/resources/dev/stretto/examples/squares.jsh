import dev.stretto.*
import dev.stretto.kernel.*
import dev.stretto.memory.*

class Squares {
  @Kernel
  static void squares(ThreadBlock block, GlobalInts x) {
    long i = block.globalIndexX();
    if (i < x.length()) {
      x.set(i, (int) (i * i));
    }
  }
}

var device = Device.open("virtual")
var stream = device.stream()
var x = device.allocateInts(8)
var numbers = new int[8]
stream.launch(Grid.covering(8, 256), Squares::squares, x)
stream.copy(x, numbers).await()
numbers
