import type { Schema } from '@waybill/contract/ground/endpoint'
import { useEffect, useState } from 'react'
import { useRecordVersion } from '../feedback/use-record-version.ts'
import { useContractForm } from './contract-form.ts'
import { useUnsavedGuard } from './use-unsaved-guard.ts'

type FormOptions<S extends Schema, V extends object, T> = Parameters<typeof useContractForm<S, V, T>>[0]

type Options<S extends Schema, R, V extends object, T> = Omit<FormOptions<S, V, T>, 'initial' | 'onError'> & {
  /** The saved record. While the user has unsaved input, a newer one does not replace it. */
  record: R
  load: () => Promise<R>
  initial: V
}

/**
 * The form of a record with a version, as a part of a page. After a version conflict it keeps the user's input, and
 * `conflict` is true until the next save, which is deliberate. Leaving the page with unsaved input asks first.
 */
export function useRecordForm<
  S extends Schema,
  R extends { version: number },
  V extends { version: number },
  T = unknown,
>({ record, load, initial, ...options }: Options<S, R, V, T>) {
  const { version, conflict, onError, follow } = useRecordVersion(record, load)
  const [isSaved, setSaved] = useState(false)
  const { prepare = (values: V): unknown => values } = options
  const form = useContractForm<S, V, T>({
    ...(options as FormOptions<S, V, T>),
    initial,
    prepare: (values) => prepare({ ...values, version }),
    onSuccess: async (...saved) => {
      await options.onSuccess?.(...saved)
      setSaved(true)
    },
    onError,
  })
  useUnsavedGuard(form.dirty && !form.submitting && !isSaved)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form and its initial values are new in each render
  useEffect(() => {
    if (form.dirty && !isSaved) return
    setSaved(false)
    follow(record)
    form.reset(initial)
  }, [record.version, isSaved])
  return { ...form, conflict }
}
