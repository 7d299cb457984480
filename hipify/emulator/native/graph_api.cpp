// Graphs: recorded from streams or built node by node.
#include "runtime.hpp"

namespace emu {

Node* Graph::add(hipGraphNodeType type, Action run, std::vector<Node*> needs) {
  auto node = std::make_unique<Node>();
  node->type = type;
  node->run = std::move(run);
  node->needs = std::move(needs);
  nodes.push_back(std::move(node));
  return nodes.back().get();
}

}  // namespace emu
