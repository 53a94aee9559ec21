"""The compiled runner: C++ agents around a Verilated top."""
