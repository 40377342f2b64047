import { mailProofCode, type ProvenStep } from '@waybill/contract/accounts/proof'
import type { TestApp } from '../app.ts'
import { latestCode } from './newcomers.ts'

/** Requests the code of a step, and reads it from the mail: the proof of a user without a password. */
export async function readMailedProof(
  test: TestApp,
  { token, email }: { token: string; email: string },
  step: ProvenStep,
): Promise<{ code: string; browserToken: string }> {
  const { browserToken } = (await test.call(mailProofCode, { token, body: { step } })).body
  await test.settle()
  return { code: await latestCode(test, email), browserToken }
}
