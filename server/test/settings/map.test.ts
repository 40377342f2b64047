import { getGeneralSettings, putSettings } from '@waybill/contract/settings/settings'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createStaff } from '../testing/factories/accounts.ts'
import { secondProcess } from '../testing/second-process.ts'

let test: TestApp
let token: string
beforeAll(async () => {
  test = await buildTestApp()
  token = (await createStaff(test, { type: 'admin' })).token
})
const save = (values: Record<string, unknown>) => test.call(putSettings, { token, body: { values } })

describe('the tiles of the map', () => {
  it('allow images from the host of the map tiles in every process, and from no other host', async () => {
    const other = await secondProcess(test)
    const policies = async () => {
      const headers = [
        (await test.call(getGeneralSettings)).headers,
        (await other.inject(getGeneralSettings.path)).headers,
      ]
      return headers.map((each) => /img-src ([^;]*)/.exec(String(each['content-security-policy']))?.[1])
    }
    expect((await test.call(getGeneralSettings)).body.map).toBeNull()
    expect(await policies()).toEqual(["'self' data: blob:", "'self' data: blob:"])
    const reload = new Promise<void>((resolve) => other.deps.live.subscribe('settings', () => resolve()))
    const tileUrl = 'https://tiles.example.org:8443/osm/{z}/{x}/{y}.png?key=abc'
    const saved = await save({ 'map.tileUrl': tileUrl, 'map.attribution': '© <b>Mappers</b>' })
    expect(saved.status).toBe(200)
    await reload
    await other.deps.settings.reload()
    const allowed = "'self' data: blob: https://tiles.example.org:8443"
    expect(await policies()).toEqual([allowed, allowed])
    const { body } = await test.call(getGeneralSettings)
    expect(body.map).toEqual({ tileUrl, attribution: '© <b>Mappers</b>' })
    await save({ 'map.tileUrl': null })
    expect((await policies())[0]).toBe("'self' data: blob:")
  })

  it.each([
    'http://tiles.example.org/{z}/{x}/{y}.png',
    'https://tiles.example.org/{z}/{x}.png',
    'https://{s}.example.org/{z}/{x}/{y}.png',
    "https://tiles.example.org; script-src 'unsafe-inline'/{z}/{x}/{y}",
    'javascript:alert(1)//{z}/{x}/{y}',
  ])('reject the URL %s', async (tileUrl) => {
    const { status, error } = await save({ 'map.tileUrl': tileUrl })
    expect([status, error.errors?.map(({ field }) => field)]).toEqual([422, ['map.tileUrl']])
  })
})
