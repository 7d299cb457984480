"""What AMD's instructions compute: declarative tables, and the C++ made from them."""
