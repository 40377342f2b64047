/** The interface of all mail transports, and SMTP. `mailgun.ts` is the other transport. */
import type { Transporter } from 'nodemailer'
import { lazyPackage } from '../packages/lazy-package.ts'

const nodemailer = lazyPackage<typeof import('nodemailer')>('nodemailer')

export type Mail = {
  to: string
  /** The displayed sender. `address` null: the deployment's. */
  from: { name: string; address: string | null }
  subject: string
  text: string
  html: string
  attachments?: readonly MailAttachment[]
  /** The same for every attempt, so that mail programs show a duplicate once. Default: a new one. */
  messageId?: string | undefined
  /** Where a POST unsubscribes from mails like this one (RFC 8058): mail programs show a button for it. */
  unsubscribeUrl?: string | undefined
}

/** The headers of a mail from which one click unsubscribes. */
export function unsubscribeHeaders(url: string | undefined): Record<string, string> {
  if (url === undefined) return {}
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

export type MailAttachment = { name: string; content: Buffer; mediaType: string }

/**
 * Sends mail. Throws if the mail was not accepted, so that the job is retried. The errors are nodemailer's or have its
 * shape: `code`, `response` (the server's own message), and `responseCode` if the server answered. From 500 on the
 * refusal is permanent; below it, and without one, a later attempt may succeed.
 */
export type Mailer = { send(mail: Mail): Promise<void>; close(): void }

/**
 * Whether the server refused this mail permanently: the receiver's address, or the mail itself. A refused login or
 * sender does not count: those are settings, which staff correct.
 */
export function isRefusedForGood(error: unknown): boolean {
  const { command, responseCode = 0 } = error as { command?: string; responseCode?: number }
  return responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
}

/** A mail server that does not answer for this long counts as down. */
export const mailPatience = { connectMs: 10_000, answerMs: 30_000 }
const patience = {
  connectionTimeout: mailPatience.connectMs,
  greetingTimeout: mailPatience.connectMs,
  socketTimeout: mailPatience.answerMs,
}

/** The address of `Name <address>`, or the address itself. */
export function plainAddress(from: string): string {
  return /<([^>]+)>/.exec(from)?.[1] ?? from
}

/**
 * `smtp://host:port` (STARTTLS if offered) or `smtps://` (implicit TLS). `from` is `Name <address>` or an address. With
 * `requireTls`, `send` throws if the server offers no STARTTLS.
 */
export function createMailer(smtpUrl: string, from: string, requireTls: boolean): Mailer {
  let transport: Transporter | undefined
  const ownAddress = plainAddress(from)
  return {
    async send({ attachments = [], unsubscribeUrl, ...mail }) {
      transport ??= nodemailer().createTransport({ url: smtpUrl, requireTLS: requireTls, ...patience })
      await transport.sendMail({
        ...mail,
        headers: unsubscribeHeaders(unsubscribeUrl),
        from: { name: mail.from.name, address: mail.from.address ?? ownAddress },
        attachments: attachments.map(({ name, content, mediaType }) => ({
          filename: name,
          content,
          contentType: mediaType,
        })),
      })
    },
    close() {
      transport?.close()
    },
  }
}
