// Where registers peak, from listings in the form of nvdisasm.
#include <doctest/doctest.h>

#include "app/study/register_peak.hpp"

using namespace halfstep;

namespace {

// The form that the manual of CUDA's binary utilities shows: columns of live registers behind the code, and
// before it the lines that it comes from, of the innermost inlined function first.
const std::string kListing =
    R"(	.headerflags	@"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM90"
//--------------------- .text._Z5otherPd           --------------------------
	.section	.text._Z5otherPd,"ax",@progbits
                                                      // +--------------------+------+
                                                      // |        GPR         | PRED |
                                                      // |    000000000011    |      |
                                                      // |  # 012345678901    | # 01 |
                                                      // +--------------------+------+
.text._Z5otherPd:                                     // |                    |      |
	//## File "/src/flow/flow.cu", line 3                // |                    |      |
        /*0000*/                   LDC R1, c[0x0][0x28] ; // | 99 ^^^^^^^^^^^^    |      |
//--------------------- .text._Z4stepPd            --------------------------
	.section	.text._Z4stepPd,"ax",@progbits
                                                      // |  # 012345678901    | # 01 |
        .size           _Z4stepPd,(.L_x_1 - _Z4stepPd)  // |                    |      |
_Z4stepPd:                                            // |                    |      |
.text._Z4stepPd:                                      // |                    |      |
        /*0000*/                   LDC R1, c[0x0][0x28] ; // | 40 ^^^^^           |      |
	//## File "/src/flow/flow.cu", line 12               // |                    |      |
        /*0010*/                   S2R R0, SR_TID.X ; // |  2 ^:              |      |
        /*0020*/               @P0 EXIT ;             // |  2 ::              | 1 v  |
.L_x_0:                                               // | 50 ::              |      |
	//## File "/usr/include/math.hpp", line 7 inlined at "/src/flow/sub/roe.cuh", line 30
	//## File "/src/flow/sub/roe.cuh", line 30 inlined at "/src/flow/flow.cu", line 15
	//## File "/src/flow/flow.cu", line 15
        /*0030*/                   MUFU.SQRT R4, R5 ; // | 11 ::^v::::::::    |      |
        /*0040*/                   DADD R2, R2, R4 ;  // | 12 :::::^v:::::    | 1 :  |
	//## File "/src/flow/flow.cu", line 16
        /*0050*/                   STG.E.64 [R2], R4 ; // | 12 ::vv            |      |
        /*0060*/                   EXIT ;             // |                    |      |
.L_x_1:                                               // +--------------------+------+
// Legend:
//     ^       : Register assignment
)";

}  // namespace

TEST_CASE("register peak: the first instruction of the kernel with the most live registers has its lines") {
  const auto peak = parse_life_ranges(kListing, "_Z4stepPd");
  REQUIRE(peak);
  CHECK(peak->live == 12);
  REQUIRE(peak->lines.size() == 3);
  CHECK(peak->lines[0].file == "/usr/include/math.hpp");
  CHECK(peak->lines[0].line == 7);
  CHECK(peak->lines[2].line == 15);
  CHECK(parse_life_ranges(kListing, "_Z5otherPd")->live == 99);
}

TEST_CASE("register peak: a section begins with its headline or its label") {
  const std::string code = "\t//## File \"/k.cu\", line 3\n        MOV R1, R2 ;   //|  3 ^:: |\n";
  CHECK(parse_life_ranges("//----- .text.k   -----\n" + code, "k")->live == 3);
  CHECK(parse_life_ranges(".text.k:   // |    |\n" + code, "k")->live == 3);
  CHECK_FALSE(parse_life_ranges("\t.section\t.text.k,\"ax\"\n" + code, "k"));
}

TEST_CASE("register peak: nothing of a kernel that is not there, or of a listing without lines or ranges") {
  CHECK_FALSE(parse_life_ranges(kListing, "_Z4ste"));
  CHECK_FALSE(parse_life_ranges(".text.k:\n  MOV R1, R2 ; // | 3 ^:: |\n", "k"));
  CHECK_FALSE(parse_life_ranges(".text.k:\n//## File \"/k.cu\", line 3\n  MOV R1, R2 ;\n", "k"));
  CHECK_FALSE(parse_life_ranges("nvdisasm fatal   : no such file", "k"));
}

TEST_CASE("register peak: the line that counts is the innermost of the user's own") {
  const auto peak = parse_life_ranges(kListing, "_Z4stepPd");
  REQUIRE(peak);
  const SourceLine own = line_below("/src/./flow", peak->lines);
  CHECK(own.file == "sub/roe.cuh");
  CHECK(own.line == 30);
  CHECK(line_below("/elsewhere", peak->lines).file == "/usr/include/math.hpp");
}
