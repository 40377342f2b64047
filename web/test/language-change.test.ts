import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { currentLanguage, loadAllTexts, setLanguage, startI18n } from '../src/lib/i18n.ts'
import { refreshOnLanguageChange } from '../src/lib/query.ts'
import { endpointKey } from '../src/lib/refresh-answers.ts'

vi.mock('../src/lib/browser/chinese-font.ts', () => ({ loadChineseFontWhereMissing: () => undefined }))

const loadedPaths: string[] = []
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
vi.stubGlobal('document', { documentElement: {} })
vi.stubGlobal('fetch', async (path: string) => {
  loadedPaths.push(path)
  return Response.json({})
})

afterEach(() => setLanguage('en'))

/** A screen that reads a list. The test answers each of its requests, which notes the language that it was sent in. */
function openScreen() {
  const client = new QueryClient()
  refreshOnLanguageChange(client)
  const requests: { language: string; answer: (text: string) => void }[] = []
  const observer = new QueryObserver(client, {
    queryKey: [...endpointKey({ id: 'parcels.list' }), null],
    queryFn: () =>
      new Promise<string>((answer) => {
        requests.push({ language: currentLanguage(), answer })
      }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const screenTexts: unknown[] = []
  observer.subscribe(({ data }) => screenTexts.push(data))
  return { requests, screenTexts, screenText: () => observer.getCurrentResult().data }
}

test('another language loads the data again and keeps the old until the new arrives', async () => {
  const { requests, screenTexts, screenText } = openScreen()
  requests[0]?.answer('Former customer')
  await expect.poll(screenText).toBe('Former customer')
  screenTexts.length = 0
  await setLanguage('cn_zh')
  await expect.poll(() => requests.map(({ language }) => language)).toEqual(['en', 'cn_zh'])
  expect(screenText()).toBe('Former customer')
  requests[1]?.answer('前客户')
  await expect.poll(screenText).toBe('前客户')
  expect(new Set(screenTexts)).toEqual(new Set(['Former customer', '前客户']))
})

test('a first response that was requested in the other language is requested again', async () => {
  const { requests, screenText } = openScreen()
  await setLanguage('cn_zh')
  requests[0]?.answer('Former customer')
  await expect.poll(() => requests.length).toBe(2)
  expect(requests[1]?.language).toBe('cn_zh')
  requests[1]?.answer('前客户')
  await expect.poll(screenText).toBe('前客户')
})

test('the same language loads nothing', async () => {
  const { requests, screenText } = openScreen()
  requests[0]?.answer('Former customer')
  await expect.poll(screenText).toBe('Former customer')
  await setLanguage('en')
  expect(requests).toHaveLength(1)
})

test('a page with all texts changes its language only when all texts of the other one are loaded', async () => {
  await startI18n('index', 'en')
  await loadAllTexts()
  loadedPaths.length = 0
  await setLanguage('cn_zh')
  expect(loadedPaths).toContain('/locales/cn_zh/global.json')
})
