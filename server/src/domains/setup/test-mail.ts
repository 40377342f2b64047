/** A test of the mail settings: sends a mail to the caller immediately. */
import type { Locale } from '@waybill/contract/ground/constants'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import type { MailTrouble, sendTestMail } from '@waybill/contract/setup/setup'
import type { Deps } from '../../deps.ts'
import type { StaffCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { sendMail } from '../../jobs/send-mail.ts'
import { findStaffContact } from '../accounts/service.ts'
import { confirmMail } from './service.ts'

/** Long enough for any mail server's sentence, too short for an HTML page. */
const maxAnswer = 300

/** Error codes of nodemailer and of the system below it. */
const troubleOfCode: Record<string, MailTrouble> = {
  EAUTH: 'login',
  ENOAUTH: 'login',
  ETIMEDOUT: 'timeout',
  ECONNECTION: 'unreachable',
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  EDNS: 'unreachable',
  ENOTFOUND: 'unreachable',
  ETLS: 'tls',
}

function classifyError(error: unknown): { trouble: MailTrouble; answer: string | null } {
  const { code, command, response, message } = error as Partial<Record<string, string>>
  const answer = (response ?? message ?? '').trim().slice(0, maxAnswer) || null
  if (code === 'EENVELOPE') return { trouble: command === 'RCPT TO' ? 'recipient' : 'sender', answer }
  // A certificate that cannot be verified is reported as ESOCKET, with its reason in the message.
  if (code === 'ESOCKET') return { trouble: /certificate|SSL|TLS/i.test(message ?? '') ? 'tls' : 'unreachable', answer }
  return { trouble: troubleOfCode[code ?? ''] ?? 'other', answer }
}

/**
 * Sends a mail with the settings in force. If the server accepts it, the mail step counts as confirmed until the mail
 * settings change. Throws session_expired for a caller who no longer exists.
 */
export async function testMail(deps: Deps, caller: StaffCaller): Promise<ResponseOf<typeof sendTestMail>> {
  const person = await findStaffContact(deps.db, caller.userId)
  if (!person) throw new AppError('session_expired')
  // Read before the mail is sent: settings that change meanwhile have not been tested.
  const at = deps.clock.now()
  const mail = {
    to: person.email,
    template: 'mail_test',
    locale: person.language as Locale,
    vars: { name: person.name },
  }
  try {
    await sendMail(deps, mail)
  } catch (error) {
    deps.log.warn({ err: error }, 'the test mail was not taken')
    return { to: person.email, ...classifyError(error) }
  }
  await confirmMail(deps, caller, person.email, at)
  return { to: person.email, trouble: null, answer: null }
}
