import type { GeneralSettings } from '@waybill/contract/settings/settings'
import { useSyncExternalStore } from 'react'

/*
 * The deployment's settings for whatever only shows them: names, logos, figures. The store (`session.ts`) keeps them
 * and tells here; the public tracking page, which has neither settings nor store, does without.
 */
let present: GeneralSettings | null = null
const listeners = new Set<() => void>()

export function setDeployment(settings: GeneralSettings | null): void {
  if (settings === present) return
  present = settings
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The general settings, or null before they have come. */
export function useDeployment(): GeneralSettings | null {
  return useSyncExternalStore(subscribe, () => present)
}
