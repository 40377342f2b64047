import { lastingUserStorage, readStored, type Setter, useStored } from '../../../lib/browser/user-storage.ts'

/** A scanned number that was not reported, with the reason. */
export type OpenNumber = { number: string; text: string }

const openNumbers = 'scan-open'

/** Numbers that need a decision. They survive a sign-out. */
export function useOpenNumbers(): [readonly OpenNumber[], Setter<readonly OpenNumber[]>] {
  return useStored<readonly OpenNumber[]>(lastingUserStorage, openNumbers, [])
}

export function countOpenNumbers(): number {
  return readStored<readonly OpenNumber[]>(lastingUserStorage, openNumbers, []).length
}
