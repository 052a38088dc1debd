#ifndef BUILDS_COMPILER_H
#define BUILDS_COMPILER_H
#define CAN(what) \
    __has_attribute(what)
#if defined(__AVX2__) && defined(__OPTIMIZE__) && __GNUC__ > 4 && !defined(__llvm__)
#define WIDTH 4
#elif defined(__LITTLE_ENDIAN__)
#define WIDTH 40
#else
#define WIDTH 60
#endif
#ifdef __FAST_MATH__
#define EVALUATION (__FLT_EVAL_METHOD__ + 1)
#else
#define EVALUATION 9
#endif
#endif
