import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { pickTexts } from '../page-texts.ts'

vi.mock('react', () => ({ useSyncExternalStore: (_: unknown, read: () => unknown) => read() }))

const web = join(import.meta.dirname, '..')

const texts = {
  nav: { home: 'Home', cart: 'Cart', staffHome: 'Work' },
  found: { parcels_one: '{{count}} parcel', parcels_other: '{{count}} parcels', orders_other: 'orders' },
  errors: { offline: 'You are offline', timeout: 'Too slow' },
  fields: { name: 'Name', deep: { er: 'Deeper' } },
  mail: { subject: 'Your parcel' },
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test('picks the texts whose keys are in the code of a page, with their plurals', () => {
  expect(pickTexts(texts, 't(\'nav.home\'); t(`found.parcels`,{count:2}); label:"nav.cart"')).toEqual({
    nav: { home: 'Home', cart: 'Cart' },
    found: { parcels_one: '{{count}} parcel', parcels_other: '{{count}} parcels' },
  })
})

test('picks every text with the same prefix if a key is built at run time', () => {
  expect(pickTexts(texts, ['t(`errors.$', '{code}`)'].join(''))).toEqual({ errors: texts.errors })
  expect(pickTexts(texts, "t('fields.deep.' + name)")).toEqual({ fields: { deep: { er: 'Deeper' } } })
})

test('every page needs few error texts, because the API client names each by its complete key', () => {
  const { errors } = JSON.parse(readFileSync(join(web, 'public/locales/en/global.json'), 'utf8'))
  const picked = pickTexts({ errors }, readFileSync(join(web, 'src/lib/api.ts'), 'utf8'))
  const names = Object.keys(picked.errors ?? {}).toSorted()
  expect(names).toEqual(['internal', 'malformed', 'offline', 'timeout', 'unavailable'])
})

/** i18n with files by path; returns the paths that were loaded. */
async function start(files: Record<string, unknown>) {
  const loadedPaths: string[] = []
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
  vi.stubGlobal('document', { documentElement: {} })
  vi.stubGlobal('fetch', async (path: string) => {
    loadedPaths.push(path)
    return path in files ? Response.json(files[path]) : new Response(null, { status: 404 })
  })
  const { startI18n, useT: getTranslate } = await import('../src/lib/i18n.ts')
  await startI18n('track')
  /** The text that a component shows after React has rendered it again each time it suspended. */
  const show = async (text: string): Promise<string> => {
    try {
      return getTranslate()(text, { count: 2 })
    } catch (reason) {
      if (!(reason instanceof Promise)) throw reason
      await reason
      return show(text)
    }
  }
  return { loadedPaths, show }
}

test('suspends a component until a text missing in the first file is loaded, and never shows its key', async () => {
  const { loadedPaths, show } = await start({
    '/locales/en/track.json': pickTexts(texts, "'nav.home'"),
    '/locales/en/global.json': texts,
  })
  expect(await show('nav.home')).toBe('Home')
  expect(loadedPaths).toEqual(['/locales/en/track.json'])
  expect(await show('found.parcels')).toBe('2 parcels')
  expect(await show('mail.subject')).toBe('Your parcel')
  expect(loadedPaths).toEqual(['/locales/en/track.json', '/locales/en/global.json'])
})

test('shows the key instead of waiting forever if the other texts cannot be loaded', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const { show } = await start({ '/locales/en/track.json': pickTexts(texts, "'nav.home'") })
  expect(await show('mail.subject')).toBe('mail.subject')
  expect(await show('nav.home')).toBe('Home')
})

test('does not replace all texts by those of the first screen if these arrive later', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
  vi.stubGlobal('document', { documentElement: {} })
  const indexFile = Promise.withResolvers<void>()
  vi.stubGlobal('fetch', async (path: string) => {
    if (!path.endsWith('/index.json')) return Response.json(texts)
    await indexFile.promise
    return Response.json(pickTexts(texts, "'nav.home'"))
  })
  const { loadAllTexts, startI18n, t } = await import('../src/lib/i18n.ts')
  const startup = startI18n('index')
  await loadAllTexts()
  indexFile.resolve()
  await startup
  expect(t('mail.subject')).toBe('Your parcel')
})
