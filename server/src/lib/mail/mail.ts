/** What every way of sending mail has in common, and SMTP. `mailgun.ts` is the other one. */
import { createTransport, type Transporter } from 'nodemailer'

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
  /** Where a POST ends mails like this one (RFC 8058): mail programs show a button for it. */
  unsubscribeUrl?: string | undefined
}

/** The headers of a mail that can be ended with one click. */
export function unsubscribeHeaders(url: string | undefined): Record<string, string> {
  if (url === undefined) return {}
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

export type MailAttachment = { name: string; content: Buffer; mediaType: string }

/**
 * Sends mail. Throws if the mail was not taken, so that the job is retried. The errors are nodemailer's or have its
 * shape: `code`, `response` (the server's own words), and `responseCode` where the server answered. From 500 on the
 * refusal is permanent; below it, and without one, a later attempt may succeed.
 */
export type Mailer = { send(mail: Mail): Promise<void>; close(): void }

/**
 * Whether the server refused this mail for good: the receiver's address, or the mail itself. A refused login or sender
 * is not: those are settings, which staff correct.
 */
export function isRefusedForGood(error: unknown): boolean {
  const { command, responseCode = 0 } = error as { command?: string; responseCode?: number }
  return responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
}

/** A mail server that is silent for so long counts as down. */
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
  const transport: Transporter = createTransport({ url: smtpUrl, requireTLS: requireTls, ...patience })
  const ownAddress = plainAddress(from)
  return {
    async send({ attachments = [], unsubscribeUrl, ...mail }) {
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
      transport.close()
    },
  }
}
