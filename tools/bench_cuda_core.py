#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures cuda.core's GraphicsResource, to stand beside `go test -bench BenchmarkMap ./interop`.

One OpenGL buffer of 16 MiB with immutable storage, in a context without a window (EGL), registered write-discard: map
and unmap it on a non-blocking stream, eight of them one by one, and register and close. Each number is the median of
rounds. Needs Python 3.10, cuda-core 1.x (pip install "cuda-core[cu12]" or [cu13]) and an NVIDIA GPU with EGL.

    python3 tools/bench_cuda_core.py [--seconds 1.0]
"""

import argparse
import ctypes
import statistics
import sys
import time

SIZE = 16 << 20
EGL_NONE = 0x3038


def gl_context(ordinal):
    """Makes a context on the EGL device of that CUDA ordinal current; returns what finds OpenGL's functions."""
    egl = ctypes.CDLL("libEGL.so.1")
    egl.eglGetProcAddress.restype = ctypes.c_void_p

    def proc(name, restype, *argtypes):
        address = egl.eglGetProcAddress(name.encode())
        if not address:
            sys.exit(f"EGL lacks {name}")
        return ctypes.CFUNCTYPE(restype, *argtypes)(address)

    p, i = ctypes.c_void_p, ctypes.c_int
    query = proc("eglQueryDevicesEXT", ctypes.c_uint, i, p, p)
    attribute = proc("eglQueryDeviceAttribEXT", ctypes.c_uint, p, i, p)
    platform_display = proc("eglGetPlatformDisplayEXT", p, ctypes.c_uint, p, p)
    devices, count = (p * 32)(), i()
    query(32, devices, ctypes.byref(count))
    chosen = devices[0]
    for device in devices[: count.value]:
        number = ctypes.c_ssize_t(-1)
        if attribute(device, 0x323A, ctypes.byref(number)) and number.value == ordinal:  # EGL_CUDA_DEVICE_NV
            chosen = device
            break
    egl.eglInitialize.argtypes = [p, p, p]
    egl.eglChooseConfig.argtypes = [p, p, p, i, p]
    egl.eglCreateContext.argtypes = [p, p, p, p]
    egl.eglCreateContext.restype = p
    egl.eglMakeCurrent.argtypes = [p, p, p, p]
    display = platform_display(0x313F, chosen, None)  # EGL_PLATFORM_DEVICE_EXT
    if not display or not egl.eglInitialize(display, None, None):
        sys.exit("EGL does not start on the GPU")
    egl.eglBindAPI(0x30A2)  # EGL_OPENGL_API
    wanted = (i * 5)(0x3033, 0x0001, 0x3040, 0x0008, EGL_NONE)  # pbuffers, OpenGL
    config, found = p(), i()
    egl.eglChooseConfig(display, wanted, ctypes.byref(config), 1, ctypes.byref(found))
    context = egl.eglCreateContext(display, config if found.value else None, None, None)
    if not context or not egl.eglMakeCurrent(display, None, None, context):
        sys.exit("EGL gives no OpenGL context")
    renderer = proc("glGetString", ctypes.c_char_p, ctypes.c_uint)(0x1F01)
    return proc, renderer.decode()


def buffers(proc, n):
    """Makes n buffers with immutable storage."""
    u, p = ctypes.c_uint, ctypes.c_void_p
    generate = proc("glGenBuffers", None, ctypes.c_int, p)
    bind = proc("glBindBuffer", None, u, u)
    storage = proc("glBufferStorage", None, u, ctypes.c_ssize_t, p, u)
    names = (u * n)()
    generate(n, names)
    for name in names:
        bind(0x8892, name)  # GL_ARRAY_BUFFER
        storage(0x8892, SIZE, None, 0x0103)  # dynamic, read, write
    bind(0x8892, 0)
    return list(names)


def measure(what, seconds, once):
    """Prints the median time of a call in microseconds."""
    for _ in range(20):
        once()
    rounds = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        n = 50
        start = time.perf_counter_ns()
        for _ in range(n):
            once()
        rounds.append((time.perf_counter_ns() - start) / n / 1000)
    print(f"{what:<28} {statistics.median(rounds):10.2f} us   ({len(rounds)} rounds)")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each line")
    parser.add_argument("--device", type=int, default=0, help="CUDA ordinal")
    args = parser.parse_args()
    proc, renderer = gl_context(args.device)
    try:
        import cuda.core
        from cuda.core import Device, GraphicsResource
    except ImportError as e:
        sys.exit(f"OpenGL draws on {renderer}, but cuda.core 1.x is missing: {e}")
    device = Device(args.device)
    device.set_current()
    stream = device.create_stream()
    print(f"cuda.core {cuda.core.__version__}, {device.name}, OpenGL on {renderer}, Python {sys.version.split()[0]}")
    names = buffers(proc, 9)
    resources = [GraphicsResource.from_gl_buffer(n, flags="write_discard") for n in names[:8]]

    def one():
        with resources[0].map(stream=stream):
            pass

    def eight():
        for r in resources:
            with r.map(stream=stream):
                pass

    def register():
        GraphicsResource.from_gl_buffer(names[8], flags="write_discard").close()

    measure("map and unmap", args.seconds, one)
    measure("eight, one by one", args.seconds, eight)
    measure("register and close, 16 MiB", args.seconds, register)
    stream.sync()
    for r in resources:
        r.close()


if __name__ == "__main__":
    main()
