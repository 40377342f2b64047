import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import { type PeerAnswer, type PeerRequest, servePeer } from '../../../src/demo/peers/peer.ts'
import { afterUse } from '../after-use.ts'

const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'a secret of the bucket' }
const region = 'ap-southeast-1'
const bucket = 'waybill-files'

/** A simulated S3 service with one bucket. It verifies the signature (version 4) of every request. */
export type S3Peer = {
  /** Environment variables of a server that stores its files here. */
  environment: Record<string, string>
  /** The stored files by key. */
  objects: Map<string, Buffer>
  /** The number of requests. */
  requests: number
  /** The refused requests with their reasons. */
  refused: string[]
  /** The behaviour from now on. `half`: a download stops in the middle without an end. */
  mode: 'works' | 'broken' | 'never' | 'half'
  stop(): Promise<void>
}

/** Starts the service. Stopped with its test or its file. `overrides` replaces environment variables. */
export async function startS3Peer(overrides: Record<string, string> = {}): Promise<S3Peer> {
  const server = await servePeer((request) => answer(request))
  const peer: S3Peer = {
    environment: {
      S3_BUCKET: bucket,
      S3_REGION: region,
      S3_ENDPOINT: server.url,
      S3_PATH_STYLE: 'on',
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      S3_TIMEOUT_MS: '500',
      ...overrides,
    },
    objects: new Map(),
    requests: 0,
    refused: [],
    mode: 'works',
    stop: () => server.stop(),
  }
  afterUse(() => server.stop())

  async function answer(request: PeerRequest): Promise<PeerAnswer> {
    peer.requests++
    if (peer.mode === 'never') return 'never'
    if (peer.mode === 'broken') return xmlError(503, 'SlowDown')
    const problem = await signatureProblem(request)
    if (problem) {
      peer.refused.push(problem)
      return xmlError(403, 'SignatureDoesNotMatch')
    }
    if (request.path === `/${bucket}/` && request.method === 'HEAD') return { status: 200, body: '' }
    const key = request.path.slice(`/${bucket}/`.length)
    if (!request.path.startsWith(`/${bucket}/`) || key === '') return xmlError(404, 'NoSuchBucket')
    if (request.method === 'PUT') {
      peer.objects.set(key, request.body)
      return { status: 200, body: '' }
    }
    if (request.method === 'DELETE') {
      peer.objects.delete(key)
      return { status: 204, body: '' }
    }
    const object = peer.objects.get(key)
    if (!object) return xmlError(404, 'NoSuchKey')
    if (peer.mode !== 'half') return { status: 200, body: object, type: 'application/octet-stream' }
    const headers = { 'content-length': String(object.length) }
    return { status: 200, body: object.subarray(0, object.length / 2), headers, unfinished: true }
  }
  return peer
}

const xmlError = (status: number, code: string): PeerAnswer => ({
  status,
  type: 'application/xml',
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
})

class Sha256 {
  readonly #hash: Hash | Hmac
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toBytes(secret))
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(toBytes(data))
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }
}
const toBytes = (data: string | ArrayBuffer | ArrayBufferView) =>
  typeof data === 'string'
    ? Buffer.from(data)
    : data instanceof ArrayBuffer
      ? Buffer.from(data)
      : Buffer.from(data.buffer, data.byteOffset, data.byteLength)

/** Recomputes and compares the signature of the request. Returns null if it is valid. */
async function signatureProblem({ method, path, query, headers, body }: PeerRequest): Promise<string | null> {
  const authorization = headers.authorization ?? ''
  const parts = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/[^,]+, SignedHeaders=([^,]+), Signature=[\da-f]{64}$/.exec(
    authorization,
  )
  const date = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(headers['x-amz-date'] ?? '')
  if (!parts?.[2] || !date) return 'not signed'
  const hash = headers['x-amz-content-sha256']
  if (hash !== createHash('sha256').update(body).digest('hex')) return 'the content is not the signed one'
  const [, year, month, day, hour, minute, second] = date
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials,
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: true,
  })
  const signed = await signer.sign(
    {
      method,
      protocol: 'http:',
      hostname: headers.host ?? '',
      path,
      query: Object.fromEntries(query),
      headers: Object.fromEntries(parts[2].split(';').map((name) => [name, headers[name] ?? ''])),
      body,
    },
    { signingDate: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) },
  )
  return signed.headers.authorization === authorization ? null : 'the signature is wrong'
}
