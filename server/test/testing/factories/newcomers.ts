import type { register } from '@waybill/contract/accounts/sign-in'
import type { BodyIn } from '@waybill/contract/ground/endpoint'
import type { ReceivedMail } from '../../../src/demo/peers/mailbox/mailbox.ts'
import type { TestApp } from '../app.ts'

let serial = 0

type Registration = BodyIn<typeof register>

/** A registration with an unused email address. */
export function newcomer(overrides: Partial<Registration> = {}): Registration {
  serial += 1
  return {
    userType: 'customer',
    name: `Newcomer ${serial}`,
    email: `newcomer${serial}@example.test`,
    phone: '+60123456789',
    password: 'correct horse battery',
    acceptTerms: true,
    ...overrides,
  }
}

/** Waits for an email to an address and returns the newest. */
export async function latestMail(test: TestApp, email: string): Promise<ReceivedMail> {
  return test.mailbox.waitFor((mail) => mail.to.includes(email))
}

/** The six digits in an email. */
export function readCode(mail: ReceivedMail): string {
  return /^.*(?:: |：)(\d{6})$/m.exec(mail.text)?.[1] ?? ''
}

/** The code in the newest email that has one: another email, as that of a new device, can arrive after it. */
export async function latestCode(test: TestApp, email: string): Promise<string> {
  return readCode(await test.mailbox.waitFor((mail) => mail.to.includes(email) && readCode(mail) !== ''))
}

/** Six digits that differ from the code. */
export function wrongCode(code: string): string {
  return code === '000000' ? '000001' : '000000'
}

/** The token of the link in an email. */
export function readLinkToken(mail: ReceivedMail): string {
  return /\?token=([\w-]+)/.exec(mail.text)?.[1] ?? ''
}
