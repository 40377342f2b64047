import { createAttachment } from '@waybill/contract/attachments/attachments'
import {
  createBanner,
  getBanner,
  listStaffBanners,
  removeBanner,
  updateBanner,
} from '@waybill/contract/content/banners'
import { listBanners, shownBanners } from '@waybill/contract/content/content'
import { beforeAll, describe, expect, it } from 'vitest'
import { dayIn, days, later } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { listActivities } from '../testing/activities.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createStaff, type TestStaff } from '../testing/factories/accounts.ts'
import { uploadPhoto } from '../testing/factories/attachments.ts'
import { upload } from '../testing/forms.ts'

describe('the management of banners', () => {
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
  const listOnPortal = async (language = 'en') => (await test.call(listBanners, { language })).body.items
  const list = async (query: object = {}) => (await test.call(listStaffBanners, { token: writer.token, query })).body

  it('shows banners from the first to the last day, in both languages and in order', async () => {
    const later = await create({ title: { en: 'Second', cn_zh: null }, position: 5 })
    const first = await create({ position: 1, endsOn: day(0) })
    expect(first.body).toMatchObject({ state: 'on', startsOn: day(0), endsOn: day(0), image: null, version: 1 })
    await create({ title: { en: 'Soon', cn_zh: null }, startsOn: day(2) })
    await create({ title: { en: 'Gone', cn_zh: null }, startsOn: day(-3), endsOn: day(-1) })
    expect((await listOnPortal()).map(({ title }) => title)).toEqual(['To Sabah from RM 14.50', 'Second'])
    expect((await listOnPortal('zh-CN')).map(({ title, body }) => [title, body])).toEqual([
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
    expect((await listOnPortal()).map(({ title }) => title)).toEqual(['To Sabah from RM 14.50'])
  })

  it('shows an uploaded image to everybody until another one replaces it', async () => {
    const photo = await uploadPhoto(test, writer.token, 'banner')
    const { body: banner } = await create({ title: { en: 'With image', cn_zh: null }, imageId: photo.id, position: -5 })
    expect(banner.image?.id).toBe(photo.id)
    const [top] = await listOnPortal()
    expect(top).toMatchObject({ title: 'With image', format: 'image' })
    expect((await test.app.inject(top?.imageUrl ?? '')).headers['content-type']).toContain('image/')
    const params = { id: banner.id }
    const save = (changes: object, token = writer.token) =>
      test.call(updateBanner, { token, params, body: { ...input(changes), version: banner.version } })
    const foreignPhoto = await uploadPhoto(test, colleague.token, 'banner')
    expect((await save({ imageId: foreignPhoto.id })).error.errors?.map(({ field }) => field)).toEqual(['imageId'])
    const proof = await uploadPhoto(test, writer.token, 'profile_photo')
    expect((await save({ imageId: proof.id })).status).toBe(422)
    // A colleague may keep the image that another user has uploaded.
    const answer = await save({ imageId: photo.id, title: { en: 'Renamed', cn_zh: null } }, colleague.token)
    expect(answer.body).toMatchObject({ title: { en: 'Renamed' }, image: { id: photo.id }, version: 2 })
    expect((await save({})).error.code).toBe('version_conflict')
    const without = { ...input({ title: { en: 'Renamed', cn_zh: null } }), version: 2 }
    const update = await test.call(updateBanner, { token: writer.token, params, body: without })
    expect(update.body).toMatchObject({ image: null, imageUrl: null })
    const claim = test.deps.db.selectFrom('attachments').select('claimed_at').where('id', '=', photo.id)
    expect(await claim.executeTakeFirst()).toEqual({ claimed_at: null })
  })

  it('rejects invalid banners, names every wrong field, and stores nothing', async () => {
    const before = (await list()).total
    const listWrongFields = async (changes: object) => (await create(changes)).error.errors?.map(({ field }) => field)
    expect(await listWrongFields({ title: { en: ' ', cn_zh: 'x' }, kind: 'other' })).toEqual(['kind', 'title.en'])
    for (const linkUrl of [
      'javascript:alert(1)',
      ' JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'https:evil.example',
      'https://portal.example@evil.example/',
      'https://evil.example\\@portal.example/',
      'https://evil.example/steal.js',
      'https://evil.example/steal.mjs?v=1',
      'https://evil.example/app.apk#now',
      'https://evil.example/a b',
      'public/prices',
      `https://example.com/${'a'.repeat(2048)}`,
    ])
      expect(await listWrongFields({ linkUrl }), linkUrl).toEqual(['linkUrl'])
    for (const linkUrl of ['/', '/public/prices?from=50450#top', 'https://partner.example', 'HTTPS://a.example/x.html'])
      expect(await listWrongFields({ linkUrl, endsOn: day(-1), startsOn: day(0) }), linkUrl).toEqual(['endsOn'])
    const script = '<script src=https://evil.example/x.js></script>'
    expect(await listWrongFields({ title: { en: script, cn_zh: '<b>优惠</b>' } })).toEqual(['title.en', 'title.cn_zh'])
    expect(await listWrongFields({ body: { en: '<img src=x onerror=alert(1)>', cn_zh: '</p>' } })).toEqual([
      'body.en',
      'body.cn_zh',
    ])
    const banner = await create({ title: { en: 'Under 2 kg: < RM 5, > 100 towns', cn_zh: null }, startsOn: day(9) })
    expect(banner.status).toBe(200)
    await test.call(removeBanner, { token: writer.token, params: { id: banner.body.id } })
    expect(await listWrongFields({ startsOn: day(1), endsOn: day(0) })).toEqual(['endsOn'])
    expect(await listWrongFields({ startsOn: '2026-02-30' })).toEqual(['startsOn'])
    expect(await listWrongFields({ position: 1.5 })).toEqual(['position'])
    expect(await listWrongFields({ imageId: newId() })).toEqual(['imageId'])
    expect((await list()).total).toBe(before)
    const unknownBanner = { token: writer.token, params: { id: newId() }, body: { ...input(), version: 1 } }
    expect((await test.call(updateBanner, unknownBanner)).status).toBe(404)
    expect((await test.call(getBanner, { token: writer.token, params: unknownBanner.params })).status).toBe(404)
  })

  it('rejects an image that contains a script, whatever its name and type', async () => {
    const listFiles = () => test.deps.db.selectFrom('attachments').select('id').execute()
    const before = await listFiles()
    for (const content of [
      '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
      '<html><script>alert(1)</script></html>',
      'GIF89a=alert(1);//',
      '%PDF-1.7\n%%EOF',
    ]) {
      const file = { name: 'summer.png', type: 'image/png', bytes: new TextEncoder().encode(content) }
      const answer = await upload(test, createAttachment, { token: writer.token, file, fields: { purpose: 'banner' } })
      expect(answer.status, content).toBeGreaterThanOrEqual(415)
      expect(answer.status, content).toBeLessThan(500)
    }
    expect(await listFiles()).toEqual(before)
  })

  it('returns single banners in both languages to staff who may edit them', async () => {
    const { body: banner } = await create({ title: { en: 'One', cn_zh: '一' }, startsOn: day(3) })
    const params = { id: banner.id }
    expect((await test.call(getBanner, { token: colleague.token, params })).body).toEqual(banner)
    const customer = await createCustomer(test)
    expect((await test.call(getBanner, { token: customer.token, params })).status).toBe(403)
    expect((await test.call(getBanner, { params })).status).toBe(401)
    await test.call(removeBanner, { token: writer.token, params })
  })

  it('shows three banners at a time and marks the others; the list pages forwards and backwards', async () => {
    await test.deps.db.deleteFrom('banners').execute()
    // At the same position the banner that starts last comes first.
    const places = [
      [1, -1],
      [-2, -5],
      [1, -3],
      [-2, -4],
      [0, 0],
      [1, 2],
      [-3, -9],
    ] as const
    for (const [position, start] of places)
      await create({ title: { en: `${position} ${start}`, cn_zh: null }, position, startsOn: day(start) })
    await create({ title: { en: 'over', cn_zh: null }, position: -9, startsOn: day(-9), endsOn: day(-8) })
    const order = ['over', '-3 -9', '-2 -4', '-2 -5', '0 0', '1 2', '1 -1', '1 -3']
    expect((await listOnPortal()).map(({ title }) => title)).toEqual(['-3 -9', '-2 -4', '-2 -5'])
    expect(shownBanners).toBe(3)
    const all = (await list()).items
    expect(all.map(({ title }) => title.en)).toEqual(order)
    expect(all.filter(({ shown: isShown }) => isShown).map(({ title }) => title.en)).toEqual([
      '-3 -9',
      '-2 -4',
      '-2 -5',
    ])
    const titles: string[] = []
    let page = await list({ limit: 3 })
    for (;;) {
      titles.push(...page.items.map(({ title }) => title.en))
      expect(page.total).toBe(places.length + 1)
      if (!page.next) break
      page = await list({ limit: 3, after: page.next })
    }
    expect(titles).toEqual(order)
    const previousPage = await list({ limit: 3, before: page.previous })
    expect(previousPage.items.map(({ title }) => title.en)).toEqual(order.slice(3, 6))
    const wrong = { token: writer.token, query: { after: Buffer.from(`1 x|${newId()}`).toString('base64url') } }
    expect((await test.call(listStaffBanners, wrong)).error.errors?.map(({ field }) => field)).toEqual(['after'])
  })

  it('writes entries to the activity log', async () => {
    const { body } = await create({ title: { en: 'Logged', cn_zh: null } })
    await test.call(removeBanner, { token: colleague.token, params: { id: body.id } })
    const log = await listActivities(test, { subject: body.id })
    expect(log).toMatchObject([
      { action: 'content.created', user_id: writer.userId },
      { action: 'content.removed', user_id: colleague.userId },
    ])
  })
})
