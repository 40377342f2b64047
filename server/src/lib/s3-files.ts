/** Stores uploaded files in an S3 bucket, or at any S3-compatible service (MinIO, R2, Ceph). */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { createBreaker } from './breaker.ts'
import { type FileStore, FileStoreUnavailable, requireFileKey } from './files.ts'

export type S3Options = {
  bucket: string
  region: string
  /** Undefined: Amazon's endpoint for the region. */
  endpoint: string | undefined
  /** `https://host/bucket/key` instead of `https://bucket.host/key`. */
  pathStyle: boolean
  accessKeyId: string
  secretAccessKey: string
  /** How long a call may take, and how long a download may pause. */
  timeoutMs: number
}

/** One retry: a connection that the service has closed meanwhile fails at its first use. */
const maxAttempts = 2
/** After a time-out other calls fail at once for this long, instead of each waiting just as long. */
const pauseMs = 5_000
/** The minimum speed in bytes per second for the upload of large files. */
const slowestBytes = 1_000_000
/** The maximum number of connections to the bucket; further calls wait, within their time limit. */
const maxSockets = 50

type Sdk = typeof import('@aws-sdk/client-s3')

/** The SDK is loaded at the first use, so that a deployment with its files on disk does not pay for it. */
function lazyClient(options: S3Options) {
  let loading: Promise<{ sdk: Sdk; client: S3Client }> | undefined
  const load = async () => {
    const sdk = await import('@aws-sdk/client-s3')
    const { region, endpoint, pathStyle, accessKeyId, secretAccessKey, timeoutMs } = options
    const client = new sdk.S3Client({
      region,
      ...(endpoint ? { endpoint } : {}),
      forcePathStyle: pathStyle,
      credentials: { accessKeyId, secretAccessKey },
      maxAttempts,
      // Newer checksums in trailers are not supported by many S3-compatible services.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: timeoutMs,
        httpAgent: { maxSockets, keepAlive: true },
        httpsAgent: { maxSockets, keepAlive: true },
      },
    })
    return { sdk, client }
  }
  return {
    get: () => {
      loading ??= load()
      return loading
    },
    close: () => void loading?.then(({ client }) => client.destroy()),
  }
}

const readStatus = (error: unknown) =>
  (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode
const isAbsent = (error: unknown) => (error as Error | null)?.name === 'NoSuchKey'

/** Whether a call ended by its time limit. */
const isLate = (error: unknown) => ['AbortError', 'TimeoutError'].includes((error as Error | null)?.name ?? '')

/** No response, a time-out, or a fault of the service. A refusal (4xx) is a mistake in the configuration. */
function isAway(error: unknown): boolean {
  const status = readStatus(error)
  return status === undefined || status >= 500 || status === 429
}

/**
 * A store in a bucket. Every call has a time limit and throws FileStoreUnavailable if the service is away or too slow,
 * so that only requests for files wait for it.
 */
export function s3Files(options: S3Options): FileStore {
  const { bucket, timeoutMs } = options
  const connection = lazyClient(options)
  const breaker = createBreaker({
    message: 'The file store did not answer a moment ago; it is asked again later.',
    pauseMs,
    isTimeout: isLate,
  })

  /** Runs one call to the service within the time limit. */
  const call = async <T>(
    work: (sdk: Sdk, client: S3Client, abortSignal: AbortSignal) => Promise<T>,
    limitMs: number = timeoutMs,
  ): Promise<T> => {
    const { sdk, client } = await connection.get()
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), limitMs)
    try {
      return await breaker.run(() => work(sdk, client, limit.signal))
    } catch (error) {
      if (!isAway(error)) throw error
      throw new FileStoreUnavailable('The file store is away or too slow.', { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async write(key, bytes) {
      requireFileKey(key)
      await call((sdk, client, abortSignal) =>
        client.send(new sdk.PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes }), { abortSignal }),
      )
    },
    async writeFile(key, path) {
      requireFileKey(key)
      const { size } = await stat(path)
      const hash = await hashFile(path)
      await call(
        (sdk, client, abortSignal) => {
          const body = createReadStream(path)
          const upload = new sdk.PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ContentLength: size })
          // The SDK does not sign the content of a stream; with the hash the service refuses content that changed in
          // transit.
          upload.middlewareStack.add(
            (next) => (args) => {
              const { headers } = args.request as { headers: Record<string, string> }
              headers['x-amz-content-sha256'] = hash
              return next(args)
            },
            { step: 'build', name: 'signedContent' },
          )
          return client.send(upload, { abortSignal })
        },
        timeoutMs + (size / slowestBytes) * 1000,
      )
    },
    async read(key) {
      requireFileKey(key)
      return call(async (sdk, client, abortSignal) => {
        try {
          const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key }), { abortSignal })
          return Readable.from(readChunks(Body as Readable, timeoutMs), { objectMode: false })
        } catch (error) {
          if (isAbsent(error)) return null
          throw error
        }
      })
    },
    async remove(key) {
      requireFileKey(key)
      await call((sdk, client, abortSignal) =>
        client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key }), { abortSignal }),
      )
    },
    async check() {
      await call((sdk, client, abortSignal) =>
        client.send(new sdk.HeadBucketCommand({ Bucket: bucket }), { abortSignal }),
      )
    },
    close: connection.close,
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/**
 * The content, ended with an error if the service sends nothing for the given time. Only the service's time counts: a
 * slow reader may take as long as it needs.
 */
async function* readChunks(body: Readable, pauseLimitMs: number): AsyncGenerator<Buffer> {
  const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const stop = () => body.destroy(new FileStoreUnavailable('The file store stopped in the middle of a file.'))
      const timer = setTimeout(stop, pauseLimitMs)
      const { done, value } = await chunks.next().finally(() => clearTimeout(timer))
      if (done) return
      yield value
    }
  } finally {
    body.destroy()
  }
}
