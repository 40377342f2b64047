import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { listBanners } from '@waybill/contract/content/content'
import { bannerKindLabels } from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { beforeAll, describe, expect, it } from 'vitest'
import { days, later } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'

let test: TestApp
beforeAll(async () => {
  test = await buildTestApp()
  await seedTestNetwork(test)
})

const publicFiles = join(import.meta.dirname, '../../../web/public')

describe('banners', () => {
  it('are seeded in every kind, in both languages, with existing pictures', async () => {
    const english = await test.call(listBanners)
    const chinese = await test.call(listBanners, { language: 'zh-CN' })
    expect(english.body.items.map(({ kind }) => kind)).toEqual(['promotion', 'festival', 'product'])
    const kinds = await test.deps.db.selectFrom('banners').select('kind').execute()
    expect(kinds.map(({ kind }) => kind).sort()).toEqual(labelValues(bannerKindLabels).sort())
    expect(english.body.items[0]?.title).toContain('Sabah')
    expect(chinese.body.items[0]?.title).toContain('沙巴')
    const pictures = english.body.items.flatMap(({ imageUrl }) => imageUrl ?? [])
    expect(pictures.length).toBeGreaterThan(0)
    expect(pictures.filter((path) => !existsSync(join(publicFiles, path)))).toEqual([])
  })

  it('are shown in their period and order, in English if the translation is missing', async () => {
    const now = test.clock.now()
    const row = (en: string, position: number, starts: number, ends: number | null) => ({
      id: newId(),
      kind: 'event',
      format: 'text',
      title: JSON.stringify({ en }),
      position,
      starts_at: later(now, days(starts)),
      ends_at: ends === null ? null : later(now, days(ends)),
    })
    await test.deps.db
      .insertInto('banners')
      .values([row('Over', -9, -2, -1), row('To come', -8, 1, 2), row('On', -7, -1, 1), row('First', -10, -1, null)])
      .execute()
    const listTitles = async () =>
      (await test.call(listBanners, { language: 'zh-CN' })).body.items.map(({ title }) => title)
    expect((await listTitles()).slice(0, 3)).toEqual(['First', 'On', expect.stringContaining('沙巴')])
    test.clock.advance(days(1))
    expect((await listTitles()).slice(0, 2)).toEqual(['First', 'To come'])
  })
})
