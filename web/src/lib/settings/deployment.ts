import type { GeneralSettings } from '@waybill/contract/settings/settings'
import { useSyncExternalStore } from 'react'

/*
 * The deployment's settings for components that only display them: names, logos, numbers. The store (`session.ts`)
 * updates them. The public tracking page has no store and works without them.
 */
let present: GeneralSettings | null = null
const listeners = new Set<() => void>()

export function setDeployment(settings: GeneralSettings | null): void {
  if (settings === present) return
  present = settings
  for (const listener of listeners) listener()
}

/** Calls the listener after every change. Returns a function that unsubscribes. */
export function onDeployment(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The general settings, or null before they are loaded. */
export function presentDeployment(): GeneralSettings | null {
  return present
}

/** The general settings, or null before they are loaded. */
export function useDeployment(): GeneralSettings | null {
  return useSyncExternalStore(onDeployment, presentDeployment)
}
