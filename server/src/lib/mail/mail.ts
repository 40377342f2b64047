/** Sends mail through SMTP. */
import { createTransport, type Transporter } from 'nodemailer'

export type Mail = {
  to: string
  /** The displayed sender. `address` null: the deployment's. */
  from: { name: string; address: string | null }
  subject: string
  text: string
  html: string
  /** The same for every attempt, so that mail programs show a duplicate once. Default: a new one. */
  messageId?: string | undefined
}

/** Sends through SMTP. Throws while the server is down, so that the job is retried. */
export type Mailer = { send(mail: Mail): Promise<void>; close(): void }

/** A server that accepts the connection and then stays silent counts as down. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/**
 * `smtp://host:port` (STARTTLS if offered) or `smtps://` (implicit TLS). `from` is `Name <address>` or an address. With
 * `requireTls`, `send` throws if the server offers no STARTTLS.
 */
export function createMailer(smtpUrl: string, from: string, requireTls: boolean): Mailer {
  const transport: Transporter = createTransport({ url: smtpUrl, requireTLS: requireTls, ...patience })
  const ownAddress = /<([^>]+)>/.exec(from)?.[1] ?? from
  return {
    async send(mail) {
      await transport.sendMail({ ...mail, from: { name: mail.from.name, address: mail.from.address ?? ownAddress } })
    },
    close() {
      transport.close()
    },
  }
}
