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
  /** In the current language; undefined while the field is valid. */
  error: string | undefined
  /**
   * The limit when `error` says that a number is too small or too large. A field that displays other units than it
   * stores needs it.
   */
  limit?: Limit | undefined
  required: boolean
  label: string
}

export type Limit = { rule: 'min' | 'max'; value: number }

type Options<S extends Schema, V extends object, T> = SendOptions<[z.output<S>], T> & {
  schema: S
  initial: V
  /** Converts the field values to the schema's input; the identity by default. */
  prepare?: (values: V) => unknown
  /** Sends the parsed value. Field errors are shown at their fields, any other error in the error dialog. */
  onSubmit: (value: z.output<S>, values: V) => Promise<T> | T
  /** Keeps a draft in local storage under this name until the form is submitted. */
  draftKey?: string
  /** The draft is offered (`form.draft`) instead of restored automatically. */
  offersDraft?: boolean
  /** Fields that are never stored in the draft. */
  secret?: readonly Path<V>[]
}

export type ContractForm<V extends object> = {
  values: V
  field: <P extends Path<V>>(path: P, label?: string) => FieldBinding<ValueAt<V, P>>
  set: <P extends Path<V>>(path: P, value: ValueAt<V, P>) => void
  /** `field` and `set` for a path that its type cannot follow, as from a table of fields. The caller names the type. */
  fieldAt: <T>(path: string, label?: string) => FieldBinding<T>
  setAt: (path: string, value: unknown) => void
  /** Changes a field from its current value, for work that finishes in any order, such as uploads. */
  change: <K extends keyof V & string>(name: K, to: (present: V[K]) => V[K]) => void
  /** Changes several fields at once. */
  patch: (values: Partial<V>) => void
  /** Like `patch`, for values that the form looks up: they alone are no reason to keep a draft. */
  fillIn: (values: Partial<V>) => void
  /** The draft of an earlier visit: already restored, or waiting for `takeDraft`. */
  draft: (Draft<V> & { restored: boolean }) | null
  takeDraft: () => void
  /** Deletes the draft, and resets the form if it was restored. Returns the resulting values. */
  dropDraft: () => V
  /** Resets to the initial or to other values, and deletes the draft. */
  reset: (values?: V) => void
  submit: () => Promise<void>
  submitting: boolean
  /** Whether the user has changed anything. */
  dirty: boolean
  /** For the form element: `<form {...form.props}>`. */
  props: { ref: React.RefObject<HTMLFormElement | null>; noValidate: true; onSubmit: (event: FormEvent) => void }
}

/**
 * A form for a contract schema: rules, labels and messages come from the contract and the locale files. Validates a
 * field on blur and all fields on submit, focuses the first invalid one, and shows the field errors of a 422.
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
  /** Values without user input: no draft is kept of them. */
  const untouched = useRef(new WeakSet<V>([values]))
  /** Writes the pending draft; null when nothing is pending. */
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
      // Submitted or reset in the meantime.
      if (unkept.current !== keep) return
      unkept.current = null
      keepDraft(draftKey, values, options.secret ?? [])
    }
    unkept.current = keep
    const timer = setTimeout(keep, 300)
    return () => clearTimeout(timer)
  }, [draftKey, values, options.secret])

  // Write the draft when the page is left, so that the last keystrokes are not lost.
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

  /** Shows the field errors of a 422. Returns false if none belongs to a field of this form. */
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
    // If the user has typed in the meantime, the stored draft is theirs.
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
        // A form in a dialog inside another form's React tree must not submit both.
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
