// SPDX-License-Identifier: Apache-2.0

// The few EGL 1.5 declarations that are used (Khronos registry, egl.xml), so that no header needs to be installed.
#ifndef PARTICLES_EGL_LINUX_H
#define PARTICLES_EGL_LINUX_H

#include <stdint.h>

typedef int32_t EGLint;
typedef unsigned int EGLBoolean;
typedef unsigned int EGLenum;
typedef intptr_t EGLAttrib;

// Handles are pointers to EGL and plain numbers here, as Go does nothing with them but hand them back.
typedef uintptr_t EglDisplay;
typedef uintptr_t EglConfig;
typedef uintptr_t EglContext;
typedef uintptr_t EglDevice;

// pEglOpen opens libEGL.so.1 and fills the table: NULL on success, else dlerror's text or the missing name.
const char *pEglOpen(void);
void *pEglProc(const char *name);
EGLint pEglError(void);
const char *pEglQueryString(EglDisplay d, EGLint name);
EGLBoolean pEglQueryDevices(EGLint max, EglDevice *out, EGLint *n);
const char *pEglDeviceString(EglDevice d, EGLint name);
EGLBoolean pEglDeviceAttrib(EglDevice d, EGLint name, EGLAttrib *out);
EglDisplay pEglDisplay(EGLenum platform, EglDevice native);
EGLBoolean pEglInitialize(EglDisplay d, EGLint *major, EGLint *minor);
EGLBoolean pEglTerminate(EglDisplay d);
EGLBoolean pEglChooseConfig(EglDisplay d, EglConfig *out, EGLint *n);
// version 0: whatever the driver gives. debug asks for a debug context.
EglContext pEglCreateContext(EglDisplay d, EglConfig c, int major, int minor, int debug);
EGLBoolean pEglDestroyContext(EglDisplay d, EglContext c);
EGLBoolean pEglMakeCurrent(EglDisplay d, EglContext c);
EglContext pEglCurrent(void);

#endif
