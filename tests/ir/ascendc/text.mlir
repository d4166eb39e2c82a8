// RUN: asc-opt %s --emit=ascendc | FileCheck %s
// RUN: asc-opt %s --emit=listing | FileCheck %s --check-prefix=LISTING
// Text: strings are escaped for C++, the condition of an assertion is one argument of the macro, values for the report only are not printed.

asc.kernel @k(%n: i32, %f: f16, %x: !asc.address<f32>) attributes {dtypes = [i32, f16, f32], names = ["n", "f", "x"]} {
  %c0 = arith.constant 0 : i32
  %c7 = arith.constant 7 : i32
  // CHECK: AscendC::printf("\"100 %%\" \\\n\0011 \177");
  // LISTING: printf "\"100 %%\" \\\x0a\x011 \x7f"
  asc.printf "\"100 %%\" \\\n\011 \7F" {dtypes = array<i32>}
  // CHECK: AscendC::printf("%d %d %f %p", n + 7, 7, f, (__gm__ float*)x);
  %sum = arith.addi %n, %c7 overflow<nsw> : i32
  // LISTING: printf "%d %d %f %p", r{{[0-9]+}}:int32, r{{[0-9]+}}:int32, r{{[0-9]+}}:float16, r{{[0-9]+}}:uint64
  asc.printf "%d %d %f %p", %sum, %c7, %f, %x : i32, i32, f16, !asc.address<f32> {dtypes = array<i32: 4, 4, 10, 9>}
  // CHECK: assert(n < 7);
  // LISTING: assert "", r{{[0-9]+}}:bool<"n < 7">, r{{[0-9]+}}:int32<n>
  %less = arith.cmpi slt, %n, %c7 : i32
  asc.assert %less, "n < 7", "", %n : i32 {dtypes = array<i32: 4>, names = ["n"]}
  // CHECK: assert((pyasc_floor_mod<int32_t>(n, 7) == 0), "n is %d", n);
  %mod = asc.floor_mod %n, %c7 : i32
  %divides = arith.cmpi eq, %mod, %c0 : i32
  asc.assert %divides, "n % 7 == 0", "n is %d", %n, %n : i32, i32 {dtypes = array<i32: 4, 4>, names = ["n"]}
  // CHECK: AscendC::Trap();
  // LISTING: trap
  asc.trap
  asc.return
}
