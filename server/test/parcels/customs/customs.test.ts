import { writeFileSync } from 'node:fs'
import type { Customs } from '@waybill/contract/parcels/customs'
import { getCustomsDocument } from '@waybill/contract/parcels/customs'
import { createParcel, getParcel } from '@waybill/contract/parcels/parcels'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { findProhibited } from '../../../src/domains/parcels/cart/rules-prohibited.ts'
import { chooseCustomsForm } from '../../../src/domains/parcels/customs/layout-form.ts'
import { prohibitedContents } from '../../../src/domains/settings/rules-prohibited.ts'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { createParcel as makeParcel, testReceiver } from '../../testing/factories/parcels.ts'
import { openPaper, type Paper, scan } from '../../testing/paper.ts'
import { abroad, type Body, customs, items, parcel } from './gifts.ts'

describe('international parcels', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
  })
  const create = (body: Body) => test.call(createParcel, { body, token: owner.token })
  const getFields = async (body: Body) => {
    const { status, error } = await create(body)
    expect(status).toBe(422)
    return error.errors?.map(({ field }) => field)
  }

  it('store a declaration, whose total is the declared value', async () => {
    const { status, body } = await create(parcel())
    expect(status).toBe(200)
    expect(body).toMatchObject({ scope: 'international', declaredValueMinor: 21_000, missing: [], customs: { items } })
    const { body: none } = await create(parcel({ customs: null }))
    expect(none.missing).toEqual(['customs'])
    const paper = await create({ ...parcel({ customs: null, serviceType: 'document' }), dimensions: null })
    expect(paper.body.missing).toEqual([])
    const home = await create(parcel({ scope: 'domestic', receiver: testReceiver() }))
    expect(home.body.customs).toBeNull()
  })

  it('are priced and added to the cart', async () => {
    const { body } = await create(parcel({ addToCart: true }))
    expect(body.status).toBe('incart')
    expect(body.priceMinor).toBeGreaterThan(0)
    expect(body.carrier).not.toBe('own')
  })

  const one = items[0] as Customs['items'][number]
  const wrong: [string, Partial<Body>, string][] = [
    ['a total that is not the declared value', { declaredValueMinor: 20_999 }, 'declaredValueMinor'],
    [
      'a negative value',
      { customs: customs({ items: [{ ...one, unitValueMinor: -1 }] }) },
      'customs.items.0.unitValueMinor',
    ],
    [
      'a value of zero',
      { customs: customs({ items: [{ ...one, unitValueMinor: 0 }] }) },
      'customs.items.0.unitValueMinor',
    ],
    [
      'a huge value',
      { customs: customs({ items: [{ ...one, unitValueMinor: 1_000_000_001 }] }) },
      'customs.items.0.unitValueMinor',
    ],
    ['a huge total', { customs: customs({ items: [{ ...one, unitValueMinor: 900_000_000 }] }) }, 'customs.items'],
    ['no pieces', { customs: customs({ items: [{ ...one, quantity: 0 }] }) }, 'customs.items.0.quantity'],
    ['half a piece', { customs: customs({ items: [{ ...one, quantity: 1.5 }] }) }, 'customs.items.0.quantity'],
    ['no items', { customs: customs({ items: [] }) }, 'customs.items'],
    [
      'a tariff number with letters',
      { customs: customs({ items: [{ ...one, hsCode: 'tea' }] }) },
      'customs.items.0.hsCode',
    ],
    [
      'a sale without a tariff number',
      { customs: customs({ reason: 'sale', items: [{ ...one, hsCode: null }] }) },
      'customs.items.0.hsCode',
    ],
    ['the reason “other” without a text', { customs: customs({ reason: 'other' }) }, 'customs.reasonText'],
    ['items that weigh more than the parcel', { weightGrams: 799 }, 'customs.items'],
    [
      'an invalid country of origin',
      { customs: customs({ items: [{ ...one, originCountry: 'Malaysia' }] }) },
      'customs.items.0.originCountry',
    ],
    ['cash on delivery abroad', { codAmountMinor: 1000 }, 'codAmountMinor'],
    ['a station abroad', { deliveryMode: 'D2P' }, 'deliveryMode'],
    ['a domestic receiver', { receiver: testReceiver() }, 'receiver.country'],
    ['a phone number that no country has', { receiver: { ...abroad, phone: '+6511111111' } }, 'receiver.phone'],
    ['an invalid postcode for the country', { receiver: { ...abroad, postcode: '1234' } }, 'receiver.postcode'],
    ['no postcode for a country with postcodes', { receiver: { ...abroad, postcode: '' } }, 'receiver.postcode'],
    ['batteries by air', { contentDescription: 'Power banks' }, 'contentDescription'],
    [
      'prohibited contents in an item',
      { customs: customs({ items: [{ ...one, description: 'Chinese fireworks' }] }) },
      'customs.items.0.description',
    ],
    [
      'insurance above the declared value',
      { insuredValueMinor: 21_001, declaredValueMinor: 21_000 },
      'insuredValueMinor',
    ],
    [
      'insurance above the sum of the items, without a declared value',
      { insuredValueMinor: 500_000, declaredValueMinor: null },
      'insuredValueMinor',
    ],
  ]
  it.each(wrong)('are refused with %s', async (_, overrides, field) => {
    expect(await getFields(parcel(overrides))).toContain(field)
  })

  it('accept a receiver abroad with a phone number of another country', async () => {
    const expatriate = { ...abroad, phone: '+60123456789' }
    const answer = await create(parcel({ receiver: expatriate }))
    expect([answer.status, answer.body.receiver?.phone]).toEqual([200, expatriate.phone])
  })

  it('follow the rules of countries without postcodes or states', async () => {
    const hongKong = { ...abroad, country: 'hk', phone: '+85251234567', city: 'Kowloon', postcode: '', state: '' }
    expect((await create(parcel({ receiver: hongKong }))).status).toBe(200)
    const states = {
      ...abroad,
      country: 'us',
      phone: '+14155552671',
      city: 'San Francisco',
      postcode: '94105',
      state: '',
    }
    expect(await getFields(parcel({ receiver: states }))).toContain('receiver.state')
  })

  it('are refused with the name of the violated content rule, in the language of the caller', async () => {
    const body = { contentDescription: 'Fireworks for new year' }
    const en = await test.call(createParcel, { body, token: owner.token })
    expect(en.error.code).toBe('prohibited_content')
    expect(en.error.errors?.[0]?.message).toContain('Explosives and fireworks')
    const zh = await test.call(createParcel, { body, token: owner.token, language: 'zh' })
    expect(zh.error.errors?.[0]?.message).toContain('爆炸品与烟花爆竹')
    expect((await create({ contentDescription: 'Power bank' })).status).toBe(200)
  })

  it('are not refused for ordinary contents that resemble prohibited ones', () => {
    for (const fine of [
      'Gunny sacks',
      'Toy, no battery',
      'Wine glasses',
      'Matching socks',
      'Water bottle, without alcohol',
      'Cashew nuts',
      '茶叶',
    ])
      expect(findProhibited(fine, 'international', prohibitedContents)).toBeNull()
    for (const bad of ['FIREWORK', 'lithium  batteries', '烟花一箱', 'gas-cylinder'])
      expect(findProhibited(bad, 'international', prohibitedContents)).not.toBeNull()
    fc.assert(
      fc.property(fc.string(), (text) => {
        findProhibited(text, 'international', prohibitedContents)
      }),
    )
  })

  it('need a CN22 up to 300 SDR and 2 kg, otherwise a CN23', () => {
    expect(chooseCustomsForm(300 * 580, 2000, 580)).toBe('cn22')
    expect(chooseCustomsForm(300 * 580 + 1, 2000, 580)).toBe('cn23')
    expect(chooseCustomsForm(300 * 580, 2001, 580)).toBe('cn23')
  })

  const paidParcel = (overrides: Parameters<typeof makeParcel>[2] = {}) =>
    makeParcel(test, owner, {
      scope: 'international',
      carrier: 'dhl',
      status: 'pending_pickup',
      receiver: abroad,
      customs: JSON.stringify(customs()) as never,
      ...overrides,
    })
  const printDocument = async (id: string, language = 'en'): Promise<Paper> => {
    const response = await test.app.inject({
      method: 'GET',
      url: getCustomsDocument.path.replace(':id', id),
      headers: { authorization: `Bearer ${owner.token}`, 'accept-language': language },
    })
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/pdf'])
    if (process.env.PRINT_TO) writeFileSync(`${process.env.PRINT_TO}/${language}-${id}.pdf`, response.rawPayload)
    return openPaper(response.rawPayload)
  }

  it.each(['en', 'zh'])('have a printed CN22 if they are light and of low value, in %s', async (language) => {
    const row = await paidParcel()
    const { pages } = await printDocument(row.id, language)
    expect(pages).toHaveLength(1)
    const [page] = pages as [Paper['pages'][number]]
    for (const word of ['CN 22', '铁观音', 'Batik shirt', 'HS 090240', 'SINGAPORE', '210.00', 'China', 'MYR'])
      expect(page.text).toContain(word)
    if (language === 'zh') expect(page.text).toContain('报关单')
    expect((await scan(await page.raster(203))).map(({ text }) => text)).toContain(row.tracking_number)
  })

  it('have a printed CN23 if they are heavier or of higher value, on as many pages as needed', async () => {
    const many = Array.from({ length: 20 }, (_, n) => ({
      ...one,
      description: `Thing ${n + 1}, ${'well described '.repeat(6)}`,
    }))
    const row = await paidParcel({
      weight_grams: 25_000,
      customs: JSON.stringify(
        customs({ reason: 'sale', items: many, invoiceNumber: 'INV-77', comments: 'Fragile 易碎' }),
      ) as never,
    })
    const { pages } = await printDocument(row.id)
    expect(pages.length).toBeGreaterThan(1)
    // Only the last page keeps room for the signature.
    expect(pages[0]?.text).toContain('Thing 7')
    const text = pages.map((page) => page.text).join('\n')
    for (const word of ['CN 23', 'Thing 20', 'INV-77', 'Fragile', '易碎', '25.00\u00a0kg', 'ADDRESSEE'])
      expect(text).toContain(word)
  })

  it('have no customs document for other accounts, for drafts, or within the country', async () => {
    const row = await paidParcel()
    const draft = await paidParcel({ status: 'pending' })
    const home = await makeParcel(test, owner, { status: 'pending_pickup' })
    const other = await createCustomer(test)
    const fetchStatus = async (id: string, token: string) =>
      (
        await test.app.inject({
          method: 'GET',
          url: getCustomsDocument.path.replace(':id', id),
          headers: { authorization: `Bearer ${token}` },
        })
      ).statusCode
    expect(await fetchStatus(row.id, other.token)).toBe(404)
    expect(await fetchStatus(newId(), owner.token)).toBe(404)
    expect(await fetchStatus(draft.id, owner.token)).toBe(422)
    expect(await fetchStatus(home.id, owner.token)).toBe(422)
    const view = await test.call(getParcel, { params: { id: row.id }, token: owner.token })
    expect(view.body.allowedActions).toContain('print_customs')
  })
})
