// Where registers peak, from listings in the form of nvdisasm.
#include <doctest/doctest.h>

#include "app/study/register_peak.hpp"

using namespace halfstep;

namespace {

// The forms of nvdisasm 13.0: columns of live registers behind the code, and lines before it, of the
// innermost inlined function first.
const std::string kLifeRanges =
    R"(	.target	sm_90

//--------------------- .text._Z5otherPd --------------------------
	.section	.text._Z5otherPd,"ax",@progbits
                                                      // +-------------------------------+
                                                      // |              GPR              |
                                                      // |  # 0 1 2 3 4 5 6 7 8 9 10 11  |
                                                      // +-------------------------------+
        .global         _Z5otherPd                     // |                               |
.text._Z5otherPd:                                     // |                               |
        /*0000*/                   LDC R1, c[0x0][0x28] ; // | 99   ^                        |
//--------------------- .text._Z4stepPd --------------------------
	.section	.text._Z4stepPd,"ax",@progbits
        .size           _Z4stepPd,(.L_x_1 - _Z4stepPd)  // |                               |
_Z4stepPd:                                            // |                               |
.text._Z4stepPd:                                      // |                               |
        /*0000*/                   LDC R1, c[0x0][0x28] ; // |  1   ^                        |
        /*0010*/                   S2R R0, SR_TID.X ; // |  2 ^ :                        |
        /*0020*/               @P0 EXIT ;             // |  2 : :                        |
.L_x_0:                                               // | 50 : :                        |
        /*0030*/                   MUFU.SQRT R4, R5 ; // | 11 : :     ^ v                |
        /*00f0*/                   DADD R2, R2, R4 ;  // | 12 : : ^ : v : :              |
        /*0100*/                   STG.E.64 [R2], R4 ; // | 12 : : v v                    |
        /*0110*/                   EXIT ;             // |                               |
.L_x_1:                                               // +-------------------------------+
// Legend:
//     ^       : Register assignment
)";
const std::string kLines = R"(//--------------------- .text._Z5otherPd --------------------------
.text._Z5otherPd:
	//## File "/src/flow/flow.cu", line 3
        /*0000*/                   LDC R1, c[0x0][0x28] ;
//--------------------- .text._Z4stepPd --------------------------
.text._Z4stepPd:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
	//## File "/src/flow/flow.cu", line 12
        /*0010*/                   S2R R0, SR_TID.X ;
        /*0020*/               @P0 EXIT ;
	//## File "/usr/include/math.hpp", line 7 inlined at "/src/flow/sub/roe.cuh", line 30
	//## File "/src/flow/sub/roe.cuh", line 30 inlined at "/src/flow/flow.cu", line 15
	//## File "/src/flow/flow.cu", line 15
        /*0030*/                   MUFU.SQRT R4, R5 ;
        /*00f0*/                   DADD R2, R2, R4 ;
	//## File "/src/flow/flow.cu", line 16
        /*0100*/                   STG.E.64 [R2], R4 ;
        /*0110*/                   EXIT ;
)";

}  // namespace

TEST_CASE("register peak: the first instruction of the kernel with the most live registers has its lines") {
  const auto peak = register_peak(kLifeRanges, kLines, "_Z4stepPd");
  REQUIRE(peak);
  CHECK(peak->live == 12);
  REQUIRE(peak->lines.size() == 3);
  CHECK(peak->lines[0].file == "/usr/include/math.hpp");
  CHECK(peak->lines[0].line == 7);
  CHECK(peak->lines[2].line == 15);
  CHECK(register_peak(kLifeRanges, kLines, "_Z5otherPd")->live == 99);
}

TEST_CASE("register peak: nothing of a kernel that is not there, or of listings without lines or ranges") {
  CHECK_FALSE(register_peak(kLifeRanges, kLines, "_Z4ste"));
  CHECK_FALSE(register_peak(kLifeRanges, kLifeRanges, "_Z4stepPd"));
  CHECK_FALSE(register_peak(kLines, kLines, "_Z4stepPd"));
  CHECK_FALSE(register_peak("nvdisasm fatal   : no such file", "", "k"));
}

TEST_CASE("register peak: the line that counts is the innermost of the user's own") {
  const auto peak = register_peak(kLifeRanges, kLines, "_Z4stepPd");
  REQUIRE(peak);
  const SourceLine own = line_below("/src/./flow", peak->lines);
  CHECK(own.file == "sub/roe.cuh");
  CHECK(own.line == 30);
  CHECK(line_below("/elsewhere", peak->lines).file == "/usr/include/math.hpp");
}
