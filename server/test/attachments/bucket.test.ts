import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAttachment, deleteAttachment, getFile } from '@waybill/contract/attachments/attachments'
import { createReportFile } from '@waybill/contract/reports/files'
import { getGeneralSettings } from '@waybill/contract/settings/settings'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sweepAttachments } from '../../src/domains/attachments/jobs.ts'
import { addJob } from '../../src/jobs/jobs.ts'
import { hours } from '../../src/lib/clock.ts'
import { FileStoreUnavailable } from '../../src/lib/files.ts'
import { s3Files } from '../../src/lib/s3-files.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer } from '../testing/factories/accounts.ts'
import { testImage, uploadPhoto } from '../testing/factories/attachments.ts'
import { upload } from '../testing/forms.ts'
import { type S3Peer, startS3Peer } from '../testing/peers/s3.ts'

describe('the file store in a bucket', () => {
  let peer: S3Peer
  let test: TestApp
  beforeAll(async () => {
    peer = await startS3Peer()
    test = await buildTestApp({ ...peer.environment, LOG_LEVEL: 'silent' })
  })
  const createStore = (overrides: { secretAccessKey?: string; timeoutMs?: number } = {}) => {
    const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket = '', S3_REGION: region = '', ...rest } = peer.environment
    const [accessKeyId = '', secretAccessKey = ''] = [rest.S3_ACCESS_KEY_ID, rest.S3_SECRET_ACCESS_KEY]
    return s3Files({
      bucket,
      region,
      endpoint,
      accessKeyId,
      secretAccessKey,
      pathStyle: true,
      timeoutMs: 5_000,
      ...overrides,
    })
  }
  beforeEach(() => {
    peer.mode = 'works'
  })

  it('stores files, and signs its requests so that the service accepts them', async () => {
    const store = createStore()
    await store.write('2026/11/22/one.png', Buffer.from('the picture'))
    expect(peer.objects.get('2026/11/22/one.png')?.toString()).toBe('the picture')
    const chunks = await (await store.read('2026/11/22/one.png'))?.toArray()
    expect(Buffer.concat(chunks ?? []).toString()).toBe('the picture')
    await store.remove('2026/11/22/one.png')
    await store.remove('2026/11/22/one.png')
    expect(await store.read('2026/11/22/one.png')).toBeNull()
    await store.check()
    await expect(store.write('../secret-key', Buffer.from('x'))).rejects.toThrow('no key of a file')
    expect(peer.refused).toEqual([])
    store.close()
  })

  it('uploads a file from the disk in parts, such as a dossier', async () => {
    const store = createStore()
    const folder = await mkdtemp(join(tmpdir(), 'waybill-bucket-'))
    const path = join(folder, 'large')
    const content = Buffer.alloc(3_000_000, 'a parcel and its proof. ')
    await writeFile(path, content)
    await store.writeFile('2026/11/22/large.zip', path)
    expect(peer.objects.get('2026/11/22/large.zip')?.equals(content)).toBe(true)
    peer.mode = 'broken'
    await expect(store.writeFile('2026/11/22/again.zip', path)).rejects.toThrow(FileStoreUnavailable)
    await rm(folder, { recursive: true })
    store.close()
  })

  it('reports a wrong key as an error of the operator, not as an outage', async () => {
    const store = createStore({ secretAccessKey: 'of another bucket' })
    await expect(store.write('one.png', Buffer.from('x'))).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' })
    expect(peer.objects.has('one.png')).toBe(false)
    expect(peer.refused.pop()).toBe('the signature is wrong')
    store.close()
  })

  it.each(['broken', 'never'] as const)(
    'answers 503 to requests for files only, in time, and reports it in readiness, if it is %s',
    async (mode) => {
      const siti = await createCustomer(test)
      const photo = await uploadPhoto(test, siti.token, 'parcel_photo')
      const storedKeys = new Set(peer.objects.keys())
      const { id } = await uploadPhoto(test, siti.token, 'parcel_photo')
      const unwantedFiles = [...peer.objects.keys()].filter((key) => !storedKeys.has(key))
      expect(unwantedFiles).toHaveLength(1)
      const request = { token: siti.token, fields: {}, file: { name: 'a.jpg', bytes: await testImage() } }
      // Without a time-out of its own, a request to a service that never responds would reach the limit of this test.
      peer.mode = mode
      const ready = () => test.app.inject('/readyz')
      const answers = Promise.all([upload(test, createAttachment, request), test.app.inject(photo.link)])
      // Other requests are still answered.
      expect((await test.call(getGeneralSettings)).status).toBe(200)
      const [uploadAnswer, download] = await answers
      expect([uploadAnswer.status, uploadAnswer.error.code, download.statusCode]).toEqual([503, 'unavailable', 503])
      expect(download.headers['retry-after']).toBe('5')
      // The row is deleted now, and the file by the next cleanup.
      expect((await test.call(deleteAttachment, { token: siti.token, params: { id } })).status).toBe(200)
      expect((await test.call(deleteAttachment, { token: siti.token, params: { id } })).status).toBe(404)
      await expect
        .poll(async () => [(await ready()).statusCode, (await ready()).json()], { timeout: 5_000 })
        .toEqual([200, { ok: true, files: 'unavailable' }])
      peer.mode = 'works'
      // After a time-out the server does not call the service for a few seconds.
      await expect.poll(async () => (await test.app.inject(photo.link)).statusCode, { timeout: 10_000 }).toBe(200)
      await expect.poll(async () => (await ready()).json(), { timeout: 5_000 }).toEqual({ ok: true, files: 'ok' })
      test.clock.advance(hours(2))
      await sweepAttachments(test.deps)
      expect(peer.objects.has(unwantedFiles[0] ?? '')).toBe(false)
    },
    20_000,
  )

  it('delays only the jobs that store files, if it is slow', async () => {
    const slowPeer = await startS3Peer({ S3_TIMEOUT_MS: '60000' })
    const slowTest = await buildTestApp({ ...slowPeer.environment, LOG_LEVEL: 'silent' })
    const { db } = slowTest.deps
    slowPeer.mode = 'never'
    for (let n = 0; n < 6; n += 1) {
      const { token } = await createCustomer(slowTest)
      const report = await slowTest.call(createReportFile, { token, body: { format: 'csv' } })
      expect(report.status).toBe(200)
    }
    const countJobs = async (name: string, running: boolean) => {
      const { rows } = await sql`
        select 1
        from graphile_worker.jobs
        where task_identifier = ${name} and (locked_at is not null or not ${running}::boolean)`.execute(db)
      return rows.length
    }
    await expect.poll(() => countJobs('reports:make-file', true)).toBe(2)
    await addJob(db, 'parcels:ensure-partitions', {})
    await expect.poll(() => countJobs('parcels:ensure-partitions', false), { timeout: 15_000 }).toBe(0)
    expect(await countJobs('reports:make-file', true)).toBe(2)
    // The uploads end with their connections.
    await slowPeer.stop()
  })

  it('ends the download if it stops in the middle of a file', async () => {
    const store = createStore({ timeoutMs: 2_000 })
    peer.objects.set('2026/half.png', Buffer.alloc(100_000, 'x'))
    peer.mode = 'half'
    const stream = await store.read('2026/half.png')
    await expect(stream?.toArray()).rejects.toThrow(FileStoreUnavailable)
    store.close()
  })

  it('appears in the OpenAPI document with the path of a file link', async () => {
    const { paths } = (await test.app.inject('/api/openapi.json')).json()
    const { operationId, parameters } = paths['/{id}/file'].get
    expect(operationId).toBe(getFile.id)
    expect(parameters.map(({ name }: { name: string }) => name).sort()).toEqual(['expires', 'id', 'signature'])
  })
})
