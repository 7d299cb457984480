// Code objects into memory: segments, relocations, and the listing that the decoder made of the code.
#include <elf.h>

#include <cstdlib>
#include <sstream>
#include <string_view>

#include "program.hpp"

namespace emu {

const Insn* with_output_modifiers(Wave& w, const Insn* i);
const Insn* with_lane_access(Wave& w, const Insn* i);

namespace {

[[noreturn]] void bad(const std::string& text) { throw LoadError{text}; }

const Insn* unknown_instruction(Wave& w, const Insn* i) {
  fault(w, i, 719, "the emulator does not know this instruction");
}

// ---------------------------------------------------------------- ELF

struct Elf {
  const u8* data;
  size_t size;
  const Elf64_Ehdr& header() const { return *reinterpret_cast<const Elf64_Ehdr*>(data); }
  template <class T>
  const T* at(u64 offset, size_t count) const {
    if (offset > size || count * sizeof(T) > size - offset) bad("the code object is truncated");
    return reinterpret_cast<const T*>(data + offset);
  }
};

u64 image_size(const Elf& elf) {
  u64 end = 0;
  const Elf64_Phdr* ph = elf.at<Elf64_Phdr>(elf.header().e_phoff, elf.header().e_phnum);
  for (int k = 0; k < elf.header().e_phnum; k++)
    if (ph[k].p_type == PT_LOAD) end = std::max(end, ph[k].p_vaddr + ph[k].p_memsz);
  return end;
}

void load_segments(const Elf& elf, u64 base) {
  const Elf64_Phdr* ph = elf.at<Elf64_Phdr>(elf.header().e_phoff, elf.header().e_phnum);
  for (int k = 0; k < elf.header().e_phnum; k++) {
    if (ph[k].p_type != PT_LOAD) continue;
    u8* to = reinterpret_cast<u8*>(base + ph[k].p_vaddr);
    memcpy(to, elf.at<u8>(ph[k].p_offset, ph[k].p_filesz), ph[k].p_filesz);
    memset(to + ph[k].p_filesz, 0, ph[k].p_memsz - ph[k].p_filesz);
  }
}

void relocate(const Elf& elf, u64 base, const Elf64_Shdr& section, const Elf64_Sym* symbols,
              const char* names) {
  constexpr u32 kAbs64 = 3, kRelative64 = 13;
  const size_t count = section.sh_size / sizeof(Elf64_Rela);
  const Elf64_Rela* rela = elf.at<Elf64_Rela>(section.sh_offset, count);
  for (size_t k = 0; k < count; k++) {
    const u32 type = ELF64_R_TYPE(rela[k].r_info);
    u64 value = base + u64(rela[k].r_addend);
    if (type == kAbs64) {
      const Elf64_Sym& s = symbols[ELF64_R_SYM(rela[k].r_info)];
      if (s.st_shndx == SHN_UNDEF) bad(std::string("undefined symbol: ") + (names + s.st_name));
      value += s.st_value;
    } else if (type != kRelative64) {
      bad("relocation type " + std::to_string(type) + " is not supported");
    }
    memcpy(reinterpret_cast<void*>(base + rela[k].r_offset), &value, 8);
  }
}

void load_elf(const Elf& elf, Program& p) {
  if (elf.size < sizeof(Elf64_Ehdr) || memcmp(elf.data, ELFMAG, SELFMAG)) bad("not an ELF file");
  p.size = image_size(elf);
  p.base = reinterpret_cast<u64>(arena_allocate(p.size, 4096));
  load_segments(elf, p.base);
  const Elf64_Shdr* sections = elf.at<Elf64_Shdr>(elf.header().e_shoff, elf.header().e_shnum);
  for (int k = 0; k < elf.header().e_shnum; k++) {
    if (sections[k].sh_type != SHT_DYNSYM) continue;
    const size_t count = sections[k].sh_size / sizeof(Elf64_Sym);
    const Elf64_Sym* symbols = elf.at<Elf64_Sym>(sections[k].sh_offset, count);
    const char* names = elf.at<char>(sections[sections[k].sh_link].sh_offset, 1);
    for (size_t j = 0; j < count; j++)
      if (symbols[j].st_shndx != SHN_UNDEF)
        p.symbols[names + symbols[j].st_name] = {p.base + symbols[j].st_value, symbols[j].st_size};
    for (int r = 0; r < elf.header().e_shnum; r++)
      if (sections[r].sh_type == SHT_RELA) relocate(elf, p.base, sections[r], symbols, names);
  }
}

// ---------------------------------------------------------------- the listing

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (size_t from = 0;;) {
    const size_t to = text.find(at, from);
    parts.push_back(text.substr(from, to - from));
    if (to == std::string_view::npos) return parts;
    from = to + 1;
  }
}

u64 hexadecimal(std::string_view text) { return strtoull(std::string(text).c_str(), nullptr, 16); }
i64 decimal(std::string_view text) { return strtoll(std::string(text).c_str(), nullptr, 10); }

struct Reader {
  Program& p;
  std::map<std::pair<u64, u32>, const u32*> splats;
  std::vector<std::pair<u32, u64>> branches;
  Kernel* kernel = nullptr;

  explicit Reader(Program& program) : p(program) {}

  const u32* splat(u64 value, u32 dwords) {
    const u32*& found = splats[{value, dwords}];
    if (!found) {
      auto lanes = std::make_unique<u32[]>(2 * 64);
      for (u32 l = 0; l < p.lanes; l++) {
        lanes[l] = u32(value);
        lanes[l + p.lanes] = u32(value >> 32);
      }
      found = lanes.get();
      p.splats.push_back(std::move(lanes));
    }
    return found;
  }

  // v12 | s4 | #3f800000, then .dwords >shift &keep ^flip
  Operand operand(std::string_view text) {
    Operand o;
    if (text == "-") return o;
    const size_t end = text.find_first_of(".>&^", 1);
    const std::string_view head = text.substr(0, end), number = head.substr(1);
    std::string_view rest = end == std::string_view::npos ? std::string_view{} : text.substr(end);
    while (!rest.empty()) {
      const size_t next = rest.find_first_of(".>&^", 1);
      const std::string_view value = rest.substr(1, next == std::string_view::npos ? next : next - 1);
      switch (rest[0]) {
        case '.': o.dwords = u8(decimal(value)); break;
        case '>': o.shift = u8(decimal(value)); break;
        case '&': o.keep = u32(hexadecimal(value)); break;
        default: o.flip = u32(hexadecimal(value)); break;
      }
      rest = next == std::string_view::npos ? std::string_view{} : rest.substr(next);
    }
    if (head[0] == 'v') {
      o.offset = u32(decimal(number)) * p.lanes;
      o.kind = o.plain() ? Kind::Vector : Kind::Altered;
    } else if (head[0] == 's') {
      o.offset = u32(decimal(number));
      o.kind = Kind::Scalar;
    } else {
      o.value = hexadecimal(number);
      o.kind = Kind::Splat;
      o.splat = splat(o.value, o.dwords);
    }
    return o;
  }

  /// dpp: 64 lanes as hex bytes, write mask, bound, fetch inactive, separated by ':'.
  void lane_access(Insn& i, std::string_view text, bool dpp) {
    auto a = std::make_unique<LaneAccess>();
    const auto parts = split(text, ':');
    if (parts.size() != (dpp ? 4u : 6u)) bad("listing: lane access " + std::string(text));
    a->dpp = dpp;
    if (dpp) {
      for (u32 l = 0; l < 64; l++) a->lane[l] = u8(hexadecimal(parts[0].substr(2 * l, 2)));
      a->write = hexadecimal(parts[1]);
      a->bound = parts[2] == "1";
      a->fetch_inactive = parts[3] == "1";
    } else {
      for (u32 k = 0; k < 2; k++) {
        a->source[k] = u8(decimal(parts[k]));
        a->extend[k] = parts[2 + k] == "1";
      }
      a->result = u8(decimal(parts[4]));
      a->unused = u8(decimal(parts[5]));
    }
    i.access = a.get();
    p.accesses.push_back(std::move(a));
  }

  void attribute(Insn& i, std::string_view text) {
    const size_t equals = text.find('=');
    const std::string_view key = text.substr(0, equals), value = text.substr(equals + 1);
    if (key == "imm") i.imm = decimal(value);
    else if (key == "imm2") i.imm2 = decimal(value);
    else if (key == "keep") i.keep = u32(hexadecimal(value));
    else if (key == "shift") i.shift = u8(decimal(value));
    else if (key == "omod") i.omod = u8(decimal(value));
    else if (key == "clamp") i.clamp = true;
    else if (key == "result") i.result = u8(decimal(value));
    else if (key == "returns") i.returns = true;
    else if (key == "sel") i.sel = u16(hexadecimal(value));
    else if (key == "to") branches.push_back({u32(p.code.size()), hexadecimal(value)});
    else if (key == "dpp") lane_access(i, value, true);
    else if (key == "sdwa") lane_access(i, value, false);
    else bad("listing: unknown attribute " + std::string(text));
  }

  // i <pc> <handler> <operands> <attributes> <file:line> <assembly>
  void instruction(const std::vector<std::string_view>& f) {
    Insn i;
    const std::string name(f[2]);
    i.core = name == "?" ? unknown_instruction : find_handler(name);
    if (!i.core) i.core = unknown_instruction;
    if (!f[3].empty()) {
      int k = 0;
      for (const std::string_view text : split(f[3], ' ')) {
        if (k == kOperands) bad("listing: too many operands");
        i.op[k++] = operand(text);
      }
    }
    if (!f[4].empty())
      for (const std::string_view text : split(f[4], ' ')) attribute(i, text);
    i.index = u32(p.code.size());
    i.inner = i.result ? with_output_modifiers : i.core;
    i.run = i.access ? with_lane_access : i.inner;
    const u64 pc = p.base + hexadecimal(f[1]);
    p.code.push_back(i);
    p.pcs.push_back(pc);
    p.texts.emplace_back(f[6]);
    if (!f[5].empty()) {
      const auto place = split(f[5], ':');
      p.lines.push_back({pc, u32(decimal(place[0])), u32(decimal(place[1]))});
    }
  }

  void line(std::string_view text) {
    const auto f = split(text, '\t');
    if (f[0] == "i") {
      instruction(f);
    } else if (f[0] == "lanes") {
      p.lanes = u32(decimal(f[1]));
    } else if (f[0] == "vgprs") {
      p.vgprs = u32(decimal(f[1]));
    } else if (f[0] == "file") {
      p.files.emplace_back(f[1]);
    } else if (f[0] == "target") {
      p.target.name = f[1];
      p.target.major = int(decimal(f[2]));
      p.target.packed_ids = f[3] == "1";
      p.target.flat_scratch = f[4] == "1";
      p.target.fnuz = f[5] == "1";
    } else if (f[0] == "kernel") {
      kernel = &p.kernels[std::string(f[1])];
      kernel->name = f[1];
      kernel->descriptor_symbol = f[2];
      kernel->kernarg_size = u32(decimal(f[3]));
      kernel->vgprs = u32(decimal(f[4]));
      kernel->sgprs = u32(decimal(f[5]));
      kernel->max_threads = u32(decimal(f[6]));
      kernel->dynamic_stack = f[7] == "1";
    } else if (f[0] == "arg") {
      kernel->arguments.push_back({u32(decimal(f[1])), u32(decimal(f[2])), std::string(f[3])});
    } else if (!f[0].empty()) {
      bad("listing: unknown record " + std::string(f[0]));
    }
  }

  void index_code() {
    if (p.pcs.empty()) return;
    p.text_start = p.pcs.front();
    p.at.assign((p.pcs.back() - p.text_start) / 4 + 1, ~0u);
    for (u32 k = p.code.size(); k-- > 0;) p.at[(p.pcs[k] - p.text_start) / 4] = k;
    for (const auto& [index, pc] : branches) p.code[index].target = p.find(p.base + pc);
  }
};

void read_descriptor(Program& p, Kernel& k) {
  const auto symbol = p.symbols.find(k.descriptor_symbol);
  if (symbol == p.symbols.end()) bad("no descriptor for kernel " + k.name);
  k.program = &p;
  k.descriptor = symbol->second.address;
  const u8* d = reinterpret_cast<const u8*>(k.descriptor);
  const auto word = [&](u32 at) {
    u32 x;
    memcpy(&x, d + at, 4);
    return x;
  };
  i64 entry;
  memcpy(&entry, d + 16, 8);
  k.group_size = word(0);
  k.private_size = word(4);
  k.entry = k.descriptor + u64(entry);
  k.rsrc3 = word(44);
  k.rsrc1 = word(48);
  k.rsrc2 = word(52);
  k.properties = word(56) & 0xffff;
  k.preload = word(56) >> 16;
}

}  // namespace

std::string Program::where(const Insn* i) const {
  const u64 pc = pcs[i->index];
  const SourceLine* found = nullptr;
  for (const SourceLine& l : lines) {
    if (l.pc > pc) break;
    found = &l;
  }
  return found ? files[found->file] + ":" + std::to_string(found->line) : "";
}

void read_listing(Program& p, const std::string& listing) {
  Reader reader(p);
  for (const std::string_view line : split(listing, '\n')) reader.line(line);
  p.code.emplace_back();  // running off the end is an error, not a crash
  p.code.back().run = p.code.back().core = unknown_instruction;
  p.code.back().index = u32(p.code.size() - 1);
  p.pcs.push_back(p.pcs.empty() ? p.base : p.pcs.back() + 4);
  p.texts.emplace_back("(end of the code)");
  reader.index_code();
}

std::unique_ptr<Program> load_program(const void* elf, size_t size, const std::string& listing) {
  auto p = std::make_unique<Program>();
  load_elf({static_cast<const u8*>(elf), size}, *p);
  read_listing(*p, listing);
  for (auto& [name, kernel] : p->kernels) read_descriptor(*p, kernel);
  return p;
}

}  // namespace emu
