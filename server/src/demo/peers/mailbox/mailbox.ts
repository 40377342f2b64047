/** The simulated mailbox: an SMTP server that keeps the mails of the demo in memory. */
import { SMTPServer } from 'smtp-server'

export type ReceivedMail = {
  id: number
  at: Date
  from: string
  to: string[]
  subject: string
  text: string
  html: string
  messageId: string
  /** By lower-case name. */
  headers: ReadonlyMap<string, string>
}

export type Mailbox = {
  /** `smtp://127.0.0.1:<port>` */
  url: string
  /** The latest thousand mails, newest first. */
  mails(): ReceivedMail[]
  /** Resolves with the first mail that matches, received already or in the future. */
  waitFor(fits: (mail: ReceivedMail) => boolean, timeoutMs?: number): Promise<ReceivedMail>
  stop(): Promise<void>
}

/** If there are more mails than this, the oldest are dropped. */
const maxMails = 1000

/**
 * Starts a mail server that accepts every mail and keeps it in memory: the demo's mailbox, and the mail server of the
 * tests. `listenOn` 0: any free port.
 */
export async function startMailbox(listenOn = 0): Promise<Mailbox> {
  const mails: ReceivedMail[] = []
  const waiting = new Set<(mail: ReceivedMail) => void>()
  let next = 1

  const receive = async (raw: Buffer, to: string[]) => {
    // The parser is loaded with the first mail: an idle demo needs none.
    const { default: PostalMime } = await import('postal-mime')
    const parsed = await PostalMime.parse(raw)
    const mail: ReceivedMail = {
      id: next++,
      at: new Date(),
      from: parsed.from?.address ?? '',
      to,
      subject: parsed.subject ?? '',
      text: parsed.text ?? '',
      html: parsed.html ?? '',
      messageId: parsed.messageId ?? '',
      headers: new Map(parsed.headers.map(({ key, value }) => [key.toLowerCase(), value])),
    }
    mails.unshift(mail)
    mails.length = Math.min(mails.length, maxMails)
    for (const listener of waiting) listener(mail)
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map((recipient) => recipient.address)
        receive(Buffer.concat(chunks), to).then(() => done(), done)
      })
    },
  })
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.listen(listenOn, '127.0.0.1', resolve)
  })
  // Without a listener, a client that disconnects midway would crash the process.
  server.on('error', () => {})
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0

  return {
    url: `smtp://127.0.0.1:${port}`,
    mails: () => mails,
    waitFor(fits, timeoutMs = 10_000) {
      const mail = mails.find(fits)
      if (mail) return Promise.resolve(mail)
      return new Promise((resolve, reject) => {
        const listener = (mail: ReceivedMail) => {
          if (!fits(mail)) return
          clearTimeout(timer)
          waiting.delete(listener)
          resolve(mail)
        }
        const timer = setTimeout(() => {
          waiting.delete(listener)
          reject(
            new Error(
              `no such mail within ${timeoutMs} ms; there are: ${mails.map((mail) => mail.subject).join('; ')}`,
            ),
          )
        }, timeoutMs)
        waiting.add(listener)
      })
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
