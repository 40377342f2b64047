import { register, verifyRegistration } from '@waybill/contract/accounts/sign-in'
import { getLegalText, type LegalKind, listLegalVersions, publishLegalText } from '@waybill/contract/legal/legal'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { listActivities } from '../testing/activities.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createStaff } from '../testing/factories/accounts.ts'
import { createSender } from '../testing/factories/bulk.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { latestCode, newcomer } from '../testing/factories/newcomers.ts'
import { placeOrder } from '../testing/factories/orders.ts'

describe('terms of carriage and privacy notice', () => {
  let test: TestApp
  let token: string
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    token = (await createStaff(test, { role: 'e_marketing' })).token
  })
  const publish = (kind: LegalKind, after: number | null, en: string, cn_zh: string | null = null) =>
    test.call(publishLegalText, { params: { kind }, body: { after, text: { en, cn_zh } }, token })
  const read = (kind: LegalKind, version?: number, language = 'en') =>
    test.call(getLegalText, { params: { kind }, query: version ? { version } : {}, language })

  it('have versions that staff publish and everyone can read, in their own language', async () => {
    expect((await read('privacy')).status).toBe(404)
    expect((await publish('privacy', null, 'We keep little.', '我们保存得很少。')).body).toMatchObject({ version: 1 })
    expect((await read('privacy', undefined, 'zh')).body).toMatchObject({ version: 1, text: '我们保存得很少。' })
    await publish('privacy', 1, 'We keep less.')
    expect((await read('privacy')).body).toMatchObject({ version: 2, latest: 2, text: 'We keep less.' })
    // Without a Chinese text, the English one is shown; an earlier version stays unchanged.
    expect((await read('privacy', undefined, 'zh')).body.text).toBe('We keep less.')
    expect((await read('privacy', 1)).body).toMatchObject({ version: 1, latest: 2, text: 'We keep little.' })
    expect((await read('privacy', 3)).status).toBe(404)
    const { items } = (await test.call(listLegalVersions, { params: { kind: 'privacy' }, token })).body
    expect(items.map(({ version, text }) => [version, text.en, text.cn_zh])).toEqual([
      [2, 'We keep less.', null],
      [1, 'We keep little.', '我们保存得很少。'],
    ])
    const log = await listActivities(test, { action: 'legal.published' })
    expect(log.map(({ detail }) => detail)).toContainEqual({ kind: 'privacy', version: 2 })
  })

  it('reject a version that is based on an outdated one, and an empty text', async () => {
    await publish('terms', null, 'First')
    const conflict = await publish('terms', null, 'Also first')
    expect(conflict).toMatchObject({ status: 409, error: { code: 'version_conflict' } })
    expect((await publish('terms', 1, '   ')).error.errors?.[0]?.field).toBe('text.en')
    expect((await read('terms')).body).toMatchObject({ version: 1, text: 'First' })
  })

  it('have their accepted versions stored with each registration and checkout', async () => {
    const accepted = { terms: (await read('terms')).body.version, privacy: (await read('privacy')).body.version }
    const person = newcomer()
    const { browserToken } = (await test.call(register, { body: person })).body
    // A version that is published before the user enters the emailed code was not accepted.
    await publish('terms', accepted.terms, 'Next')
    const code = await latestCode(test, person.email)
    expect((await test.call(verifyRegistration, { body: { browserToken, code } })).status).toBe(200)
    const users = await sql`
      select terms_version as terms, privacy_version as privacy
      from users
      where email = ${person.email}`.execute(test.deps.db)
    expect(users.rows).toEqual([accepted])

    const { id } = await placeOrder(test, await createSender(test))
    const orders = await sql`select terms_version from orders where id = ${id}::uuid`.execute(test.deps.db)
    expect(orders.rows).toEqual([{ terms_version: accepted.terms + 1 }])
  })
})
