* queens/small: a solution is a plan that wins
* about queen: what is placed at [row][column]: 1 queen; 0 nothing
* x1 = queen[0,0]
* x2 = queen[0,1]
* x3 = queen[0,2]
* x4 = queen[0,3]
* x5 = queen[0,4]
* x6 = queen[0,5]
* x7 = queen[1,0]
* x8 = queen[1,1]
* x9 = queen[1,2]
* x10 = queen[1,3]
* x11 = queen[1,4]
* x12 = queen[1,5]
* x13 = queen[2,0]
* x14 = queen[2,1]
* x15 = queen[2,2]
* x16 = queen[2,3]
* x17 = queen[2,4]
* x18 = queen[2,5]
* x19 = queen[3,0]
* x20 = queen[3,1]
* x21 = queen[3,2]
* x22 = queen[3,3]
* x23 = queen[3,4]
* x24 = queen[3,5]
* x25 = queen[4,0]
* x26 = queen[4,1]
* x27 = queen[4,2]
* x28 = queen[4,4]
* x29 = queen[4,5]
* x30 = queen[5,0]
* x31 = queen[5,1]
* x32 = queen[5,2]
* x33 = queen[5,3]
* x34 = queen[5,4]
* x35 = queen[5,5]
NAME level
ROWS
 N cost
* exactly 1 queen: rows
 E r1
 E r2
 E r3
 E r4
 E r5
 E r6
* exactly 1 queen: columns
 E r7
 E r8
 E r9
 E r10
 E r11
 E r12
* at most 1 queen: slopes
 L r13
 L r14
 L r15
 L r16
 L r17
 L r18
 L r19
 L r20
 L r21
 L r22
 L r23
 L r24
 L r25
 L r26
 L r27
 L r28
 L r29
 L r30
COLUMNS
 M1 'MARKER' 'INTORG'
 x1 r1 1
 x1 r7 1
 x1 r17 1
 x2 r1 1
 x2 r8 1
 x2 r18 1
 x2 r22 1
 x3 r1 1
 x3 r9 1
 x3 r19 1
 x3 r23 1
 x4 r1 1
 x4 r10 1
 x4 r20 1
 x4 r24 1
 x5 r1 1
 x5 r11 1
 x5 r21 1
 x5 r25 1
 x6 r1 1
 x6 r12 1
 x6 r26 1
 x7 r2 1
 x7 r7 1
 x7 r16 1
 x7 r22 1
 x8 r2 1
 x8 r8 1
 x8 r17 1
 x8 r23 1
 x9 r2 1
 x9 r9 1
 x9 r18 1
 x9 r24 1
 x10 r2 1
 x10 r10 1
 x10 r19 1
 x10 r25 1
 x11 r2 1
 x11 r11 1
 x11 r20 1
 x11 r26 1
 x12 r2 1
 x12 r12 1
 x12 r21 1
 x12 r27 1
 x13 r3 1
 x13 r7 1
 x13 r15 1
 x13 r23 1
 x14 r3 1
 x14 r8 1
 x14 r16 1
 x14 r24 1
 x15 r3 1
 x15 r9 1
 x15 r17 1
 x15 r25 1
 x16 r3 1
 x16 r10 1
 x16 r18 1
 x16 r26 1
 x17 r3 1
 x17 r11 1
 x17 r19 1
 x17 r27 1
 x18 r3 1
 x18 r12 1
 x18 r20 1
 x18 r28 1
 x19 r4 1
 x19 r7 1
 x19 r14 1
 x19 r24 1
 x20 r4 1
 x20 r8 1
 x20 r15 1
 x20 r25 1
 x21 r4 1
 x21 r9 1
 x21 r16 1
 x21 r26 1
 x22 r4 1
 x22 r10 1
 x22 r17 1
 x22 r27 1
 x23 r4 1
 x23 r11 1
 x23 r18 1
 x23 r28 1
 x24 r4 1
 x24 r12 1
 x24 r19 1
 x24 r29 1
 x25 r5 1
 x25 r7 1
 x25 r13 1
 x25 r25 1
 x26 r5 1
 x26 r8 1
 x26 r14 1
 x26 r26 1
 x27 r5 1
 x27 r9 1
 x27 r15 1
 x27 r27 1
 x28 r5 1
 x28 r11 1
 x28 r17 1
 x28 r29 1
 x29 r5 1
 x29 r12 1
 x29 r18 1
 x29 r30 1
 x30 r6 1
 x30 r7 1
 x30 r26 1
 x31 r6 1
 x31 r8 1
 x31 r13 1
 x31 r27 1
 x32 r6 1
 x32 r9 1
 x32 r14 1
 x32 r28 1
 x33 r6 1
 x33 r10 1
 x33 r15 1
 x33 r29 1
 x34 r6 1
 x34 r11 1
 x34 r16 1
 x34 r30 1
 x35 r6 1
 x35 r12 1
 x35 r17 1
 M2 'MARKER' 'INTEND'
RHS
 RHS r1 1
 RHS r2 1
 RHS r3 1
 RHS r4 1
 RHS r6 1
 RHS r7 1
 RHS r8 1
 RHS r9 1
 RHS r11 1
 RHS r12 1
 RHS r13 1
 RHS r14 1
 RHS r15 1
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
 RHS r29 1
 RHS r30 1
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
ENDATA
