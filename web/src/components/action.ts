import { useRef, useState } from 'react'
import { notify } from './notify.tsx'

/**
 * What a button does: `const pay = useAction(async () => …)`, then `<Button onClick={pay.run} loading={pay.running}>`.
 * Runs once at a time, however often it is pressed; what it throws is told by `notify`.
 */
export function useAction<A extends readonly unknown[]>(
  work: (...args: A) => Promise<void>,
  /** True: the error is dealt with, and nothing more is told. */
  onError?: (error: unknown) => boolean,
) {
  const [running, setRunning] = useState(false)
  const busy = useRef(false)
  async function run(...args: A): Promise<void> {
    if (busy.current) return
    busy.current = true
    setRunning(true)
    try {
      await work(...args)
    } catch (error) {
      if (!onError?.(error)) notify.problem(error)
    } finally {
      busy.current = false
      setRunning(false)
    }
  }
  return { run, running }
}
