import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterUse } from '../after-use.ts'

/** The part of an email or session that a strict mail server refuses. */
type Refusal = 'login' | 'sender' | 'recipient' | 'content' | 'greylist'

/** Starts a mail server that refuses one thing with a realistic message. Returns its port; stopped after the file. */
export async function startStrictMailServer(refusal: Refusal): Promise<number> {
  const refuse = (text: string, responseCode: number) => Object.assign(new Error(text), { responseCode })
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (_, __, done) =>
      refusal === 'login' ? done(refuse('5.7.8 Bad credentials', 535)) : done(null, { user: 'anybody' }),
    onMailFrom: (_, __, done) => done(refusal === 'sender' ? refuse('5.7.1 Sender not allowed', 550) : null),
    onRcptTo: ({ address }, _, done) => {
      if (refusal === 'greylist') done(refuse('4.7.1 Greylisted, try again later', 451))
      else done(refusal === 'recipient' ? refuse(`5.1.1 <${address}>: No such mailbox`, 550) : null)
    },
    onData(stream, _, done) {
      stream.resume()
      stream.on('end', () => done(refusal === 'content' ? refuse('5.7.1 Looks like spam', 554) : null))
    },
  })
  // A client that disconnects is not an error of the peer.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterUse(() => new Promise<void>((resolve) => server.close(resolve)))
  return (server.server.address() as AddressInfo).port
}
