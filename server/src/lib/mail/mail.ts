import { createTransport, type Transporter } from 'nodemailer'

export type Mail = {
  to: string
  /** What the reader sees as the sender; `address` null means the deployment's. */
  from: { name: string; address: string | null }
  subject: string
  text: string
  html: string
  /** The same at every try of one mail, so that a reader's program shows what came twice once. Left out: a new one. */
  messageId?: string | undefined
}

/** Sends through SMTP; throws while the server is away, so that the job that called it is tried again. */
export type Mailer = { send(mail: Mail): Promise<void>; close(): void }

/** A mail server that takes the call and then says nothing is away as well. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/**
 * `smtp://host:port` (STARTTLS where offered) or `smtps://` (implicit TLS). `from` is `Name <address>` or the address
 * alone. `requireTls`: a server that offers no STARTTLS gets no mail, and `send` throws.
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
