// What processes use together: memory and events that one opens by what the other hands over.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "frame.cuh"
#include "kernels.cuh"

namespace {

const int SHARED = 1000;

std::string hex(const void* bytes, size_t count) {
  std::string text;
  char two[3];
  for (size_t i = 0; i < count; i++) {
    snprintf(two, sizeof two, "%02x", static_cast<const unsigned char*>(bytes)[i]);
    text += two;
  }
  return text;
}

template <class T>
T unhex(const std::string& text) {
  T value;
  for (size_t i = 0; i < sizeof value; i++) {
    reinterpret_cast<unsigned char*>(&value)[i] = static_cast<unsigned char>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
  }
  return value;
}

std::string lineOf(FILE* from) {
  std::string line;
  for (int next = fgetc(from); next != EOF && next != '\n'; next = fgetc(from)) line += static_cast<char>(next);
  return line;
}

/** Another process of this program, which does as it is told. */
class Other {
 public:
  Other() {
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    char self[] = "/proc/self/exe", here[] = "--here", obey[] = "--obey";
    char* words[] = {self, here, obey, nullptr};
    fflush(stdout);
    if (posix_spawn(&child_, self, &actions, nullptr, words, environ) != 0) throw std::runtime_error("spawn");
    close(in[0]);
    close(out[1]);
    orders_ = fdopen(in[1], "w");
    answers_ = fdopen(out[0], "r");
  }
  ~Other() {
    fclose(orders_);
    fclose(answers_);
    if (child_ > 0) waitpid(child_, nullptr, 0);
  }
  std::string ask(const std::string& order) {
    fprintf(orders_, "%s\n", order.c_str());
    fflush(orders_);
    return lineOf(answers_);
  }
  void kill() {
    ::kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = 0;
  }

 private:
  pid_t child_ = 0;
  FILE* orders_;
  FILE* answers_;
};

cudaEvent_t sharedEvent() {
  cudaEvent_t event;
  CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventInterprocess));
  return event;
}

int* sharedInts() {
  int* ints;
  CHECK(cudaMalloc(&ints, 2 << 20));
  return ints;
}

std::string handleOf(int* ints) {
  cudaIpcMemHandle_t handle;
  CHECK(cudaIpcGetMemHandle(&handle, ints));
  return hex(&handle, sizeof handle);
}

std::string handleOf(cudaEvent_t event) {
  cudaIpcEventHandle_t handle;
  CHECK(cudaIpcGetEventHandle(&handle, event));
  return hex(&handle, sizeof handle);
}

int* openInts(const std::string& handle) {
  void* ints;
  CHECK(cudaIpcOpenMemHandle(&ints, unhex<cudaIpcMemHandle_t>(handle), cudaIpcMemLazyEnablePeerAccess));
  return static_cast<int*>(ints);
}

cudaEvent_t openEvent(const std::string& handle) {
  cudaEvent_t event;
  CHECK(cudaIpcOpenEventHandle(&event, unhex<cudaIpcEventHandle_t>(handle)));
  return event;
}

/** A pool whose memory other processes can open. */
cudaMemPool_t sharedPool() {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool;
  CHECK(cudaMemPoolCreate(&pool, &properties));
  return pool;
}

sockaddr_un placeOf(const std::string& name, socklen_t* length) {
  sockaddr_un place = {};
  place.sun_family = AF_UNIX;
  memcpy(place.sun_path + 1, name.data(), name.size());  // no file: the first byte is 0
  *length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return place;
}

/** Passes a file descriptor on to a socket of this name. */
void passOn(int descriptor, const std::string& name) {
  socklen_t length;
  sockaddr_un place = placeOf(name, &length);
  char byte = 0;
  iovec part = {&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};
  message.msg_name = &place;
  message.msg_namelen = length;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof descriptor);
  memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
  int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (sendmsg(socket, &message, 0) < 0) throw std::runtime_error("sendmsg");
  close(socket);
}

/** A socket at which a file descriptor arrives. */
class Arrival {
 public:
  Arrival() : name_("stretto-twin-" + std::to_string(getpid())), socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    socklen_t length;
    sockaddr_un place = placeOf(name_, &length);
    if (bind(socket_, reinterpret_cast<sockaddr*>(&place), length) != 0) throw std::runtime_error("bind");
  }
  ~Arrival() { close(socket_); }
  const std::string& name() const { return name_; }
  int receive() {
    char byte;
    iovec part = {&byte, 1};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message = {};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    if (recvmsg(socket_, &message, 0) < 0 || CMSG_FIRSTHDR(&message) == nullptr) throw std::runtime_error("recvmsg");
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptor);
    return descriptor;
  }

 private:
  std::string name_;
  int socket_;
};

long sumOf(int* ints, cudaStream_t stream) {
  Pinned<int> host(SHARED);
  CHECK(cudaMemcpyAsync(host.get(), ints, SHARED * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  long sum = 0;
  for (int i = 0; i < SHARED; i++) sum += host[i];
  return sum;
}

void fillWith(int* ints, int value, cudaStream_t stream) {
  if (cuMemsetD32Async(reinterpret_cast<CUdeviceptr>(ints), value, SHARED, stream) != CUDA_SUCCESS) {
    throw std::runtime_error("cuMemsetD32Async");
  }
}

/** The other process's side. */
int obey() {
  CHECK(cudaSetDevice(0));
  Stream stream;
  int* ints = nullptr;
  cudaEvent_t theirs = nullptr, ours = nullptr;
  cudaMemPool_t pool = nullptr;
  for (std::string order = lineOf(stdin); !order.empty(); order = lineOf(stdin)) {
    std::string what = order.substr(0, order.find(' ')), rest = order.substr(std::min(order.size(), what.size() + 1));
    std::string answer = "done";
    if (what == "allocate") answer = handleOf(ints = sharedInts());
    if (what == "pool") {
      int descriptor;
      CHECK(cudaMemPoolExportToShareableHandle(&descriptor, pool = sharedPool(), cudaMemHandleTypePosixFileDescriptor, 0));
      passOn(descriptor, rest);
      close(descriptor);
    }
    if (what == "allocatePooled") {
      CHECK(cudaMallocFromPoolAsync(&ints, SHARED * sizeof(int), pool, stream));
      cudaMemPoolPtrExportData data;
      CHECK(cudaMemPoolExportPointer(&data, ints));
      answer = hex(&data, sizeof data);
    }
    if (what == "event") answer = handleOf(ours = sharedEvent());
    if (what == "open") ints = openInts(rest);
    if (what == "openEvent") theirs = openEvent(rest);
    if (what == "fill") {
      fillWith(ints, std::stoi(rest), stream);
      CHECK(cudaEventRecord(ours, stream));
    }
    if (what == "sum") {
      CHECK(cudaStreamWaitEvent(stream, theirs, 0));
      answer = std::to_string(sumOf(ints, stream));
    }
    printf("%s\n", answer.c_str());
    fflush(stdout);
  }
  return 0;
}

/** What is before a recording is there for a process that waits for it. */
TWIN(processReads, "memory-of-this-process-in-another", Kind::kPlain) {
  Other other;
  Stream stream;
  int* ints = sharedInts();
  cudaEvent_t filled = sharedEvent();
  fillWith(ints, 3, stream);
  CHECK(cudaEventRecord(filled, stream));
  other.ask("open " + handleOf(ints));
  other.ask("openEvent " + handleOf(filled));
  say("sum", other.ask("sum"));
  Latch latch;
  latch.hold(stream);
  latch.open();
  fillWith(ints, 4, stream);
  CHECK(cudaEventRecord(filled, stream));
  say("sum-again", other.ask("sum"));
}

/** The other way round; and an event that was never recorded holds nobody up. */
TWIN(processWrites, "memory-of-another-process-in-this", Kind::kPlain) {
  Other other;
  Stream stream;
  int* ints = openInts(other.ask("allocate"));
  cudaEvent_t filled = openEvent(other.ask("event"));
  CHECK(cudaStreamWaitEvent(stream, filled, 0));
  CHECK(cudaStreamSynchronize(stream));
  say("never-recorded", "holds-nobody-up");
  other.ask("fill 5");
  CHECK(cudaStreamWaitEvent(stream, filled, 0));
  say("sum", std::to_string(sumOf(ints, stream)));
  other.ask("fill 6");
  CHECK(cudaStreamWaitEvent(stream, filled, 0));
  say("sum-again", std::to_string(sumOf(ints, stream)));
}

/** What a process had shared outlives it for who has opened it. */
TWIN(processDies, "memory-of-a-process-that-was-killed", Kind::kPlain) {
  Other other;
  Stream stream;
  int* ints = openInts(other.ask("allocate"));
  cudaEvent_t filled = openEvent(other.ask("event"));
  other.ask("fill 7");
  CHECK(cudaStreamWaitEvent(stream, filled, 0));
  say("sum", std::to_string(sumOf(ints, stream)));
  other.kill();
  say("sum-after", std::to_string(sumOf(ints, stream)));
  say("written", std::to_string((fillWith(ints, 8, stream), sumOf(ints, stream))));
}

/** A process does not open what is its own. */
TWIN(processOwn, "memory-of-this-process-in-this", Kind::kPlain) {
  int* ints = sharedInts();
  void* again;
  cudaError_t result =
      cudaIpcOpenMemHandle(&again, unhex<cudaIpcMemHandle_t>(handleOf(ints)), cudaIpcMemLazyEnablePeerAccess);
  say("own", result == cudaSuccess ? "accepted" : "refused");
  (void)cudaGetLastError();
}

/** Memory of a pool goes over without a wait, and outlives its process. */
TWIN(processPool, "pool-of-another-process-in-this", Kind::kPlain) {
  Other other;
  Stream stream;
  Arrival arrival;
  other.ask("pool " + arrival.name());
  int descriptor = arrival.receive();
  cudaMemPool_t pool;
  CHECK(cudaMemPoolImportFromShareableHandle(&pool, reinterpret_cast<void*>(static_cast<intptr_t>(descriptor)),
                                             cudaMemHandleTypePosixFileDescriptor, 0));
  close(descriptor);
  auto open = [&](const std::string& handle) {
    auto data = unhex<cudaMemPoolPtrExportData>(handle);
    void* ints;
    CHECK(cudaMemPoolImportPointer(&ints, pool, &data));
    return static_cast<int*>(ints);
  };
  int* ints = open(other.ask("allocatePooled"));
  cudaEvent_t filled = openEvent(other.ask("event"));
  other.ask("fill 5");
  CHECK(cudaStreamWaitEvent(stream, filled, 0));
  say("sum", std::to_string(sumOf(ints, stream)));
  int* next = open(other.ask("allocatePooled"));
  other.ask("fill 6");
  CHECK(cudaStreamWaitEvent(stream, filled, 0));
  say("sum-of-the-next", std::to_string(sumOf(next, stream)));
  say("sum-again", std::to_string(sumOf(ints, stream)));
  other.kill();
  say("sum-after", std::to_string(sumOf(next, stream)));
  say("written", std::to_string((fillWith(next, 8, stream), sumOf(next, stream))));
  CHECK(cudaFreeAsync(ints, stream));
  CHECK(cudaFreeAsync(next, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemPoolDestroy(pool));
}

/** Two processes in turn. */
TWIN(processTurns, "processes-in-turn", Kind::kPlain) {
  Other other;
  Stream stream;
  int* ints = sharedInts();
  cudaEvent_t filled = sharedEvent();
  other.ask("open " + handleOf(ints));
  other.ask("openEvent " + handleOf(filled));
  int right = 0;
  for (int round = 1; round <= 50; round++) {
    fillWith(ints, round, stream);
    CHECK(cudaEventRecord(filled, stream));
    right += other.ask("sum") == std::to_string(1000L * round);
  }
  say("right", right);
}

}  // namespace
