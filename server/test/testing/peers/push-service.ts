/**
 * A simulated push service. It accepts messages by RFC 8030, verifies the sender (VAPID, RFC 8292), and decrypts them
 * like a browser (RFC 8291, aes128gcm of RFC 8188).
 */
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { importJWK, jwtVerify } from 'jose'
import { afterUse } from '../after-use.ts'

export type Received = { path: string; ttl: string; subject: string; message: Record<string, unknown> }

export type PushService = {
  /** Subscribes a browser, and returns the data that it sends to the portal. */
  subscribe(): { endpoint: string; keys: { p256dh: string; auth: string } }
  received: Received[]
  /** Statuses of the next responses; 201 after them. */
  answers: number[]
}

/** Starts the service. `publicKey` is the VAPID key of its subscriptions. */
export async function startPushService(publicKey: () => string | null): Promise<PushService> {
  const browsers = new Map<string, { curve: ReturnType<typeof createECDH>; auth: Buffer }>()
  const received: Received[] = []
  const answers: number[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    try {
      const browser = browsers.get(request.url ?? '')
      if (!browser) throw new Refusal(404)
      const status = answers.shift() ?? 201
      if (status !== 201) throw new Refusal(status)
      const { headers } = request
      if (headers['content-encoding'] !== 'aes128gcm') throw new Refusal(415)
      if (!/^\d+$/.test(String(headers.ttl))) throw new Refusal(400)
      const subject = await requireSender(String(headers.authorization), origin(), publicKey())
      const message = JSON.parse(decrypt(Buffer.concat(parts), browser)) as Record<string, unknown>
      received.push({ path: request.url ?? '', ttl: String(headers.ttl), subject, message })
      response.writeHead(201, { location: `${origin()}/message/1` }).end()
    } catch (error) {
      response.writeHead(error instanceof Refusal ? error.status : 400).end()
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  afterUse(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  return {
    received,
    answers,
    subscribe() {
      const curve = createECDH('prime256v1')
      const p256dh = curve.generateKeys().toString('base64url')
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(16).toString('base64url')}`
      browsers.set(path, { curve, auth })
      return { endpoint: `${origin()}${path}`, keys: { p256dh, auth: auth.toString('base64url') } }
    },
  }
}

class Refusal extends Error {
  readonly status: number
  constructor(status: number) {
    super(`refused with ${status}`)
    this.status = status
  }
}

/** RFC 8292: `vapid t=<JWT>, k=<public key>`, signed for this origin with the key of the subscription. */
async function requireSender(header: string, audience: string, publicKey: string | null): Promise<string> {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(header) ?? []
  if (key === '' || key !== publicKey) throw new Refusal(403)
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const jwk = await importJWK({ kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, 'ES256')
  const { payload } = await jwtVerify(token, jwk, { audience }).catch(() => {
    throw new Refusal(401)
  })
  const hoursLeft = ((payload.exp ?? 0) - Date.now() / 1000) / 3600
  if (hoursLeft <= 0 || hoursLeft > 24) throw new Refusal(401)
  return payload.sub ?? ''
}

/** RFC 8291: derives the keys from both curves and the browser's secret; the record format is RFC 8188. */
function decrypt(body: Buffer, { curve, auth }: { curve: ReturnType<typeof createECDH>; auth: Buffer }): string {
  const salt = body.subarray(0, 16)
  const keyLength = body[20] ?? 0
  const senderKey = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), senderKey])
  const secret = Buffer.from(hkdfSync('sha256', curve.computeSecret(senderKey), auth, info, 32))
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16))
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12))
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  // The last record ends with a 2 and padding of zeros.
  const end = plain.lastIndexOf(2)
  return plain.subarray(0, end).toString('utf8')
}
