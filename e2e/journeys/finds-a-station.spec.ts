import type { Page } from '@playwright/test'
import { authorization, callAsPage } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { button, startSession } from '../support/steps.ts'
import type { Text } from '../support/texts.ts'

/** In Bangsar, next to postcode 59100. */
const code = 'KUL-PP1'
const name = 'Kedai Serbaneka Telawi, Bangsar'
/** The courier's own terms for its stations. */
const internalType = /warehouse|tier [12]|仓库|[一二]级/i

test('a visitor finds an open station near a postcode in the list and on the map', async ({
  page,
  text,
  someoneElse,
  checkAccess,
}) => {
  await test.step('staff open a station around the clock', async () => openAlways(await someoneElse()))
  await page.goto('/')
  await page.getByRole('link', { name: text('home.allStations') }).click()
  await test.step('finds open stations by postcode', () => search(page, text))
  await test.step('keeps the whole search in the URL', async () => {
    await page.reload()
    await expect(page.getByRole('checkbox', { name: text('fields.openNow') })).toBeChecked()
    await expect(card(page)).toContainText(text('home.openNow'))
  })
  await checkAccess(page, 'stations near a postcode')
  await test.step('opens a station on the map with the keyboard', () => findOnMap(page, text))
  await checkAccess(page, 'the map of stations')
})

test('a visitor finds nearby stations, or reads why there are none', async ({ page, text }) => {
  await page.goto('/public/stations')
  await expect(page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2 }) })).not.toHaveCount(0)
  await expect(page.getByRole('main')).not.toContainText(internalType)
  // A closed station says when it opens.
  const [opens = ''] = text('home.opensToday', { time: '|' }).split('|')
  await expect(
    page.getByText(new RegExp(`^${text('home.openNow')}|${opens.trim()}.*\\d{2}:\\d{2}`)).first(),
  ).toBeVisible()
  await button(page, text('stations.nearMe')).click()
  await expect(page.getByText(text('stations.location.denied'))).toBeVisible()
  await page.context().grantPermissions(['geolocation'])
  await page.context().setGeolocation({ latitude: 3.1301, longitude: 101.6719 })
  await button(page, text('stations.nearMe')).click()
  await expect(page.getByText(text('stations.nearYou'))).toBeVisible()
  await expect(page).toHaveURL(/near=3\.130%2C101\.672/)
  await expect(page.getByRole('listitem').filter({ hasText: name })).toBeVisible()
  await page.getByRole('searchbox').fill('Atlantis')
  await button(page, text('actions.search')).click()
  await button(page, text('stations.tryNear', { place: 'Atlantis' })).click()
  await expect(page.getByText(text('validation.placeUnknown').replace(/^%field%[:：]\s*/, ''))).toBeVisible()
})

const card = (page: Page) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })

async function search(page: Page, text: Text): Promise<void> {
  await page.getByRole('searchbox', { name: text('stations.search') }).fill('59100')
  await button(page, text('actions.search')).click()
  await page.getByRole('checkbox', { name: text('fields.openNow') }).check()
  await expect(page.getByText(text('stations.nearPlace', { place: '59100' }))).toBeVisible()
  await expect(page).toHaveURL(/openNow=/)
  // It comes first because the others are farther away.
  await expect(page.getByRole('heading', { level: 2 }).first()).toContainText(name)
  await expect(card(page)).toContainText(/km|m|公里|米/)
}

async function findOnMap(page: Page, text: Text): Promise<void> {
  const onPhone = await button(page, text('stations.map')).isVisible()
  if (onPhone) await button(page, text('stations.map')).click()
  const map = page.getByRole('region', { name: text('stations.mapOf') })
  await map.getByRole('button', { name: new RegExp(name) }).focus()
  // Stations that share a pin are separated when it is pressed.
  await expect(async () => {
    const pin = map.getByRole('button', { name: text('stations.pin', { number: 1, station: name }) })
    if (await pin.isVisible()) await pin.press('Enter')
    else await map.getByRole('button', { name: new RegExp(name) }).press('Enter')
    await expect(pin).toHaveAttribute('aria-pressed', 'true', { timeout: 1_000 })
  }).toPass()
  await expect(card(page)).toHaveAttribute('aria-current', 'location')
  await button(card(page), text('stations.coverageOf', { station: name })).click()
  await expect(page.getByRole('dialog')).toContainText(text('stations.counterOnly'))
  await page.keyboard.press('Escape')
}

/** Opens a station around the clock, and removes today's holidays: the journey must work at any time. */
async function openAlways(page: Page): Promise<void> {
  await startSession(page, 'admin@waybill.example')
  const headers = await authorization(page)
  const api = await callAsPage(page)
  const [{ id }] = (await api.get<{ items: [{ id: string }] }>(`/api/staff/stations?search=${code}`)).items
  const { code: _, ...station } = await api.get<{ code: string }>(`/api/staff/stations/${id}`)
  const openingHours = Array.from({ length: 7 }, () => ({ open: '00:00', close: '00:00' }))
  const saveResponse = await page.request.put(`/api/staff/stations/${id}`, {
    headers,
    data: { ...station, openingHours },
  })
  // The same journey in another language may have saved the station at the same time.
  expect([200, 409], await saveResponse.text()).toContain(saveResponse.status())

  type Calendar = { items: { day: string; ids: string[] }[]; today: string }
  const year = new Date().toLocaleDateString('en-CA', { timeZone: 'Asia/Kuala_Lumpur', year: 'numeric' })
  const { items, today } = await api.get<Calendar>(`/api/staff/holidays?year=${year}`)
  const ids = items.filter(({ day }) => day === today).flatMap((holiday) => holiday.ids)
  if (ids.length > 0) await page.request.post('/api/staff/holidays/remove', { headers, data: { ids } })
}
