import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * A package that is loaded at the first call. Most processes never print a page or write a spreadsheet; loaded at the
 * start, these packages would be a fifth of an idle server's memory (test/runtime/idle-modules.test.ts).
 */
export function lazyPackage<T>(name: string): () => T {
  let loaded: T | undefined
  return () => {
    loaded ??= require(name) as T
    return loaded
  }
}
