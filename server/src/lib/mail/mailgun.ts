/** Sends mail through Mailgun's HTTP API. */
import { type Mail, type Mailer, mailPatience, plainAddress, unsubscribeHeaders } from './mail.ts'

export type MailgunAccess = {
  domain: string
  region: 'us' | 'eu'
  key: string
  /** Replaces Mailgun's own address of the region. */
  url: string | undefined
  /** Replaces the usual time limit; for tests. */
  patienceMs?: number | undefined
}

const addresses = { us: 'https://api.mailgun.net', eu: 'https://api.eu.mailgun.net' } as const

/**
 * The error that `mailgun.js` throws. A call without a response also has the status 400, and its code as the message.
 */
type MailgunFailure = { status?: number; message?: string; details?: string }

/** A mail that Mailgun did not accept, in the shape of nodemailer's errors. */
export class MailgunError extends Error {
  readonly code: string
  readonly command: string | undefined
  readonly response: string
  readonly responseCode: number | undefined

  constructor(code: string, response: string, responseCode?: number, command?: string) {
    super(response)
    this.code = code
    this.response = response
    this.responseCode = responseCode
    this.command = command
  }
}

const noAnswer: Record<string, string> = { ECONNABORTED: 'ETIMEDOUT', ETIMEDOUT: 'ETIMEDOUT', ENOTFOUND: 'EDNS' }

/** SMTP's codes for the responses of the API: 451 may succeed later, 5xx never will. */
function toMailgunError({ status = 0, message = '', details = '' }: MailgunFailure): MailgunError {
  const text = details || message
  if (/^(E[A-Z_]+|CERT_\w+|\w+_CERT\w*)$/.test(message))
    return new MailgunError(noAnswer[message] ?? connectionCode(message), text)
  if (status === 401 || status === 403) return new MailgunError('EAUTH', text, 535)
  if (status === 408 || status === 425 || status === 429 || status === 402 || status >= 500)
    return new MailgunError('EMESSAGE', text, 451)
  if (/\bto\b.*(parameter|address)|recipient/i.test(text)) return new MailgunError('EENVELOPE', text, 550, 'RCPT TO')
  if (/\bfrom\b.*(parameter|address)|sender/i.test(text)) return new MailgunError('EENVELOPE', text, 550, 'MAIL FROM')
  return new MailgunError('EMESSAGE', text, 554)
}

/** A certificate that cannot be verified is ESOCKET in nodemailer; everything else is a connection that failed. */
const connectionCode = (code: string) => (code.includes('CERT') ? 'ESOCKET' : 'ECONNECTION')

/** RFC 5322: a quoted name may contain commas, but no line break. */
const sender = (name: string, address: string) =>
  `"${name.replace(/[\r\n]+/g, ' ').replace(/["\\]/g, '\\$&')}" <${address}>`

/** Mailgun takes headers as fields with this prefix. */
const mailgunHeaders = (unsubscribeUrl: string | undefined) =>
  Object.fromEntries(Object.entries(unsubscribeHeaders(unsubscribeUrl)).map(([name, value]) => [`h:${name}`, value]))

/** A mailer for a domain at Mailgun. `from`: as in `createMailer`. The package is loaded with the first mail. */
export function createMailgunMailer({ domain, region, key, url, patienceMs }: MailgunAccess, from: string): Mailer {
  const ownAddress = plainAddress(from)
  const open = async () => {
    const { default: Mailgun } = await import('mailgun.js')
    const options = {
      username: 'api',
      key,
      url: url ?? addresses[region],
      timeout: patienceMs ?? mailPatience.answerMs,
    }
    return new Mailgun(FormData).client(options)
  }
  return {
    async send(mail: Mail) {
      const client = await open()
      const message = {
        from: sender(mail.from.name, mail.from.address ?? ownAddress),
        to: [mail.to],
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        ...(mail.messageId ? { 'h:Message-Id': mail.messageId } : {}),
        ...mailgunHeaders(mail.unsubscribeUrl),
        ...(mail.attachments?.length
          ? { attachment: mail.attachments.map(({ name, content }) => ({ filename: name, data: content })) }
          : {}),
      }
      await client.messages.create(domain, message).catch((error: unknown) => {
        throw toMailgunError(error as MailgunFailure)
      })
    },
    close() {},
  }
}
