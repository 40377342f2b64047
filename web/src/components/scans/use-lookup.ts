import { useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

/**
 * Looks up a scanned number without blocking the field. Only the newest scan counts: a late response for an earlier
 * number must not replace it. `find` resolves to null after an error or a newer scan. While `pending`, `result` may
 * belong to an earlier number, so no key may act on it.
 */
export function useLookup<T>(load: (number: string) => Promise<T>, onError: (error: unknown, number: string) => void) {
  const [result, setResult] = useState<T | null>(null)
  const [pending, setPending] = useState(false)
  const newest = useRef('')
  async function find(number: string): Promise<T | null> {
    newest.current = number
    setPending(true)
    try {
      const result = await load(number)
      if (newest.current !== number) return null
      setPending(false)
      setResult(result)
      return result
    } catch (error) {
      if (newest.current !== number) return null
      setPending(false)
      setResult(null)
      onError(error, number)
      return null
    }
  }
  function clear() {
    newest.current = ''
    setPending(false)
    setResult(null)
  }
  return { result, pending, find, clear }
}

/** Looks up the number in `?no=` of a link to this page, as the search box creates them. */
export function useLinkedNumber(find: (number: string) => void): void {
  const { no }: { no?: string } = useSearch({ strict: false })
  const look = useEffectEvent(find)
  useEffect(() => {
    if (no) look(no)
  }, [no])
}
