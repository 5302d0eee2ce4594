// The commands. Each declares its own options in the file of its name.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace halfstep {

/// Declares a command's options and returns the function that runs it. That function returns the exit code
/// and throws DeckError, UsageError, or std::exception for an I/O or device error.
using DeclareCommand = std::function<int()>(CLI::App& command);

DeclareCommand declare_run;
DeclareCommand declare_sweep;
DeclareCommand declare_check;
DeclareCommand declare_deck;
DeclareCommand declare_bench;
DeclareCommand declare_compare;
DeclareCommand declare_regress;
DeclareCommand declare_study;
DeclareCommand declare_verify;
DeclareCommand declare_plot;
DeclareCommand declare_report;
DeclareCommand declare_list;
DeclareCommand declare_info;
DeclareCommand declare_schema;

}  // namespace halfstep
