import { buffer } from 'node:stream/consumers'
import { createDossier, type Dossier, downloadDossier, getDossier } from '@waybill/contract/orders/dossier'
import { scan } from '@waybill/contract/parcels/scanning'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { sweepAttachments } from '../../../src/domains/attachments/jobs.ts'
import { makeDossier } from '../../../src/domains/orders/dossier/jobs.ts'
import { dossierPdf } from '../../../src/domains/orders/dossier/pdf.ts'
import { sweepDossiers, toScope } from '../../../src/domains/orders/dossier/service.ts'
import { dossierZip } from '../../../src/domains/orders/dossier/zip.ts'
import { listHistories, type ParcelHistory } from '../../../src/domains/parcels/timeline/history.ts'
import { dayIn, days } from '../../../src/lib/clock.ts'
import { zipEntries } from '../../../src/lib/sheet/zip.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createMember, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { uploadPhoto } from '../../testing/factories/attachments.ts'
import { findCounter, handedOver, scanned } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { createParcel } from '../../testing/factories/parcels.ts'
import { fundWallet, setWalletPin } from '../../testing/factories/wallet.ts'
import { openPaper } from '../../testing/paper.ts'

type Subject = { parcelId?: string; orderId?: string; month?: string }

describe('proof dossiers', () => {
  let test: TestApp
  let customer: TestCustomer
  let counter: TestStaff
  let month: string
  let proven: { id: string; number: string; orderId: string }
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    customer = await createCustomer(test)
    await fundWallet(test, customer, 100_000)
    await setWalletPin(test, customer)
    counter = (await findCounter(test)).counter
    month = dayIn(test.clock.now(), 'Asia/Kuala_Lumpur').slice(0, 7)
    proven = await handedOver(test, customer, counter)
    await scanned(test, counter, proven.number, 'out_for_delivery')
    const { id } = await uploadPhoto(test, counter.token, 'proof_photo')
    const words = { recipientName: 'Siti binti Ali', signaturePath: 'M10,20 L300,140', photoIds: [id] }
    const body = { trackingNumber: proven.number, event: 'delivered' as const, ...words }
    expect((await test.call(scan, { token: counter.token, body })).status).toBe(200)
  })

  const begin = (format: 'pdf' | 'zip', subject: Subject, { token } = customer, language?: string) =>
    test.call(createDossier, { token, body: { format, ...subject }, language })
  async function make(format: 'pdf' | 'zip', subject: Subject, who = customer, language?: string): Promise<Dossier> {
    const { status, body, error } = await begin(format, subject, who, language)
    if (status !== 200) throw new Error(JSON.stringify(error))
    await test.settle()
    return (await test.call(getDossier, { token: who.token, params: { id: body.id } })).body
  }
  const download = async ({ id }: { id: string }, { token } = customer) =>
    test.call(downloadDossier, { token, params: { id } })
  const readText = async (pdf: Buffer) => (await openPaper(pdf)).pages.map(({ text }) => text)

  it('contain timeline, proof and invoice of a parcel in one PDF, in both languages', async () => {
    const dossier = await make('pdf', { parcelId: proven.id })
    expect(dossier).toMatchObject({ state: 'ready', done: 1, total: 1 })
    const file = await download(dossier)
    expect(file.headers['content-disposition']).toContain(`dossier-${proven.number}.pdf`)
    const pages = await readText(file.raw)
    const all = pages.join('\n')
    for (const words of ['Timeline', 'Proof of delivery', 'Received by Siti binti Ali', 'Delivered', 'Invoice'])
      expect(all).toContain(words)
    const chinese = await download(await make('pdf', { parcelId: proven.id }, customer, 'zh'))
    expect((await readText(chinese.raw)).join('\n')).toContain('签收证明')
  })

  it('contain a folder for each parcel and each invoice once in a ZIP', async () => {
    const file = await download(await make('zip', { orderId: proven.orderId }))
    const entries = zipEntries(file.raw)
    const names = entries.map(({ name }) => name).sort()
    expect(names.filter((name) => !name.startsWith('invoices/'))).toEqual([
      `${proven.number}/photo-1.jpg`,
      `${proven.number}/signature.png`,
      `${proven.number}/timeline.pdf`,
    ])
    expect(names.filter((name) => name.startsWith('invoices/'))).toHaveLength(1)
    const readContent = (name: string) => {
      const entry = entries.find((each) => each.name === `${proven.number}/${name}`)
      return file.raw.subarray(entry?.start, (entry?.start ?? 0) + (entry?.compressed ?? 0))
    }
    expect((await readText(readContent('timeline.pdf'))).join('\n')).toContain('Siti binti Ali')
    expect(readContent('photo-1.jpg').subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
    expect(readContent('signature.png').subarray(1, 4).toString()).toBe('PNG')
  })

  it('contain the photos of a failed attempt, by the number of the attempt', async () => {
    const { id, number } = await handedOver(test, customer, counter)
    const printed = async () => (await download(await make('pdf', { parcelId: id }))).raw
    const countPictures = (pdf: Buffer) => pdf.toString('latin1').match(/\/Subtype\s*\/Image/g)?.length ?? 0
    const before = await printed()
    for (const photos of [0, 3]) {
      await scanned(test, counter, number, 'out_for_delivery')
      const uploads = Array.from({ length: photos }, () => uploadPhoto(test, counter.token, 'proof_photo'))
      const photoIds = (await Promise.all(uploads)).map((photo) => photo.id)
      await scanned(test, counter, number, 'attempt_failed', { failureReason: 'closed', photoIds })
    }
    const zip = await download(await make('zip', { parcelId: id }))
    expect(
      zipEntries(zip.raw)
        .map(({ name }) => name)
        .filter((name) => name.endsWith('.jpg')),
    ).toEqual([1, 2, 3].map((n) => `${number}/failed-attempt-2-photo-${n}.jpg`))
    const after = await printed()
    expect(countPictures(after)).toBe(countPictures(before) + 3)
    // Two rows of photos do not fit on the first page with the timeline and the proof.
    expect((await readText(after)).length).toBe((await readText(before)).length + 1)
  })

  it('contain the parcels delivered in a month, in the time zone of the deployment', async () => {
    const other = await createCustomer(test)
    const inMonth = async (at: string) => {
      const { id, tracking_number } = await createParcel(test, other, { status: 'completed' })
      await sql`
        insert into parcel_proofs (account_id, parcel_id, recipient_name, at)
        values (${other.accountId}::uuid, ${id}::uuid, 'Siti', ${at}::timestamptz)`.execute(test.deps.db)
      return tracking_number ?? ''
    }
    // Midnight in Kuala Lumpur is 16:00 UTC.
    const first = await inMonth('2026-04-30T16:00:00Z')
    const last = await inMonth('2026-05-31T15:59:59Z')
    await inMonth('2026-04-30T15:59:59Z')
    await inMonth('2026-05-31T16:00:00Z')
    const many = await Promise.all(Array.from({ length: 60 }, () => inMonth('2026-05-15T10:00:00Z')))
    const dossier = await make('zip', { month: '2026-05' }, other)
    expect(dossier.total).toBe(62)
    const names = zipEntries((await download(dossier, other)).raw).map(({ name }) => name.split('/')[0])
    expect(names.toSorted()).toEqual([first, last, ...many].toSorted())
    expect((await begin('pdf', { month: '2025-01' }, other)).error.code).toBe('dossier_empty')
  })

  it.each(['pdf', 'zip'] as const)(
    'are streamed as %s at the pace of the reader, so a month needs no more memory than a day',
    async (format) => {
      const { accountId } = customer
      const subject = {
        account_id: accountId,
        only_created_by: null,
        parcel_id: proven.id,
        order_id: null,
        month: null,
      }
      const scope = toScope(test.deps, subject)
      const histories: ParcelHistory[] = []
      for await (const history of listHistories(test.deps, scope, 'en')) histories.push(history)
      const [parcel] = histories
      async function* repeat(times: number, onRead: () => void = () => undefined) {
        for (let n = 0; n < times && parcel; n += 1) {
          onRead()
          yield parcel
        }
      }
      const make = format === 'pdf' ? dossierPdf : dossierZip
      const language = { locale: 'en', t: test.deps.translations('en') } as const
      let read = 0
      const endless = repeat(Number.POSITIVE_INFINITY, () => {
        read += 1
      })
      const file = make(test.deps, { scope, name: 'endless', parcels: endless }, language)
      const chunks = file[Symbol.asyncIterator]()
      await chunks.next()
      // In this time, a file that does not wait for its reader would read as many parcels.
      await buffer(make(test.deps, { scope, name: 'whole', parcels: repeat(200) }, language))
      const waiting = read
      expect(waiting).toBeLessThan(50)
      for (let bytes = 0; bytes < 1_000_000; ) bytes += (await chunks.next()).value.length
      expect(read).toBeGreaterThan(waiting)
      file.destroy()
    },
  )

  it('show members only parcels that they created, and other users nothing', async () => {
    const owner = await createCustomer(test, { userType: 'corporate' })
    const { accountId } = owner
    const member = await createCustomer(test, { userType: 'corporate', accountId, isOwner: false })
    const parcel = await createParcel(test, owner, { status: 'completed' })
    expect((await begin('pdf', { parcelId: parcel.id }, member)).status).toBe(404)
    expect((await begin('pdf', { parcelId: parcel.id }, customer)).status).toBe(404)
    expect((await begin('pdf', { orderId: proven.orderId }, member)).status).toBe(404)
    expect((await begin('zip', { month }, member)).error.code).toBe('dossier_empty')
    const dossier = await make('pdf', { parcelId: parcel.id }, owner)
    for (const who of [member, customer]) {
      expect((await download(dossier, who)).status).toBe(404)
      expect((await test.call(getDossier, { token: who.token, params: { id: dossier.id } })).status).toBe(404)
    }
  })

  it('are closed to a member who may no longer see all parcels of the company', async () => {
    const owner = await createCustomer(test, { userType: 'corporate' })
    const parcel = await createParcel(test, owner, { status: 'completed' })
    const dossier = await make('pdf', { parcelId: parcel.id }, owner)
    const member = await createMember(test, owner, ['parcels.create'])
    await sql`update dossiers set created_by = ${member.userId}::uuid where id = ${dossier.id}::uuid`.execute(
      test.deps.db,
    )
    expect((await download(dossier, member)).status).toBe(404)
    expect((await test.call(getDossier, { token: member.token, params: { id: dossier.id } })).status).toBe(404)
  })

  it('reject a missing subject, several subjects and an invalid month', async () => {
    for (const subject of [{}, { parcelId: proven.id, month }, { month: '2026-13' }, { month: 'may' }])
      expect((await begin('pdf', subject)).status).toBe(422)
  })

  it('report that they are running or failed; the next attempt completes them', async () => {
    const { files } = test.deps
    const { writeFile } = files
    files.writeFile = async () => {
      throw new Error('the disk is full')
    }
    const { body } = await begin('pdf', { parcelId: proven.id })
    expect(body.state).toBe('running')
    expect((await download(body)).error.code).toBe('dossier_running')
    await test.settle()
    const run = { accountId: customer.accountId, dossierId: body.id }
    await expect(makeDossier(test.deps, run)).rejects.toThrow('the disk is full')
    files.writeFile = writeFile
    const state = async () =>
      (await test.call(getDossier, { token: customer.token, params: { id: body.id } })).body.state
    expect(await state()).toBe('failed')
    await makeDossier(test.deps, run)
    expect(await state()).toBe('ready')
  })

  it('are deleted with their file after a week', async () => {
    const dossier = await make('pdf', { parcelId: proven.id })
    const { rows } = await sql<{ storage_key: string }>`
      select storage_key from dossiers where id = ${dossier.id}::uuid`.execute(test.deps.db)
    const key = rows[0]?.storage_key ?? ''
    const file = await test.deps.files.read(key)
    file?.destroy()
    expect(file).not.toBeNull()
    test.clock.advance(days(7) + 1000)
    await sweepDossiers(test.deps)
    await sweepAttachments(test.deps)
    expect(await test.deps.files.read(key)).toBeNull()
    const left = await sql`select 1 from dossiers where id = ${dossier.id}::uuid`.execute(test.deps.db)
    expect(left.rows).toHaveLength(0)
  })
})
