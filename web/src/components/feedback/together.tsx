import { type ReactNode, useState } from 'react'
import { useSession } from '../../lib/session.ts'
import { Loading } from './loading.tsx'

type Answer = { isLoading: boolean }

type Props = {
  /** The queries whose answers decide how high the parts are. */
  answers: readonly Answer[]
  children: ReactNode
}

/** Shows the parts of a page together, once their first answers are there: no part is moved by one that comes later. */
export function Together({ answers, children }: Props) {
  const [isComplete, setIsComplete] = useState(false)
  // Afterwards it stays, also if other filters need other answers.
  if (!isComplete && !answers.some(({ isLoading }) => isLoading)) setIsComplete(true)
  return isComplete ? children : <Loading />
}

/** The profile as one of the answers, for parts that depend on a permission. */
export function useProfileAnswer(): Answer {
  return { isLoading: useSession(({ auth }) => auth.permissions.length === 0) }
}
