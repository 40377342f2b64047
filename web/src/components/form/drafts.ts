/** Form input, kept in local storage for its user until it is submitted. Survives a session that ends meanwhile. */
import { useEffect, useRef, useState } from 'react'
import { local } from '../../lib/browser/storage.ts'
import { sessionStore } from '../../lib/session.ts'

/** Unsubmitted values and when they were stored. */
export type Draft<V> = { keptAt: string; values: V }

/** Per user, because colleagues share a computer. */
const getStorageKey = (key: string) => `draft:${sessionStore.getState().auth.user?.id ?? 'visitor'}:${key}`

/** The draft under this key merged into the initial values, so that a field added since then has a value. */
export function readDraft<V extends object>(key: string, initial: V): Draft<V> | null {
  const json = local.get(getStorageKey(key))
  if (!json) return null
  try {
    const { keptAt, values } = JSON.parse(json) as Partial<Draft<Partial<V>>>
    if (typeof keptAt !== 'string' || typeof values !== 'object' || values === null) return null
    return { keptAt, values: { ...initial, ...values } }
  } catch {
    return null
  }
}

/** Stores the values as a draft, without the fields named in `secret`. */
export function keepDraft(key: string, values: object, secret: readonly string[]): void {
  const draftValues = Object.fromEntries(Object.entries(values).filter(([name]) => !secret.includes(name)))
  local.set(
    getStorageKey(key),
    JSON.stringify({ keptAt: new Date().toISOString(), values: draftValues } satisfies Draft<object>),
  )
}

export function forgetDraft(key: string): void {
  local.remove(getStorageKey(key))
}

/** A draft of an earlier visit. `restored`: it is already in the fields; otherwise it is only offered. */
export type FormDraft<V> = Draft<V> & { restored: boolean }

type Options<V> = {
  initial: V
  draftKey?: string | undefined
  offersDraft?: boolean | undefined
  secret?: readonly string[] | undefined
}

/** The values of a form, with its draft if it has a `draftKey`. */
export function useDraftedValues<V extends object>({ initial, draftKey, offersDraft = false, secret }: Options<V>) {
  const [draft, setDraft] = useState<FormDraft<V> | null>(() => {
    const draft = draftKey === undefined ? null : readDraft(draftKey, initial)
    return draft && { ...draft, restored: !offersDraft }
  })
  const [values, setValues] = useState<V>(() => (draft?.restored ? draft.values : initial))
  const start = useRef(initial)
  /** The user has not typed anything, so nothing must be stored. */
  const loadedValues = useRef(new WeakSet<V>([values]))
  /** Stores recent input; null once that is done. */
  const unkept = useRef<(() => void) | null>(null)

  useEffect(() => {
    if (draftKey === undefined || loadedValues.current.has(values)) return
    const keep = () => {
      // Submitted or reset meanwhile.
      if (unkept.current !== keep) return
      unkept.current = null
      keepDraft(draftKey, values, secret ?? [])
    }
    unkept.current = keep
    const timer = setTimeout(keep, 300)
    return () => clearTimeout(timer)
  }, [draftKey, values, secret])

  // Without this, a reload directly after the last keystroke would lose it.
  useEffect(() => {
    const keepNow = () => unkept.current?.()
    window.addEventListener('pagehide', keepNow)
    return () => {
      window.removeEventListener('pagehide', keepNow)
      keepNow()
    }
  }, [])

  function forget() {
    unkept.current = null
    setDraft(null)
    if (draftKey !== undefined) forgetDraft(draftKey)
  }

  return {
    values,
    setValues,
    dirty: values !== start.current,
    draft,
    forget,
    /** Values that the form looks up itself. They alone do not create a draft. */
    fillIn: (some: Partial<V>) =>
      setValues((present) => {
        const next = { ...present, ...some }
        if (loadedValues.current.has(present)) loadedValues.current.add(next)
        return next
      }),
    /** Resets the form to the given or the original values, and returns them. */
    reset: (next: V = start.current): V => {
      start.current = next
      loadedValues.current.add(next)
      setValues(next)
      forget()
      return next
    },
    takeDraft: () => {
      if (!draft) return
      setValues(draft.values)
      setDraft({ ...draft, restored: true })
    },
    /** Deletes an offered draft, but not the user's new input. */
    dropOffered: () => {
      setDraft(null)
      if (draftKey !== undefined && loadedValues.current.has(values)) forgetDraft(draftKey)
    },
  }
}
