import type { Schema } from '@waybill/contract/ground/endpoint'
import type { FieldError } from '@waybill/contract/ground/errors'
import { fieldLabel, toFieldErrors } from '@waybill/contract/ground/validation'
import { type FormEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { ApiError } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { notify } from '../feedback/notify.tsx'
import { type SendOptions, useSend } from '../feedback/use-send.ts'
import { afterPress } from './after-press.ts'
import { type FormDraft, useDraftedValues } from './drafts.ts'
import { isCovered } from './is-covered.ts'
import { isRequired, type Path, type ValueAt, valueAt, withValue } from './paths.ts'

/** The data of a field component; created by `form.field(path)`. */
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
   * The limit if `error` says that a number is too small or too large. A field that displays other units than it
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
  /**
   * `field` and `set` for a path that its type cannot express, as from a table of fields. The caller names the type.
   */
  fieldAt: <T>(path: string, label?: string) => FieldBinding<T>
  setAt: (path: string, value: unknown) => void
  /** Changes a field based on its current value, for work that finishes in any order, such as uploads. */
  change: <K extends keyof V & string>(name: K, to: (present: V[K]) => V[K]) => void
  /** Changes several fields at once. */
  patch: (values: Partial<V>) => void
  /** Like `patch`, for values that the form looks up: they alone are no reason to keep a draft. */
  fillIn: (values: Partial<V>) => void
  /** The draft of an earlier visit: already restored, or waiting for `takeDraft`. */
  draft: FormDraft<V> | null
  takeDraft: () => void
  /** Deletes the draft, and resets the form if it was restored. Returns the resulting values. */
  dropDraft: () => V
  /** Resets to the initial or to other values, and deletes the draft. Returns the new values. */
  reset: (values?: V) => V
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
  const { schema, initial, prepare, draftKey, offersDraft, secret, onSubmit, ...sendOptions } = options
  const t = useT()
  const formId = useId()
  const element = useRef<HTMLFormElement>(null)
  const entry = useDraftedValues<V>({ initial, draftKey, offersDraft, secret })
  const { values, setValues } = entry

  const parseResult = useMemo(
    () => schema.safeParse(prepare ? prepare(values) : values, { reportInput: true }),
    [schema, prepare, values],
  )
  const wrong = useMemo((): Readonly<Record<string, FieldProblem>> => {
    if (parseResult.success) return {}
    const { issues } = parseResult.error
    return Object.fromEntries(
      toFieldErrors(issues, t).map(({ field, message }) => [field, { message, limit: findLimit(issues, field) }]),
    )
  }, [parseResult, t])
  const errors = useFieldErrors(element, wrong)

  function change(path: string, value: unknown) {
    setValues((present) => withValue(present, path, value))
    errors.clear(path)
  }

  const sending = useSend((value: z.output<S>) => onSubmit(value, values), {
    ...sendOptions,
    onSuccess: async (result: T, value: z.output<S>) => {
      await sendOptions.onSuccess?.(result, value)
      entry.forget()
    },
    onError: (error, value) =>
      sendOptions.onError?.(error, value) || (error instanceof ApiError && errors.place(error.errors)),
  })

  async function submit() {
    if (sending.pending) return
    errors.showAll()
    if (parseResult.success) await sending.send(parseResult.data as z.output<S>)
    else errors.focusFirst()
  }

  function reset(next?: V): V {
    errors.reset()
    return entry.reset(next)
  }

  const fieldAt = <F>(path: string, label?: string): FieldBinding<F> => ({
    id: `${formId}-${path}`,
    path,
    value: valueAt(values, path) as F,
    onChange: (value) => change(path, value),
    onBlur: () => errors.show(path),
    error: nameField(errors.at(path)?.message, label, () => fieldLabel(path, t)),
    limit: errors.at(path)?.limit,
    required: isRequired(schema, path),
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
    fillIn: entry.fillIn,
    draft: entry.draft,
    takeDraft: entry.takeDraft,
    dropDraft: () => {
      if (entry.draft?.restored) return reset()
      entry.dropOffered()
      return values
    },
    reset,
    submit,
    submitting: sending.pending,
    dirty: entry.dirty,
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

type FieldProblem = { message: string; limit?: Limit | undefined }

/**
 * Which problems are shown: those of fields that were left, after a submit all of them, and the server's until the
 * field is changed. `wrong` has the problems of the current values by path.
 */
function useFieldErrors(form: React.RefObject<HTMLFormElement | null>, wrong: Readonly<Record<string, FieldProblem>>) {
  const [visitedPaths, setVisitedPaths] = useState<ReadonlySet<string>>(new Set())
  const [serverErrors, setServerErrors] = useState<Readonly<Record<string, string>>>({})
  const [hasSubmitted, setHasSubmitted] = useState(false)
  const [focusRequests, setFocusRequests] = useState(0)

  // The invalid field is marked by the render before this effect.
  useEffect(() => {
    if (focusRequests > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]:not([type="hidden"])')?.focus()
  }, [focusRequests, form])

  const focusFirst = () => setFocusRequests((count) => count + 1)
  return {
    at: (path: string): FieldProblem | undefined => {
      const message = serverErrors[path]
      if (message !== undefined) return { message }
      return hasSubmitted || visitedPaths.has(path) ? wrong[path] : undefined
    },
    show: (path: string) => {
      // A dialog took the focus: the user comes back to the field.
      if (form.current && isCovered(form.current)) return
      afterPress(() => setVisitedPaths((paths) => (paths.has(path) ? paths : new Set([...paths, path]))))
    },
    showAll: () => {
      setHasSubmitted(true)
      setServerErrors({})
    },
    focusFirst,
    clear: (path: string) => setServerErrors(({ [path]: _, ...others }) => others),
    reset: () => {
      setVisitedPaths(new Set())
      setServerErrors({})
      setHasSubmitted(false)
    },
    /** Shows the entries of a 422 response at their fields, and those without a field in the error dialog. */
    place: (entries: readonly FieldError[]): boolean => {
      if (entries.length === 0) return false
      const inputs = form.current?.querySelectorAll<HTMLInputElement>('[name]') ?? []
      const names = new Set([...inputs].map((input) => input.getAttribute('name')))
      setServerErrors(Object.fromEntries(entries.map(({ field, message }) => [field, message])))
      const elsewhere = entries.filter(({ field }) => !names.has(field))
      if (elsewhere.length > 0) notify.error(elsewhere.map(({ message }) => message).join('\n'))
      else focusFirst()
      return true
    },
  }
}

function findLimit(issues: readonly z.core.$ZodIssue[], field: string): Limit | undefined {
  const issue = issues.find(({ path }) => path.map(String).join('.') === field)
  if (issue?.code === 'too_small' && issue.origin !== 'string') return { rule: 'min', value: Number(issue.minimum) }
  if (issue?.code === 'too_big' && issue.origin !== 'string') return { rule: 'max', value: Number(issue.maximum) }
  return undefined
}

/**
 * Messages begin with the name of the field in the contract, but the user looks for the label. The same word inside a
 * sentence stays: "The PIN is incorrect." The name is looked up for a message only: a field with a label may have none,
 * and a page would wait for all texts to find out.
 */
function nameField(message: string | undefined, label: string | undefined, getName: () => string): string | undefined {
  if (message === undefined || label === undefined) return message
  const name = getName()
  return message.startsWith(name) ? label + message.slice(name.length) : message
}
