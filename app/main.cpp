#include "app/commands/commands.hpp"

int main(int argc, char** argv) { return halfstep::run_command_line(argc, argv); }
