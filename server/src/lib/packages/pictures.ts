/**
 * The library that reads and writes pictures, loaded at its first use: its native code is a tenth of an idle server's
 * memory.
 */
import type sharp from 'sharp'

let loading: Promise<typeof sharp> | undefined

/** `sharp` with one thread per picture, so that uploads do not take the processor from requests. */
export function loadSharp(): Promise<typeof sharp> {
  loading ??= import('sharp').then(({ default: library }) => {
    library.cache(false)
    library.concurrency(1)
    return library
  })
  return loading
}
