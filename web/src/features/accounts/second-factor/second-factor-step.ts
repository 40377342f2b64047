import type { SecondFactorStep } from '@waybill/contract/accounts/second-factor'
import { ApiError } from '../../../lib/api.ts'

/** What the sign-in of staff asks for after the password; null where the error is about something else. */
export function secondFactorStep(error: unknown): SecondFactorStep | null {
  if (!(error instanceof ApiError) || error.code !== 'second_factor') return null
  const { ticket, step } = error.details
  return { ticket: String(ticket), step: step === 'setup' ? 'setup' : 'code' }
}
