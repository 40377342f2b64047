import { createAttachment } from '@waybill/contract/attachments/attachments'
import {
  artworkEvents,
  artworkStatuses,
  createArtwork,
  decideArtwork,
  generateNotes,
  listArtworks,
  staffArtworks,
  submitArtwork,
} from '@waybill/contract/parcels/labels'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { artworkTransitions, nextArtworkStatus } from '../../../src/domains/parcels/artwork/status.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { createParcel } from '../../testing/factories/parcels.ts'
import { darkest, openPaper, scan } from '../../testing/paper.ts'
import { countReads } from '../../testing/plans.ts'

describe('a company’s artwork', () => {
  let test: TestApp
  let owner: TestCustomer
  let manager: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    owner = await createCustomer(test, { userType: 'corporate', name: 'Kinabalu Trading' })
    manager = await createStaff(test, { role: 'account_manager' })
  })

  const upload = async (by: TestCustomer, colour = '#000000', purpose = 'artwork') => {
    const picture = await sharp({ create: { width: 600, height: 200, channels: 3, background: colour } })
      .png()
      .toBuffer()
    const form = new FormData()
    form.set('purpose', purpose)
    form.set('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'logo.png')
    const request = new Request('http://portal.test', { method: 'POST', body: form })
    const answer = await test.app.inject({
      method: 'POST',
      url: createAttachment.path,
      headers: { authorization: `Bearer ${by.token}`, 'content-type': request.headers.get('content-type') ?? '' },
      payload: Buffer.from(await request.arrayBuffer()),
    })
    expect(answer.statusCode).toBe(200)
    return answer.json().id as string
  }
  const begin = async (by = owner, attachmentId?: string) =>
    test.call(createArtwork, { token: by.token, body: { attachmentId: attachmentId ?? (await upload(by)) } })
  const decide = (
    id: string,
    event: Parameters<typeof nextArtworkStatus>[1],
    version: number,
    remark: string | null = null,
  ) =>
    test.call(decideArtwork, { token: manager.token, params: { id }, body: { event: event as never, version, remark } })
  const getNote = async () => {
    const { id } = await createParcel(test, owner, { status: 'pending_pickup' })
    const { raw } = await test.call(generateNotes, { token: owner.token, query: { ids: id } })
    const [page] = (await openPaper(raw)).pages
    return (page as NonNullable<typeof page>).raster(203)
  }
  /** The area of the logo on a note, without any text. */
  const logo = { x: 8, y: 7, width: 14, height: 3 }

  it('goes through the statuses of the specification and is printed once it is approved', async () => {
    const artwork = await begin()
    expect(artwork.body).toMatchObject({ status: 'draft.in_progress', printed: false })
    const { id } = artwork.body
    expect((await decide(id, 'draft_accepted', 1)).error.code).toBe('artwork_state')
    const submitted = await test.call(submitArtwork, { token: owner.token, params: { id }, body: { version: 1 } })
    expect(submitted.body.status).toBe('draft.ready')
    expect((await decide(id, 'draft_accepted', 1)).error.code).toBe('version_conflict')
    const waiting = await test.call(staffArtworks, { token: manager.token })
    expect(waiting.body.items[0]).toMatchObject({
      id,
      accountName: 'Kinabalu Trading',
      allowed: ['draft_rejected', 'draft_accepted'],
    })
    expect((await decide(id, 'draft_accepted', 2)).body.status).toBe('draft.completed')
    expect(darkest(await getNote(), { ...logo, x: 12 })).toBeDefined()
    expect((await decide(id, 'artwork_approved', 3)).body).toMatchObject({
      status: 'artwork.approved',
      printed: true,
      allowed: [],
    })
    const raster = await getNote()
    let dark = 0
    for (let x = 0; x < 14; x++) dark += darkest(raster, { x: logo.x + x, y: 9, width: 1, height: 0.5 }) < 60 ? 1 : 0
    expect(dark).toBe(14)
    expect((await scan(raster)).map(({ format }) => format)).toEqual(['Code128', 'QRCode'])
    // The next artwork does not replace it before approval.
    await begin()
    const list = await test.call(listArtworks, { token: owner.token })
    expect(list.body.items.map(({ status, printed }) => [status, printed])).toEqual([
      ['draft.in_progress', false],
      ['artwork.approved', true],
    ])
  })

  it('is listed for staff with its company, by as many statements for several companies as for one', async () => {
    const submit = async (by: TestCustomer) => {
      const { body } = await begin(by)
      await test.call(submitArtwork, { token: by.token, params: { id: body.id }, body: { version: 1 } })
      return body.id
    }
    const list = () => test.call(staffArtworks, { token: manager.token, query: { status: 'draft.ready' } })
    const first = await submit(owner)
    const countAll = async () => [
      await countReads('account_artworks', list),
      await countReads('accounts', list),
      await countReads('attachments', list),
    ]
    const countsForOne = await countAll()
    const names = ['Sabah Prints', 'Melaka Press']
    const others: string[] = []
    for (const name of names) others.push(await submit(await createCustomer(test, { userType: 'corporate', name })))
    expect(await countAll()).toEqual(countsForOne)
    const companies = new Map((await list()).body.items.map(({ id, accountName }) => [id, accountName]))
    expect([first, ...others].map((id) => companies.get(id))).toEqual(['Kinabalu Trading', ...names])
  })

  it('needs a remark for a rejection', async () => {
    const { body } = await begin()
    await test.call(submitArtwork, { token: owner.token, params: { id: body.id }, body: { version: 1 } })
    expect((await decide(body.id, 'draft_rejected', 2)).error.errors?.[0]?.field).toBe('remark')
    expect((await decide(body.id, 'draft_rejected', 2, 'Too pale to print')).body).toMatchObject({
      status: 'draft.rejected',
      remark: 'Too pale to print',
    })
  })

  it('must be an upload of the owner with the purpose artwork', async () => {
    const other = await createCustomer(test, { userType: 'corporate' })
    expect((await begin(owner, await upload(other))).error.errors?.[0]?.field).toBe('attachmentId')
    expect((await begin(owner, await upload(owner, '#000000', 'parcel_photo'))).status).toBe(422)
    const { body } = await begin()
    const submit = await test.call(submitArtwork, { token: other.token, params: { id: body.id }, body: { version: 1 } })
    expect(submit.status).toBe(404)
    const individual = await createCustomer(test)
    expect((await test.call(listArtworks, { token: individual.token })).status).toBe(403)
  })

  it('has a transition table that reaches every status, with final statuses at the end', () => {
    const reached = new Set(['draft.in_progress', ...artworkTransitions.map(({ to }) => to)])
    expect([...reached].sort()).toEqual([...artworkStatuses].sort())
    for (const event of artworkEvents) {
      expect(nextArtworkStatus('artwork.approved', event)).toBeNull()
      expect(nextArtworkStatus('draft.rejected', event)).toBeNull()
    }
  })
})
