import { useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { notifyProblem } from './use-send.ts'

/**
 * The version with which a form saves a record. After a version conflict the form keeps the user's input and takes
 * over the current version: saving again is then deliberate, as `SaveDialog` says (`conflict`). `record` is null for a
 * new one.
 */
export function useRecordVersion<R extends { version: number }>(record: R | null, load: (record: R) => Promise<R>) {
  const [version, setVersion] = useState(record?.version ?? 0)
  const [conflict, setConflict] = useState(false)
  /** For the form's `onError`. */
  function onError(error: unknown): boolean {
    if (!record || !(error instanceof ApiError) || error.code !== 'version_conflict') return false
    setConflict(true)
    load(record).then((present) => setVersion(present.version), notifyProblem)
    return true
  }
  /** Takes over a newer record, whose values the form has now. */
  function follow(newer: R): void {
    setVersion(newer.version)
    setConflict(false)
  }
  return { version, conflict, onError, follow }
}
