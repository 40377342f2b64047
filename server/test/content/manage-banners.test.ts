import { createBanner, listStaffBanners, removeBanner, updateBanner } from '@waybill/contract/content/banners'
import { listBanners } from '@waybill/contract/content/content'
import { beforeAll, describe, expect, it } from 'vitest'
import { dayIn, days, later } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createStaff, type TestStaff } from '../testing/factories/accounts.ts'
import { uploadPhoto } from '../testing/factories/attachments.ts'

describe('banners, for the marketing staff', () => {
  let test: TestApp
  let writer: TestStaff
  let colleague: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    writer = await createStaff(test, { role: 'e_marketing' })
    colleague = await createStaff(test, { role: 'e_marketing' })
  })

  const day = (offset: number) => dayIn(later(test.clock.now(), days(offset)), test.deps.settings.get('timezone'))
  const input = (changes: object = {}) => ({
    kind: 'promotion' as const,
    title: { en: 'To Sabah from RM 14.50', cn_zh: '寄往沙巴' as string | null },
    body: { en: 'By air.', cn_zh: null as string | null },
    linkUrl: '/public/prices',
    imageId: null as string | null,
    position: 0,
    startsOn: day(0),
    endsOn: null as string | null,
    ...changes,
  })
  const create = async (changes: object = {}) => test.call(createBanner, { token: writer.token, body: input(changes) })
  const onPortal = async (language = 'en') => (await test.call(listBanners, { language })).body.items
  const list = async (query: object = {}) => (await test.call(listStaffBanners, { token: writer.token, query })).body

  it('are on from the first to the last day, in both languages and in their order', async () => {
    const later = await create({ title: { en: 'Second', cn_zh: null }, position: 5 })
    const first = await create({ position: 1, endsOn: day(0) })
    expect(first.body).toMatchObject({ state: 'on', startsOn: day(0), endsOn: day(0), image: null, version: 1 })
    await create({ title: { en: 'Soon', cn_zh: null }, startsOn: day(2) })
    await create({ title: { en: 'Gone', cn_zh: null }, startsOn: day(-3), endsOn: day(-1) })
    expect((await onPortal()).map(({ title }) => title)).toEqual(['To Sabah from RM 14.50', 'Second'])
    expect((await onPortal('zh-CN')).map(({ title, body }) => [title, body])).toEqual([
      ['寄往沙巴', 'By air.'],
      ['Second', 'By air.'],
    ])
    expect((await list({ tab: 'upcoming' })).items.map(({ title }) => title.en)).toEqual(['Soon'])
    expect((await list({ tab: 'over' })).items.map(({ title }) => title.en)).toEqual(['Gone'])
    expect((await list({ search: '寄往' })).total).toBe(1)
    expect((await list()).total).toBe(4)
    const params = { id: later.body.id }
    expect((await test.call(removeBanner, { token: writer.token, params })).status).toBe(200)
    expect((await test.call(removeBanner, { token: writer.token, params })).status).toBe(404)
    expect((await onPortal()).map(({ title }) => title)).toEqual(['To Sabah from RM 14.50'])
  })

  it('show an uploaded image to everybody, until another one takes its place', async () => {
    const photo = await uploadPhoto(test, writer.token, 'banner')
    const { body: banner } = await create({ title: { en: 'With image', cn_zh: null }, imageId: photo.id, position: -5 })
    expect(banner.image?.id).toBe(photo.id)
    const [top] = await onPortal()
    expect(top).toMatchObject({ title: 'With image', format: 'image' })
    expect((await test.app.inject(top?.imageUrl ?? '')).headers['content-type']).toContain('image/')
    const params = { id: banner.id }
    const save = (changes: object, token = writer.token) =>
      test.call(updateBanner, { token, params, body: { ...input(changes), version: banner.version } })
    const stolen = await uploadPhoto(test, colleague.token, 'banner')
    expect((await save({ imageId: stolen.id })).error.errors?.map(({ field }) => field)).toEqual(['imageId'])
    const proof = await uploadPhoto(test, writer.token, 'profile_photo')
    expect((await save({ imageId: proof.id })).status).toBe(422)
    // A colleague may keep the image that somebody else has uploaded.
    const answer = await save({ imageId: photo.id, title: { en: 'Renamed', cn_zh: null } }, colleague.token)
    expect(answer.body).toMatchObject({ title: { en: 'Renamed' }, image: { id: photo.id }, version: 2 })
    expect((await save({})).error.code).toBe('version_conflict')
    const without = { ...input({ title: { en: 'Renamed', cn_zh: null } }), version: 2 }
    const dropped = await test.call(updateBanner, { token: writer.token, params, body: without })
    expect(dropped.body).toMatchObject({ image: null, imageUrl: null })
    const claimed = test.deps.db.selectFrom('attachments').select('claimed_at').where('id', '=', photo.id)
    expect(await claimed.executeTakeFirst()).toEqual({ claimed_at: null })
  })

  it('are refused with every wrong field named, and nothing is stored', async () => {
    const before = (await list()).total
    const fields = async (changes: object) => (await create(changes)).error.errors?.map(({ field }) => field)
    expect(await fields({ title: { en: ' ', cn_zh: 'x' }, kind: 'other' })).toEqual(['kind', 'title.en'])
    for (const linkUrl of ['javascript:alert(1)', '//evil.example', 'data:text/html,x', 'public/prices'])
      expect(await fields({ linkUrl }), linkUrl).toEqual(['linkUrl'])
    expect(await fields({ startsOn: day(1), endsOn: day(0) })).toEqual(['endsOn'])
    expect(await fields({ startsOn: '2026-02-30' })).toEqual(['startsOn'])
    expect(await fields({ position: 1.5 })).toEqual(['position'])
    expect(await fields({ imageId: newId() })).toEqual(['imageId'])
    expect((await list()).total).toBe(before)
    const missing = { token: writer.token, params: { id: newId() }, body: { ...input(), version: 1 } }
    expect((await test.call(updateBanner, missing)).status).toBe(404)
  })

  it('leave entries in the activity log', async () => {
    const { body } = await create({ title: { en: 'Logged', cn_zh: null } })
    await test.call(removeBanner, { token: colleague.token, params: { id: body.id } })
    const log = await test.deps.db
      .selectFrom('activity_log')
      .select(['action', 'user_id'])
      .where('subject', '=', body.id)
      .orderBy('at')
      .orderBy('id')
      .execute()
    expect(log).toEqual([
      { action: 'content.created', user_id: writer.userId },
      { action: 'content.removed', user_id: colleague.userId },
    ])
  })
})
