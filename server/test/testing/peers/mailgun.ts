import { type PeerAnswer, servePeer } from '../../../src/demo/peers/peer.ts'
import { afterUse } from '../after-use.ts'

type MailgunMail = { domain: string; fields: Record<string, string>; attachments: { name: string; text: string }[] }

/** A simulation of Mailgun's HTTP API for sending, which checks the key, the domain and the form. */
export type MailgunPeer = {
  url: string
  key: string
  domain: string
  mails: MailgunMail[]
  /** Replaces the usual response. */
  next: { status: number; message: string } | 'never' | null
  stop(): Promise<void>
}

const refusal = (status: number, message: string): PeerAnswer => ({ status, body: { message } })

/** Starts the peer. Stopped with its test or its file. */
export async function startMailgunPeer(): Promise<MailgunPeer> {
  const server = await servePeer(async ({ method, path, headers, body }) => {
    if (peer.next === 'never') return 'never'
    if (peer.next) return refusal(peer.next.status, peer.next.message)
    const login = `Basic ${Buffer.from(`api:${peer.key}`).toString('base64')}`
    if (headers.authorization !== login) return { status: 401, body: 'Forbidden', type: 'text/plain' }
    const domain = /^\/v3\/([^/]+)\/messages$/.exec(path)?.[1]
    if (method !== 'POST' || domain !== peer.domain) return refusal(404, `Domain not found: ${domain}`)
    const form = await new Response(Uint8Array.from(body), {
      headers: { 'content-type': headers['content-type'] ?? '' },
    }).formData()
    const fields: Record<string, string> = {}
    const attachments: MailgunMail['attachments'] = []
    for (const [name, value] of form.entries()) {
      if (typeof value === 'string') fields[name] = value
      else attachments.push({ name: value.name, text: await value.text() })
    }
    for (const name of ['from', 'to', 'subject']) if (!fields[name]) return refusal(400, `${name} parameter is missing`)
    if (!/^[^\s@]+@[^\s@]+\.[a-z]+$/.test(fields.to ?? ''))
      return refusal(400, "'to' parameter is not a valid address. please check documentation")
    peer.mails.push({ domain, fields, attachments })
    return { status: 200, body: { id: `<${peer.mails.length}@${domain}>`, message: 'Queued. Thank you.' } }
  })
  const peer: MailgunPeer = {
    url: server.url,
    key: 'key-0123456789',
    domain: 'mg.kurier.test',
    mails: [],
    next: null,
    stop: () => server.stop(),
  }
  afterUse(() => server.stop())
  return peer
}
