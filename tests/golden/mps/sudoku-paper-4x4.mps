* sudoku/paper-4x4: a solution is a plan that wins
* about digit: the digit at [row][column]
* x1 = digit_is_1[0,0]
* x2 = digit_is_2[0,0]
* x3 = digit_is_3[0,0]
* x4 = digit_is_4[0,0]
* x5 = digit_is_1[0,2]
* x6 = digit_is_2[0,2]
* x7 = digit_is_3[0,2]
* x8 = digit_is_4[0,2]
* x9 = digit_is_1[0,3]
* x10 = digit_is_2[0,3]
* x11 = digit_is_3[0,3]
* x12 = digit_is_4[0,3]
* x13 = digit_is_1[1,0]
* x14 = digit_is_2[1,0]
* x15 = digit_is_3[1,0]
* x16 = digit_is_4[1,0]
* x17 = digit_is_1[1,2]
* x18 = digit_is_2[1,2]
* x19 = digit_is_3[1,2]
* x20 = digit_is_4[1,2]
* x21 = digit_is_1[2,0]
* x22 = digit_is_2[2,0]
* x23 = digit_is_3[2,0]
* x24 = digit_is_4[2,0]
* x25 = digit_is_1[2,1]
* x26 = digit_is_2[2,1]
* x27 = digit_is_3[2,1]
* x28 = digit_is_4[2,1]
* x29 = digit_is_1[2,2]
* x30 = digit_is_2[2,2]
* x31 = digit_is_3[2,2]
* x32 = digit_is_4[2,2]
* x33 = digit_is_1[2,3]
* x34 = digit_is_2[2,3]
* x35 = digit_is_3[2,3]
* x36 = digit_is_4[2,3]
* x37 = digit_is_1[3,0]
* x38 = digit_is_2[3,0]
* x39 = digit_is_3[3,0]
* x40 = digit_is_4[3,0]
* x41 = digit_is_1[3,2]
* x42 = digit_is_2[3,2]
* x43 = digit_is_3[3,2]
* x44 = digit_is_4[3,2]
* x45 = digit_is_1[0,1]
* x46 = digit_is_2[0,1]
* x47 = digit_is_3[0,1]
* x48 = digit_is_4[0,1]
* x49 = digit_is_1[1,1]
* x50 = digit_is_2[1,1]
* x51 = digit_is_3[1,1]
* x52 = digit_is_4[1,1]
* x53 = digit_is_1[1,3]
* x54 = digit_is_2[1,3]
* x55 = digit_is_3[1,3]
* x56 = digit_is_4[1,3]
* x57 = digit_is_1[3,1]
* x58 = digit_is_2[3,1]
* x59 = digit_is_3[3,1]
* x60 = digit_is_4[3,1]
* x61 = digit_is_1[3,3]
* x62 = digit_is_2[3,3]
* x63 = digit_is_3[3,3]
* x64 = digit_is_4[3,3]
NAME level
ROWS
 N cost
* digit[0][0] has one value
 E r1
* digit[0][2] has one value
 E r2
* digit[0][3] has one value
 E r3
* digit[1][0] has one value
 E r4
* digit[1][2] has one value
 E r5
* digit[2][0] has one value
 E r6
* digit[2][1] has one value
 E r7
* digit[2][2] has one value
 E r8
* digit[2][3] has one value
 E r9
* digit[3][0] has one value
 E r10
* digit[3][2] has one value
 E r11
* digit[0][1] has one value
 E r12
* digit[1][1] has one value
 E r13
* digit[1][3] has one value
 E r14
* digit[3][1] has one value
 E r15
* digit[3][3] has one value
 E r16
* digit is given
 G r17
* the digits of rows 0 all differ: 1
 E r18
* the digits of rows 0 all differ: 2
 E r19
* the digits of rows 0 all differ: 3
 E r20
* the digits of rows 0 all differ: 4
 E r21
* digit is given
 G r22
 G r23
* the digits of rows 1 all differ: 1
 E r24
* the digits of rows 1 all differ: 2
 E r25
* the digits of rows 1 all differ: 3
 E r26
* the digits of rows 1 all differ: 4
 E r27
* the digits of rows 2 all differ: 1
 E r28
* the digits of rows 2 all differ: 2
 E r29
* the digits of rows 2 all differ: 3
 E r30
* the digits of rows 2 all differ: 4
 E r31
* digit is given
 G r32
 G r33
* the digits of rows 3 all differ: 1
 E r34
* the digits of rows 3 all differ: 2
 E r35
* the digits of rows 3 all differ: 3
 E r36
* the digits of rows 3 all differ: 4
 E r37
* the digits of columns 0 all differ: 1
 E r38
* the digits of columns 0 all differ: 2
 E r39
* the digits of columns 0 all differ: 3
 E r40
* the digits of columns 0 all differ: 4
 E r41
* the digits of columns 1 all differ: 1
 E r42
* the digits of columns 1 all differ: 2
 E r43
* the digits of columns 1 all differ: 3
 E r44
* the digits of columns 1 all differ: 4
 E r45
* the digits of columns 2 all differ: 1
 E r46
* the digits of columns 2 all differ: 2
 E r47
* the digits of columns 2 all differ: 3
 E r48
* the digits of columns 2 all differ: 4
 E r49
* the digits of columns 3 all differ: 1
 E r50
* the digits of columns 3 all differ: 2
 E r51
* the digits of columns 3 all differ: 3
 E r52
* the digits of columns 3 all differ: 4
 E r53
* the digits of boxes 0 all differ: 1
 E r54
* the digits of boxes 0 all differ: 2
 E r55
* the digits of boxes 0 all differ: 3
 E r56
* the digits of boxes 0 all differ: 4
 E r57
* the digits of boxes 1 all differ: 1
 E r58
* the digits of boxes 1 all differ: 2
 E r59
* the digits of boxes 1 all differ: 3
 E r60
* the digits of boxes 1 all differ: 4
 E r61
* the digits of boxes 2 all differ: 1
 E r62
* the digits of boxes 2 all differ: 2
 E r63
* the digits of boxes 2 all differ: 3
 E r64
* the digits of boxes 2 all differ: 4
 E r65
* the digits of boxes 3 all differ: 1
 E r66
* the digits of boxes 3 all differ: 2
 E r67
* the digits of boxes 3 all differ: 3
 E r68
* the digits of boxes 3 all differ: 4
 E r69
COLUMNS
 M1 'MARKER' 'INTORG'
 x1 r1 1
 x1 r18 1
 x1 r38 1
 x1 r54 1
 x2 r1 1
 x2 r19 1
 x2 r39 1
 x2 r55 1
 x3 r1 1
 x3 r20 1
 x3 r40 1
 x3 r56 1
 x4 r1 1
 x4 r21 1
 x4 r41 1
 x4 r57 1
 x5 r2 1
 x5 r18 1
 x5 r46 1
 x5 r58 1
 x6 r2 1
 x6 r19 1
 x6 r47 1
 x6 r59 1
 x7 r2 1
 x7 r20 1
 x7 r48 1
 x7 r60 1
 x8 r2 1
 x8 r21 1
 x8 r49 1
 x8 r61 1
 x9 r3 1
 x9 r18 1
 x9 r50 1
 x9 r58 1
 x10 r3 1
 x10 r19 1
 x10 r51 1
 x10 r59 1
 x11 r3 1
 x11 r20 1
 x11 r52 1
 x11 r60 1
 x12 r3 1
 x12 r21 1
 x12 r53 1
 x12 r61 1
 x13 r4 1
 x13 r24 1
 x13 r38 1
 x13 r54 1
 x14 r4 1
 x14 r25 1
 x14 r39 1
 x14 r55 1
 x15 r4 1
 x15 r26 1
 x15 r40 1
 x15 r56 1
 x16 r4 1
 x16 r27 1
 x16 r41 1
 x16 r57 1
 x17 r5 1
 x17 r24 1
 x17 r46 1
 x17 r58 1
 x18 r5 1
 x18 r25 1
 x18 r47 1
 x18 r59 1
 x19 r5 1
 x19 r26 1
 x19 r48 1
 x19 r60 1
 x20 r5 1
 x20 r27 1
 x20 r49 1
 x20 r61 1
 x21 r6 1
 x21 r28 1
 x21 r38 1
 x21 r62 1
 x22 r6 1
 x22 r29 1
 x22 r39 1
 x22 r63 1
 x23 r6 1
 x23 r30 1
 x23 r40 1
 x23 r64 1
 x24 r6 1
 x24 r31 1
 x24 r41 1
 x24 r65 1
 x25 r7 1
 x25 r28 1
 x25 r42 1
 x25 r62 1
 x26 r7 1
 x26 r29 1
 x26 r43 1
 x26 r63 1
 x27 r7 1
 x27 r30 1
 x27 r44 1
 x27 r64 1
 x28 r7 1
 x28 r31 1
 x28 r45 1
 x28 r65 1
 x29 r8 1
 x29 r28 1
 x29 r46 1
 x29 r66 1
 x30 r8 1
 x30 r29 1
 x30 r47 1
 x30 r67 1
 x31 r8 1
 x31 r30 1
 x31 r48 1
 x31 r68 1
 x32 r8 1
 x32 r31 1
 x32 r49 1
 x32 r69 1
 x33 r9 1
 x33 r28 1
 x33 r50 1
 x33 r66 1
 x34 r9 1
 x34 r29 1
 x34 r51 1
 x34 r67 1
 x35 r9 1
 x35 r30 1
 x35 r52 1
 x35 r68 1
 x36 r9 1
 x36 r31 1
 x36 r53 1
 x36 r69 1
 x37 r10 1
 x37 r34 1
 x37 r38 1
 x37 r62 1
 x38 r10 1
 x38 r35 1
 x38 r39 1
 x38 r63 1
 x39 r10 1
 x39 r36 1
 x39 r40 1
 x39 r64 1
 x40 r10 1
 x40 r37 1
 x40 r41 1
 x40 r65 1
 x41 r11 1
 x41 r34 1
 x41 r46 1
 x41 r66 1
 x42 r11 1
 x42 r35 1
 x42 r47 1
 x42 r67 1
 x43 r11 1
 x43 r36 1
 x43 r48 1
 x43 r68 1
 x44 r11 1
 x44 r37 1
 x44 r49 1
 x44 r69 1
 x45 r12 1
 x45 r18 1
 x45 r42 1
 x45 r54 1
 x46 r12 1
 x46 r19 1
 x46 r43 1
 x46 r55 1
 x47 r12 1
 x47 r20 1
 x47 r44 1
 x47 r56 1
 x48 r12 1
 x48 r17 1
 x48 r21 1
 x48 r45 1
 x48 r57 1
 x49 r13 1
 x49 r22 1
 x49 r24 1
 x49 r42 1
 x49 r54 1
 x50 r13 1
 x50 r25 1
 x50 r43 1
 x50 r55 1
 x51 r13 1
 x51 r26 1
 x51 r44 1
 x51 r56 1
 x52 r13 1
 x52 r27 1
 x52 r45 1
 x52 r57 1
 x53 r14 1
 x53 r24 1
 x53 r50 1
 x53 r58 1
 x54 r14 1
 x54 r25 1
 x54 r51 1
 x54 r59 1
 x55 r14 1
 x55 r23 1
 x55 r26 1
 x55 r52 1
 x55 r60 1
 x56 r14 1
 x56 r27 1
 x56 r53 1
 x56 r61 1
 x57 r15 1
 x57 r34 1
 x57 r42 1
 x57 r62 1
 x58 r15 1
 x58 r35 1
 x58 r43 1
 x58 r63 1
 x59 r15 1
 x59 r32 1
 x59 r36 1
 x59 r44 1
 x59 r64 1
 x60 r15 1
 x60 r37 1
 x60 r45 1
 x60 r65 1
 x61 r16 1
 x61 r33 1
 x61 r34 1
 x61 r50 1
 x61 r66 1
 x62 r16 1
 x62 r35 1
 x62 r51 1
 x62 r67 1
 x63 r16 1
 x63 r36 1
 x63 r52 1
 x63 r68 1
 x64 r16 1
 x64 r37 1
 x64 r53 1
 x64 r69 1
 M2 'MARKER' 'INTEND'
RHS
 RHS r1 1
 RHS r2 1
 RHS r3 1
 RHS r4 1
 RHS r5 1
 RHS r6 1
 RHS r7 1
 RHS r8 1
 RHS r9 1
 RHS r10 1
 RHS r11 1
 RHS r12 1
 RHS r13 1
 RHS r14 1
 RHS r15 1
 RHS r16 1
 RHS r17 1
 RHS r18 1
 RHS r19 1
 RHS r20 1
 RHS r21 1
 RHS r22 1
 RHS r23 1
 RHS r24 1
 RHS r25 1
 RHS r26 1
 RHS r27 1
 RHS r28 1
 RHS r29 1
 RHS r30 1
 RHS r31 1
 RHS r32 1
 RHS r33 1
 RHS r34 1
 RHS r35 1
 RHS r36 1
 RHS r37 1
 RHS r38 1
 RHS r39 1
 RHS r40 1
 RHS r41 1
 RHS r42 1
 RHS r43 1
 RHS r44 1
 RHS r45 1
 RHS r46 1
 RHS r47 1
 RHS r48 1
 RHS r49 1
 RHS r50 1
 RHS r51 1
 RHS r52 1
 RHS r53 1
 RHS r54 1
 RHS r55 1
 RHS r56 1
 RHS r57 1
 RHS r58 1
 RHS r59 1
 RHS r60 1
 RHS r61 1
 RHS r62 1
 RHS r63 1
 RHS r64 1
 RHS r65 1
 RHS r66 1
 RHS r67 1
 RHS r68 1
 RHS r69 1
BOUNDS
 BV BND x1
 BV BND x2
 BV BND x3
 BV BND x4
 BV BND x5
 BV BND x6
 BV BND x7
 BV BND x8
 BV BND x9
 BV BND x10
 BV BND x11
 BV BND x12
 BV BND x13
 BV BND x14
 BV BND x15
 BV BND x16
 BV BND x17
 BV BND x18
 BV BND x19
 BV BND x20
 BV BND x21
 BV BND x22
 BV BND x23
 BV BND x24
 BV BND x25
 BV BND x26
 BV BND x27
 BV BND x28
 BV BND x29
 BV BND x30
 BV BND x31
 BV BND x32
 BV BND x33
 BV BND x34
 BV BND x35
 BV BND x36
 BV BND x37
 BV BND x38
 BV BND x39
 BV BND x40
 BV BND x41
 BV BND x42
 BV BND x43
 BV BND x44
 BV BND x45
 BV BND x46
 BV BND x47
 BV BND x48
 BV BND x49
 BV BND x50
 BV BND x51
 BV BND x52
 BV BND x53
 BV BND x54
 BV BND x55
 BV BND x56
 BV BND x57
 BV BND x58
 BV BND x59
 BV BND x60
 BV BND x61
 BV BND x62
 BV BND x63
 BV BND x64
ENDATA
