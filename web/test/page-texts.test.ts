import { afterEach, expect, test, vi } from 'vitest'
import { pickTexts } from '../page-texts.ts'

vi.mock('react', () => ({ useSyncExternalStore: (_: unknown, read: () => unknown) => read() }))

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

test('a page gets the texts that its code names, with their plurals', () => {
  expect(pickTexts(texts, 't(\'nav.home\'); t(`found.parcels`,{count:2}); label:"nav.cart"')).toEqual({
    nav: { home: 'Home', cart: 'Cart' },
    found: { parcels_one: '{{count}} parcel', parcels_other: '{{count}} parcels' },
  })
})

test('a key that is put together at run time brings every text with its beginning', () => {
  expect(pickTexts(texts, ['t(`errors.$', '{code}`)'].join(''))).toEqual({ errors: texts.errors })
  expect(pickTexts(texts, "t('fields.deep.' + name)")).toEqual({ fields: { deep: { er: 'Deeper' } } })
})

/** i18n with files by path; returns the paths that were loaded. */
async function start(files: Record<string, unknown>) {
  const loaded: string[] = []
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
  vi.stubGlobal('document', { documentElement: {} })
  vi.stubGlobal('fetch', async (path: string) => {
    loaded.push(path)
    return path in files ? Response.json(files[path]) : new Response(null, { status: 404 })
  })
  const { startI18n, useT: getTranslate } = await import('../src/lib/i18n.ts')
  await startI18n('track')
  /** What a component shows after React has rendered it as often as it suspended. */
  const show = async (text: string): Promise<string> => {
    try {
      return getTranslate()(text, { count: 2 })
    } catch (reason) {
      if (!(reason instanceof Promise)) throw reason
      await reason
      return show(text)
    }
  }
  return { loaded, show }
}

test('a component waits for a text that the first file does not have, and never shows its key', async () => {
  const { loaded, show } = await start({
    '/locales/en/track.json': pickTexts(texts, "'nav.home'"),
    '/locales/en/global.json': texts,
  })
  expect(await show('nav.home')).toBe('Home')
  expect(loaded).toEqual(['/locales/en/track.json'])
  expect(await show('found.parcels')).toBe('2 parcels')
  expect(await show('mail.subject')).toBe('Your parcel')
  expect(loaded).toEqual(['/locales/en/track.json', '/locales/en/global.json'])
})

test('where the other texts cannot be loaded, a component shows the key instead of waiting for ever', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const { show } = await start({ '/locales/en/track.json': pickTexts(texts, "'nav.home'") })
  expect(await show('mail.subject')).toBe('mail.subject')
  expect(await show('nav.home')).toBe('Home')
})

test('texts of the first screen that come after all texts do not replace them', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
  vi.stubGlobal('document', { documentElement: {} })
  const late = Promise.withResolvers<void>()
  vi.stubGlobal('fetch', async (path: string) => {
    if (!path.endsWith('/index.json')) return Response.json(texts)
    await late.promise
    return Response.json(pickTexts(texts, "'nav.home'"))
  })
  const { loadAllTexts, startI18n, t } = await import('../src/lib/i18n.ts')
  const started = startI18n('index')
  await loadAllTexts()
  late.resolve()
  await started
  expect(t('mail.subject')).toBe('Your parcel')
})
