import type { Schema } from '@waybill/contract/ground/endpoint'
import { fieldLabel, toFieldErrors } from '@waybill/contract/ground/validation'
import { type FormEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { ApiError } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { notify } from '../feedback/notify.tsx'
import { type SendOptions, useSend } from '../feedback/use-send.ts'
import { afterPress } from './after-press.ts'
import { type Draft, forgetDraft, keepDraft, readDraft } from './drafts.ts'
import { type Path, requiredIn, type ValueAt, valueAt, withValue } from './paths.ts'

/** What a field component needs; made by `form.field(path)`. */
export type FieldBinding<V> = {
  id: string
  /** Dotted path in the form's values: the input's name. */
  path: string
  value: V
  onChange: (value: V) => void
  onBlur: () => void
  /** In the present language; absent while there is nothing to say. */
  error: string | undefined
  /**
   * Where `error` says that a number is too small or too large: the limit, for a field that shows it in other units
   * than it stores.
   */
  limit?: Limit | undefined
  required: boolean
  label: string
}

export type Limit = { rule: 'min' | 'max'; value: number }

type Options<S extends Schema, V extends object, T> = SendOptions<[z.output<S>], T> & {
  schema: S
  initial: V
  /** From what stands in the fields to what the schema reads; by default the same. */
  prepare?: (values: V) => unknown
  /** Sends the parsed value. Field errors are shown at their fields, any other error in the error dialog. */
  onSubmit: (value: z.output<S>, values: V) => Promise<T> | T
  /** Keeps what is typed in local storage under this name until it is submitted. */
  draftKey?: string
  /** What was kept is offered (`form.draft`), not taken over by itself. */
  offersDraft?: boolean
  /** Fields that are never kept. */
  secret?: readonly Path<V>[]
}

export type ContractForm<V extends object> = {
  values: V
  field: <P extends Path<V>>(path: P, label?: string) => FieldBinding<ValueAt<V, P>>
  set: <P extends Path<V>>(path: P, value: ValueAt<V, P>) => void
  /** `field` and `set` for a path that its type cannot follow, as from a table of fields. The caller names the type. */
  fieldAt: <T>(path: string, label?: string) => FieldBinding<T>
  setAt: (path: string, value: unknown) => void
  /** Changes a field by what stands there then: for what ends in any order, as uploads do. */
  change: <K extends keyof V & string>(name: K, to: (present: V[K]) => V[K]) => void
  /** Changes several fields at once. */
  patch: (values: Partial<V>) => void
  /** The same for what the form finds out by itself: that alone is nothing to keep. */
  fillIn: (values: Partial<V>) => void
  /** What was kept of an earlier visit: restored in the fields already, or waiting for `takeDraft`. */
  draft: (Draft<V> & { restored: boolean }) | null
  takeDraft: () => void
  /** Forgets it; where it was restored the form begins anew. Answers what stands in the fields then. */
  dropDraft: () => V
  /** Back to the beginning, or to other values; forgets the draft. */
  reset: (values?: V) => void
  submit: () => Promise<void>
  submitting: boolean
  /** Whether something was typed since the beginning. */
  dirty: boolean
  /** For the form element: `<form {...form.props}>`. */
  props: { ref: React.RefObject<HTMLFormElement | null>; noValidate: true; onSubmit: (event: FormEvent) => void }
}

/**
 * A form over a contract schema: rules, labels and messages come from the contract and the locale files. Validates a
 * field when it is left and all of them on submit, focuses the first wrong one, and puts a 422 answer's entries at
 * their fields.
 */
export function useContractForm<S extends Schema, V extends object, T = unknown>(
  options: Options<S, V, T>,
): ContractForm<V> {
  const { schema, initial, prepare, draftKey, onSubmit, ...sendOptions } = options
  const t = useT()
  const formId = useId()
  const element = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState<ContractForm<V>['draft']>(() => {
    const kept = draftKey === undefined ? null : readDraft(draftKey, initial)
    return kept && { ...kept, restored: !options.offersDraft }
  })
  const [values, setValues] = useState<V>(() => (draft?.restored ? draft.values : initial))
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [told, setTold] = useState<Readonly<Record<string, string>>>({})
  const [tried, setTried] = useState(false)
  const [focusWanted, setFocusWanted] = useState(0)
  const start = useRef(initial)
  /** States of the fields that nobody has typed in: there is nothing to keep. */
  const untouched = useRef(new WeakSet<V>([values]))
  /** Keeps what was typed in the last moments; null once that is done. */
  const unkept = useRef<(() => void) | null>(null)

  const parsed = useMemo(
    () => schema.safeParse(prepare ? prepare(values) : values, { reportInput: true }),
    [schema, prepare, values],
  )
  const wrong = useMemo((): Readonly<Record<string, { message: string; limit: Limit | undefined }>> => {
    if (parsed.success) return {}
    const { issues } = parsed.error
    return Object.fromEntries(
      toFieldErrors(issues, t).map(({ field, message }) => [field, { message, limit: limitOf(issues, field) }]),
    )
  }, [parsed, t])

  useEffect(() => {
    if (draftKey === undefined || untouched.current.has(values)) return
    const keep = () => {
      // Submitted or reset meanwhile.
      if (unkept.current !== keep) return
      unkept.current = null
      keepDraft(draftKey, values, options.secret ?? [])
    }
    unkept.current = keep
    const timer = setTimeout(keep, 300)
    return () => clearTimeout(timer)
  }, [draftKey, values, options.secret])

  // Whoever reloads or leaves right after the last letter finds that letter again.
  useEffect(() => {
    const keepNow = () => unkept.current?.()
    window.addEventListener('pagehide', keepNow)
    return () => {
      window.removeEventListener('pagehide', keepNow)
      keepNow()
    }
  }, [])

  useEffect(() => {
    if (focusWanted > 0)
      element.current?.querySelector<HTMLElement>('[aria-invalid="true"]:not([type="hidden"])')?.focus()
  }, [focusWanted])

  const wrongAt = (path: string) => (told[path] === undefined && (tried || left.has(path)) ? wrong[path] : undefined)

  function change(path: string, value: unknown) {
    setValues((present) => withValue(present, path, value))
    setTold(({ [path]: _gone, ...others }) => others)
  }

  /** Puts the entries of a 422 answer at their fields. False: the answer has none, or names only other fields. */
  function placeErrors(error: unknown): boolean {
    if (sendOptions.onError?.(error)) return true
    if (!(error instanceof ApiError) || error.errors.length === 0) return false
    const names = fieldNamesIn(element.current)
    setTold(Object.fromEntries(error.errors.map(({ field, message }) => [field, message])))
    const elsewhere = error.errors.filter(({ field }) => !names.has(field))
    if (elsewhere.length > 0) notify.error(elsewhere.map(({ message }) => message).join('\n'))
    else setFocusWanted((count) => count + 1)
    return true
  }

  const sending = useSend((value: z.output<S>) => onSubmit(value, values), {
    ...sendOptions,
    onSuccess: async (result: T) => {
      await sendOptions.onSuccess?.(result)
      forget()
    },
    onError: placeErrors,
  })

  async function submit() {
    if (sending.pending) return
    setTried(true)
    setTold({})
    if (parsed.success) await sending.send(parsed.data as z.output<S>)
    else setFocusWanted((count) => count + 1)
  }

  function reset(next: V = start.current) {
    start.current = next
    untouched.current.add(next)
    setValues(next)
    setLeft(new Set())
    setTold({})
    setTried(false)
    forget()
  }

  function forget() {
    unkept.current = null
    setDraft(null)
    if (draftKey !== undefined) forgetDraft(draftKey)
  }

  function fillIn(some: Partial<V>) {
    setValues((present) => {
      const next = { ...present, ...some }
      if (untouched.current.has(present)) untouched.current.add(next)
      return next
    })
  }

  function takeDraft() {
    if (!draft) return
    setValues(draft.values)
    setDraft({ ...draft, restored: true })
  }

  function dropDraft(): V {
    if (draft?.restored) {
      reset()
      return start.current
    }
    setDraft(null)
    // Whoever has typed meanwhile has a draft of their own there.
    if (draftKey !== undefined && untouched.current.has(values)) forgetDraft(draftKey)
    return values
  }

  const fieldAt = <F>(path: string, label?: string): FieldBinding<F> => ({
    id: `${formId}-${path}`,
    path,
    value: valueAt(values, path) as F,
    onChange: (value) => change(path, value),
    onBlur: () => afterPress(() => setLeft((paths) => (paths.has(path) ? paths : new Set([...paths, path])))),
    error: told[path] ?? wrongAt(path)?.message,
    limit: wrongAt(path)?.limit,
    required: requiredIn(schema, path),
    label: label ?? fieldLabel(path, t),
  })

  return {
    values,
    field: fieldAt,
    set: change,
    fieldAt,
    setAt: change,
    change: (name, to) => setValues((present) => ({ ...present, [name]: to(present[name]) })),
    patch: (some) => setValues((present) => ({ ...present, ...some })),
    fillIn,
    draft,
    takeDraft,
    dropDraft,
    reset,
    submit,
    submitting: sending.pending,
    dirty: values !== start.current,
    props: {
      ref: element,
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault()
        // A form in a dialog that stands inside another form's tree must not submit both.
        event.stopPropagation()
        void submit()
      },
    },
  }
}

function fieldNamesIn(form: HTMLFormElement | null): ReadonlySet<string | null> {
  return new Set([...(form?.querySelectorAll('[name]') ?? [])].map((input) => input.getAttribute('name')))
}

function limitOf(issues: readonly z.core.$ZodIssue[], field: string): Limit | undefined {
  const issue = issues.find(({ path }) => path.map(String).join('.') === field)
  if (issue?.code === 'too_small' && issue.origin !== 'string') return { rule: 'min', value: Number(issue.minimum) }
  if (issue?.code === 'too_big' && issue.origin !== 'string') return { rule: 'max', value: Number(issue.maximum) }
  return undefined
}
