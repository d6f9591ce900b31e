/* bcryptprimitives.dll for tests under a Wine that lacks it (before version 9): the one function of it that
 * Rust's standard library calls, over the one that every Windows has had since XP.
 * https://learn.microsoft.com/en-us/windows/win32/api/ntsecapi/nf-ntsecapi-rtlgenrandom (SystemFunction036) */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length)
{
    return RtlGenRandom(data, (ULONG)length);
}
