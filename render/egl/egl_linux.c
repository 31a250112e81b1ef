// SPDX-License-Identifier: Apache-2.0

//go:build linux

#include "egl_linux.h"

#include <dlfcn.h>
#include <stddef.h>

typedef void (*proc)(void);

static struct {
	proc (*getProcAddress)(const char *);
	EGLint (*getError)(void);
	const char *(*queryString)(EglDisplay, EGLint);
	EGLBoolean (*initialize)(EglDisplay, EGLint *, EGLint *);
	EGLBoolean (*terminate)(EglDisplay);
	EGLBoolean (*bindAPI)(EGLenum);
	EGLBoolean (*chooseConfig)(EglDisplay, const EGLint *, EglConfig *, EGLint, EGLint *);
	EglContext (*createContext)(EglDisplay, EglConfig, EglContext, const EGLint *);
	EGLBoolean (*destroyContext)(EglDisplay, EglContext);
	EGLBoolean (*makeCurrent)(EglDisplay, uintptr_t, uintptr_t, EglContext);
	EglContext (*getCurrentContext)(void);
	// extensions: used only when their names are announced
	EglDisplay (*getPlatformDisplay)(EGLenum, EglDevice, const EGLint *);
	EGLBoolean (*queryDevices)(EGLint, EglDevice *, EGLint *);
	const char *(*queryDeviceString)(EglDevice, EGLint);
	EGLBoolean (*queryDeviceAttrib)(EglDevice, EGLint, EGLAttrib *);
} egl;

#define LOAD(field, name)                                \
	do {                                                 \
		*(void **)&egl.field = dlsym(lib, name);         \
		if (!egl.field) return "libEGL.so.1 lacks " name; \
	} while (0)

const char *pEglOpen(void) {
	void *lib = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!lib) return dlerror();
	LOAD(getProcAddress, "eglGetProcAddress");
	LOAD(getError, "eglGetError");
	LOAD(queryString, "eglQueryString");
	LOAD(initialize, "eglInitialize");
	LOAD(terminate, "eglTerminate");
	LOAD(bindAPI, "eglBindAPI");
	LOAD(chooseConfig, "eglChooseConfig");
	LOAD(createContext, "eglCreateContext");
	LOAD(destroyContext, "eglDestroyContext");
	LOAD(makeCurrent, "eglMakeCurrent");
	LOAD(getCurrentContext, "eglGetCurrentContext");
	*(proc *)&egl.getPlatformDisplay = egl.getProcAddress("eglGetPlatformDisplayEXT");
	*(proc *)&egl.queryDevices = egl.getProcAddress("eglQueryDevicesEXT");
	*(proc *)&egl.queryDeviceString = egl.getProcAddress("eglQueryDeviceStringEXT");
	*(proc *)&egl.queryDeviceAttrib = egl.getProcAddress("eglQueryDeviceAttribEXT");
	return NULL;
}

void *pEglProc(const char *name) { return *(void **)&(proc){egl.getProcAddress(name)}; }
EGLint pEglError(void) { return egl.getError(); }
const char *pEglQueryString(EglDisplay d, EGLint name) { return egl.queryString(d, name); }

EGLBoolean pEglQueryDevices(EGLint max, EglDevice *out, EGLint *n) {
	return egl.queryDevices && egl.queryDevices(max, out, n);
}

const char *pEglDeviceString(EglDevice d, EGLint name) {
	return egl.queryDeviceString ? egl.queryDeviceString(d, name) : NULL;
}

EGLBoolean pEglDeviceAttrib(EglDevice d, EGLint name, EGLAttrib *out) {
	return egl.queryDeviceAttrib && egl.queryDeviceAttrib(d, name, out);
}

EglDisplay pEglDisplay(EGLenum platform, EglDevice native) {
	return egl.getPlatformDisplay ? egl.getPlatformDisplay(platform, native, NULL) : 0;
}

EGLBoolean pEglInitialize(EglDisplay d, EGLint *major, EGLint *minor) { return egl.initialize(d, major, minor); }
EGLBoolean pEglTerminate(EglDisplay d) { return egl.terminate(d); }

EGLBoolean pEglChooseConfig(EglDisplay d, EglConfig *out, EGLint *n) {
	// EGL_SURFACE_TYPE 0: any config will do, as there is no surface. EGL_RENDERABLE_TYPE EGL_OPENGL_BIT.
	static const EGLint want[] = {0x3033, 0, 0x3040, 0x0008, 0x3038};
	return egl.chooseConfig(d, want, out, 1, n);
}

EglContext pEglCreateContext(EglDisplay d, EglConfig c, int major, int minor, int debug) {
	if (!egl.bindAPI(0x30A2)) return 0; // EGL_OPENGL_API, per thread
	// CONTEXT_MAJOR_VERSION, CONTEXT_MINOR_VERSION, PROFILE_MASK core, then CONTEXT_FLAGS_KHR debug or the end
	const EGLint attribs[] = {0x3098, major, 0x30FB, minor, 0x30FD, 1, debug ? 0x30FC : 0x3038, 1, 0x3038};
	static const EGLint none[] = {0x3038};
	return egl.createContext(d, c, 0, major ? attribs : none);
}

EGLBoolean pEglDestroyContext(EglDisplay d, EglContext c) { return egl.destroyContext(d, c); }

EGLBoolean pEglMakeCurrent(EglDisplay d, EglContext c) {
	egl.bindAPI(0x30A2); // what "current" means is per thread and per API
	return egl.makeCurrent(d, 0, 0, c);
}

EglContext pEglCurrent(void) { return egl.getCurrentContext(); }
