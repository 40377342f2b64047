import type { APIRequestContext, Page } from '@playwright/test'
import { callAsDemoUser, callAsPage } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { acceptAtCounter, payCompanyParcels } from '../support/parcels.ts'
import { getLine, toDecide, wedge } from '../support/scanning.ts'
import { button, field, grouped, heading, startSession } from '../support/steps.ts'

const start = 'kl@waybill.example'
const destination = { email: 'sabah@waybill.example', label: 'BKI-T11 · Kota Kinabalu' }

type Versioned = { id: string; version: number; number: string }
type Bag = { number: string; sscc: string }
type Trip = { number: string; toStation: { id: string; name: string }; fromStation: { name: string } }

test('staff send a sealed bag and a loose parcel on a trip, and the other station names what is missing', async ({
  page,
  request,
  text,
  someoneElse,
  checkAccess,
}) => {
  const [inBag = '', loose = '', elsewhere = '', stray = ''] = await payCompanyParcels(request, 4)
  for (const number of [inBag, loose, stray]) await acceptAtCounter(request, number)
  await startSession(page, start)
  const status = page.getByRole('status').last()
  const chooseDestination = (scope: Page) =>
    scope.getByRole('combobox', { name: text('fields.toStationId') }).selectOption({ label: destination.label })

  const bag = await test.step('a clerk fills a bag and seals it', async () => {
    await page.goto('/staff/bags')
    await button(page, text('bagPage.new')).click()
    await chooseDestination(page)
    await button(page, text('bagPage.create')).click()
    await expect(field(page, text('bagPage.scanParcel'))).toBeFocused()
    await wedge(page, inBag)
    await expect(page.getByText(text('bagPage.inBag', { count: 1 }))).toBeVisible()
    // A parcel that is not here is refused, and stays listed; the next scan goes on.
    await wedge(page, elsewhere)
    await expect(getLine(toDecide(page, text), elsewhere)).toBeVisible()
    await wedge(page, inBag)
    await expect(status).toContainText(text('bagPage.filledBefore'))
    await button(getLine(toDecide(page, text), elsewhere), text('scanPage.dismiss')).click()
    await checkAccess(page, 'a bag that is filled')
    await field(page, text('fields.sealNumber')).fill('S-2001')
    await page.keyboard.press('Enter')
    await expect(button(page, text('bagPage.label'))).toBeVisible()
    const { items } = await (await callAsPage(page)).get<{ items: Bag[] }>('/api/staff/bags?status=sealed&limit=1')
    return items[0] as Bag
  })

  await test.step('begins a trip, loads the bag and the parcel, and lets it depart', async () => {
    await page.goto('/staff/trips')
    await button(page, text('tripPage.new')).click()
    await chooseDestination(page)
    // They suggest the vehicles and drivers of the latest trips.
    await page.getByRole('combobox', { name: text('fields.vehicle') }).fill('WXY 1234')
    await page.getByRole('combobox', { name: text('fields.driverName') }).fill('Ravi Kumar')
    await button(page, text('tripPage.begin')).click()
    await expect(field(page, text('tripPage.load'))).toBeFocused()
    await wedge(page, `00${bag.sscc}`)
    await wedge(page, loose)
    await wedge(page, inBag)
    await expect(getLine(toDecide(page, text), inBag)).toBeVisible()
    await button(getLine(toDecide(page, text), inBag), text('scanPage.dismiss')).click()
    const loads = page.getByRole('region', { name: text('tripPage.loadedTitle') })
    await expect(loads.getByRole('listitem')).toHaveCount(1)
    // The parcel is on the vehicle, but goes to another station.
    const warnings = page.getByRole('region', { name: text('misroute.title') }).getByRole('listitem')
    await expect(warnings).toHaveText([grouped(loose)])
    await checkAccess(page, 'a trip that is loaded')
    await field(page, text('tripPage.vehicleSeal')).fill('V-77')
    // The Enter of a scanner does not send the vehicle off.
    await page.keyboard.press('Enter')
    await expect(button(page, text('tripPage.depart'))).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('note')).toBeVisible()
  })
  const url = page.url()
  const trip = await (await callAsPage(page)).get<Trip>(`/api/staff/trips/${url.split('/').at(-1)}`)
  await expect(page.getByRole('note')).toHaveText(
    text('tripPage.elsewhere.under_way', { to: trip.toStation.name, from: trip.fromStation.name }),
  )

  const other = await someoneElse()
  await test.step('the other station records the arrival with the seal', async () => {
    await startSession(other, destination.email)
    await other.goto('/staff/trips')
    await other.getByRole('link', { name: grouped(trip.number) }).click()
    await field(other, text('tripPage.vehicleSeal')).fill('V-78')
    await other.keyboard.press('Enter')
    const values = { seal: 'V-77', reading: 'V-78' }
    await expect(other.getByRole('alert')).toContainText(text('tripPage.sealOther', values))
    await checkAccess(other, 'an arrival with another seal')
    await field(other, text('tripPage.vehicleSeal')).fill('v-77')
    await button(other, text('tripPage.arrive')).click()
    await expect(field(other, text('tripPage.unload'))).toBeFocused()
    await expect(other.getByText(text('tripPage.sealReading.intact'))).toBeVisible()
  })

  await test.step('unloads the bag by its seal, without leaving the field', async () => {
    await wedge(other, `00${bag.sscc}`)
    const question = other.getByRole('region', { name: text('tripPage.sealOf.bag') })
    await expect(question).toContainText(grouped(bag.number))
    await wedge(other, 'S-2002')
    await expect(question.getByRole('alert')).toContainText('S-2002')
    await checkAccess(other, 'the question about the seal of a bag')
    await wedge(other, 'S-2001')
    await expect(question).toBeHidden()
    await expect(other.getByRole('status').last()).toContainText(
      text('tripPage.progress', { arrived: '1', loads: '2' }),
    )
    await expect(field(other, text('tripPage.unload'))).toBeFocused()
  })

  await test.step('finishes without the loose parcel, which is named as missing', async () => {
    await button(other, text('tripPage.finish')).click()
    await expect(other.getByRole('alert')).toContainText(text('tripPage.finishText', { count: 1 }))
    await button(other.getByRole('alert'), text('tripPage.finish')).click()
    await expect(other.getByText(text('tripPage.resultMissing', { count: 1 }))).toBeVisible()
    const missing = other.getByRole('region', { name: text('tripPage.missing'), exact: true })
    await expect(missing.getByRole('link', { name: grouped(loose) })).toBeVisible()
    await checkAccess(other, 'a trip with a missing parcel')
  })

  await test.step('the parcel counts as found once a station scans it', async () => {
    const clerk = await callAsDemoUser(request, destination.email)
    await clerk.post('/api/staff/scans', { trackingNumber: loose, event: 'arrived' })
    await other.reload()
    await expect(other.getByText(text('tripPage.resultFound'))).toBeVisible()
    const later = other.getByRole('region', { name: text('tripPage.state.found') })
    await expect(later.getByRole('link', { name: grouped(loose) })).toBeVisible()
  })

  await test.step('the bag is emptied at its destination', async () => {
    await other.goto(`/staff/bags?no=${bag.number}`)
    await button(other, text('bagPage.empty')).click()
    await expect(other.getByRole('status').last()).toContainText(text('bagPage.emptiedNow'))
    await expect(heading(other, text('bagPage.title'))).toBeVisible()
  })

  await test.step('another bag is missing, turns up, and is received by its seal', async () => {
    const strayBag = await sendBagWithoutIt(request, stray, trip.toStation.id)
    await other.goto('/staff/trips?part=missing')
    await other.getByRole('link', { name: grouped(strayBag) }).click()
    await expect(other.getByText(text('bagPage.state.missing'))).toBeVisible()
    await button(other, text('bagPage.receive')).click()
    await expect(field(other, text('bagPage.scanSeal'))).toBeFocused()
    await wedge(other, 'S-3002')
    const question = other.getByRole('region', { name: text('tripPage.sealOf.bag') })
    await expect(question.getByRole('alert')).toContainText('S-3002')
    await checkAccess(other, 'the seal of a bag that has turned up')
    await wedge(other, 's-3001')
    await expect(other.getByRole('status').last()).toContainText(text('bagPage.receivedNow', { count: 1 }))
    await expect(button(other, text('bagPage.empty'))).toBeVisible()
    await other.goto('/staff/trips?part=missing')
    await expect(other.getByRole('link', { name: grouped(strayBag) })).toBeHidden()
  })
})

/** A sealed bag with a parcel, without which its trip was closed. Returns its number. */
async function sendBagWithoutIt(request: APIRequestContext, number: string, toStationId: string): Promise<string> {
  const sender = await callAsDemoUser(request, start)
  const receiver = await callAsDemoUser(request, destination.email)
  const bag = await sender.post<Versioned>('/api/staff/bags', { toStationId })
  const filled = await sender.post<{ bag: Versioned }>(`/api/staff/bags/${bag.id}/parcels`, { trackingNumber: number })
  await sender.post(`/api/staff/bags/${bag.id}/seal`, { version: filled.bag.version, sealNumber: 'S-3001' })
  const trip = await sender.post<Versioned>('/api/staff/trips', {
    toStationId,
    vehicle: 'WXY 1234',
    driverName: 'Ravi',
  })
  const path = `/api/staff/trips/${trip.id}`
  const loaded = await sender.post<{ trip: Versioned }>(`${path}/loads`, { loadNumber: bag.number })
  const departed = await sender.post<Versioned>(`${path}/depart`, { version: loaded.trip.version, sealNumber: null })
  const arrived = await receiver.post<Versioned>(`${path}/arrive`, { version: departed.version, sealNumber: null })
  await receiver.post(`${path}/close`, { version: arrived.version })
  return bag.number
}
