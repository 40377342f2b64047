import type { SecondFactorStep } from '@waybill/contract/accounts/second-factor'
import { ApiError } from '../../../lib/api.ts'

/** The step that staff must complete after the password; null for any other error. */
export function secondFactorStep(error: unknown): SecondFactorStep | null {
  if (!(error instanceof ApiError) || error.code !== 'second_factor') return null
  const { ticket, step } = error.details
  return { ticket: String(ticket), step: step === 'setup' ? 'setup' : 'code' }
}
