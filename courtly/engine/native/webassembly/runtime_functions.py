"""Functions that LLVM calls where WebAssembly has no instruction. Others link a library that has them.

LLVM replaces a loop that adds up its counter by a product of 128 bits, from which it calls `__multi3`.
"""

# the product of two numbers of 128 bits; `optnone`, since LLVM could recognize it and let it call itself
WIDE_PRODUCT = """
define i128 @__multi3(i128 %a, i128 %b) noinline optnone nounwind {
%a_low = trunc i128 %a to i64
%a_rest = lshr i128 %a, 64
%a_high = trunc i128 %a_rest to i64
%b_low = trunc i128 %b to i64
%b_rest = lshr i128 %b, 64
%b_high = trunc i128 %b_rest to i64
%a0 = and i64 %a_low, 4294967295
%a1 = lshr i64 %a_low, 32
%b0 = and i64 %b_low, 4294967295
%b1 = lshr i64 %b_low, 32
%p00 = mul i64 %a0, %b0
%p01 = mul i64 %a0, %b1
%p10 = mul i64 %a1, %b0
%p11 = mul i64 %a1, %b1
%carry0 = lshr i64 %p00, 32
%middle = add i64 %p10, %carry0
%middle_low = and i64 %middle, 4294967295
%carry1 = lshr i64 %middle, 32
%upper = add i64 %p01, %middle_low
%carry2 = lshr i64 %upper, 32
%bits0 = and i64 %p00, 4294967295
%bits1 = shl i64 %upper, 32
%low = or i64 %bits0, %bits1
%cross0 = mul i64 %a_low, %b_high
%cross1 = mul i64 %a_high, %b_low
%high0 = add i64 %p11, %carry1
%high1 = add i64 %high0, %carry2
%high2 = add i64 %high1, %cross0
%high = add i64 %high2, %cross1
%wide_low = zext i64 %low to i128
%wide_high = zext i64 %high to i128
%shifted = shl i128 %wide_high, 64
%product = or i128 %wide_low, %shifted
ret i128 %product
}
"""
