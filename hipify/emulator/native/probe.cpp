// A way in for tests: runs the lines of a listing on registers that the caller supplies.
#include <cstdio>

#include "program.hpp"

namespace emu {

void read_listing(Program& p, const std::string& listing);  // load.cpp
bool run_listing(Wave& w, std::string& error);              // dispatch.cpp

}  // namespace emu

extern "C" {

/// Executes `listing` from its first instruction to s_endpgm. `vectors` holds `registers` rows of `lanes`
/// values, `scalars` all scalar registers as core.hpp numbers them; both are updated. Returns 0, or 1
/// with the fault's text in `error` (at most `room` bytes).
int hipify_emulator_probe(const char* listing, unsigned* vectors, unsigned* scalars, char* error,
                          unsigned room) {
  using namespace emu;
  std::string text;
  try {
    Program program;
    read_listing(program, listing);
    Kernel kernel;
    kernel.name = "probe";
    kernel.program = &program;
    Launch launch;
    launch.kernel = &kernel;
    alignas(64) static thread_local u8 lds[4096];
    Group group;
    group.launch = &launch;
    group.lds = lds;
    group.lds_size = sizeof lds;
    group.waves.resize(1);
    Wave& w = group.waves[0];
    w.group = &group;
    w.program = &program;
    w.lanes = program.lanes;
    w.v = vectors;
    memcpy(w.s, scalars, sizeof w.s);
    w.pc = program.code.data();
    const bool ended = run_listing(w, text);
    memcpy(scalars, w.s, sizeof w.s);
    if (ended) return 0;
  } catch (const LoadError& e) {
    text = e.text;
  }
  snprintf(error, room, "%s", text.c_str());
  return 1;
}

/// Whether an operation of the tables has a handler.
int hipify_emulator_has_handler(const char* name) { return emu::find_handler(name) != nullptr; }

}  // extern "C"
