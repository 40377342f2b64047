import { useSyncExternalStore } from 'react'
import { local } from './storage.ts'

/*
 * The colour scheme. `public/scheme.js` applies the saved scheme before the first paint and reads the same key. This
 * module applies later changes. Pages with Mantine use it through `provider.tsx`, the others directly.
 */

/** Light, dark, or the setting of the operating system. */
export type Scheme = 'light' | 'dark' | 'auto'

const storageKey = 'scheme'
const system = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<(scheme: Scheme) => void>()
let selection: Scheme = savedScheme()

function savedScheme(): Scheme {
  const savedName = local.get(storageKey)
  return savedName === 'light' || savedName === 'dark' ? savedName : 'auto'
}

function paint(): void {
  const dark = selection === 'dark' || (selection === 'auto' && system.matches)
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light'
}

system.addEventListener('change', paint)

export function currentScheme(): Scheme {
  return selection
}

export function setScheme(scheme: Scheme): void {
  selection = scheme
  if (scheme === 'auto') local.remove(storageKey)
  else local.set(storageKey, scheme)
  paint()
  for (const listener of listeners) listener(scheme)
}

export function onScheme(listener: (scheme: Scheme) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useScheme(): Scheme {
  return useSyncExternalStore(onScheme, currentScheme)
}
