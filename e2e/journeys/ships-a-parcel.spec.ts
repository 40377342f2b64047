import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import type { Locale } from '@waybill/contract/ground/constants'
import { demoPassword } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { expectNothingCovered, expectRoomAtDoubleZoom } from '../support/screen-checks.ts'
import {
  button,
  describeGoods,
  field,
  fillAddress,
  freshAddress,
  heading,
  openPrice,
  payWithPin,
  receiver,
  register,
  sender,
  setPin,
  signIn,
  startSession,
  topUp,
  writePricedParcel,
} from '../support/steps.ts'
import type { Text } from '../support/texts.ts'

test.use({ serviceWorkers: 'allow' })

const neighbour = 'Awang Damit'
/** The zones of sender and receiver, as a page in each language names them. */
const zones: Readonly<Record<Locale, string>> = { en: 'Klang Valley to Sabah and Labuan', cn_zh: '巴生谷至沙巴与纳闽' }
const amountPattern = /RM\s?[\d,]+\.\d{2}/
/** A consignment note is A6. PDF uses points of 1/72 inch. */
const a6 = { width: (105 / 25.4) * 72, height: (148 / 25.4) * 72 }

test('a customer registers, tops up, ships a parcel and follows its delivery', async ({
  page,
  text,
  codeTo,
  someoneElse,
}) => {
  const email = freshAddress()

  await test.step('registers with the mailed code', () => register(page, text, codeTo, { name: sender.name, email }))
  await test.step('tops up at the bank', async () => {
    await page.goto('/wallet/top-up')
    await topUp(page, text)
  })
  await test.step('sets a PIN with the mailed code', () => setPin(page, text, () => codeTo(email, 'wallet_otp')))
  await test.step('adds sender and receiver to the address book', () => fillAddressBook(page, text))
  const price = await test.step('describes the parcel and sees its price', () => describeParcel(page, text))
  await test.step('pays that price with credits', () => payWithCredits(page, text, price))
  await test.step('saves the pickup window to the calendar', () => saveToCalendar(page, text))
  await test.step('downloads the consignment note and the invoice', () => getDocuments(page, text))
  const number = await test.step('opens the parcel', () => openParcel(page, text))
  const here = await test.step('staff of the first station sign in', () =>
    openScanner(someoneElse, text, 'kl@waybill.example'))
  const there = await test.step('staff of the last station sign in', () =>
    openScanner(someoneElse, text, 'sabah@waybill.example'))
  const visitor = await test.step('a visitor without an account tracks it', () => lookUp(someoneElse, text, number))
  await test.step('staff deliver it while customer and visitor see it live', () =>
    deliver({ here, there }, [page, visitor], text, number))
  await test.step('the customer sees the recipient, the visitor does not', () => seeProof(page, visitor, text))
})

async function fillAddressBook(page: Page, text: Text): Promise<void> {
  await page.goto('/address-book')
  for (const person of [sender, receiver]) {
    await button(page, text('actions.new')).first().click()
    const dialog = page.getByRole('dialog', { name: text('addressBook.create') })
    await fillAddress(dialog, text, person)
    if (person === sender) {
      await dialog.getByRole('radio', { name: text('fields.sender'), exact: true }).check()
      await dialog.getByRole('checkbox', { name: text('fields.isDefault') }).check()
    }
    await button(dialog, text('actions.save')).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('table').getByText(person.name, { exact: true })).toBeVisible()
  }
}

test('the price names the zones in the language of the page, and no message covers it', async ({
  page,
  text,
  startNewcomer,
  language,
}) => {
  await startNewcomer(page)
  await writePricedParcel(page, text)
  await openPrice(page, text)
  await expect(page.getByText(zones[language]).filter({ visible: true })).toBeVisible()
  await button(page, text('newParcel.action.another')).filter({ visible: true }).first().click()
  const message = page.getByRole('dialog', { name: text('notify.success') })
  await expect(message).toBeVisible()
  await expectNothingCovered(message)
  // In a low window the message and the panel of the price are at the same height.
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height: 600 })
  await expectNothingCovered(message)
})

/** Returns the price of the chosen service. */
async function describeParcel(page: Page, text: Text): Promise<string> {
  await page.goto('/parcels/new')
  await expect(page.getByRole('button', { name: new RegExp(sender.name) })).toBeVisible()
  await page.getByRole('combobox', { name: text('newParcel.search.receiver') }).fill('Rosmah')
  await page.getByRole('option', { name: new RegExp(receiver.street) }).click()
  await describeGoods(page, text, '2.4')
  const services = page.getByRole('group', { name: text('newParcel.service'), exact: true })
  const price = services.getByText(amountPattern).first()
  await expect(price).toBeVisible()
  await services.getByRole('radio').first().check()
  return amountPattern.exec((await price.textContent()) ?? '')?.[0] ?? ''
}

async function payWithCredits(page: Page, text: Text, price: string): Promise<void> {
  const pay = button(page, text('newParcel.action.pay')).filter({ visible: true })
  // The price is in the side panel, or on a phone in the bottom bar.
  await expect(page.locator('[data-foot], aside').filter({ has: pay })).toContainText(price)
  await pay.click()
  await expect(heading(page, text('checkout.title'))).toBeVisible()
  await expect(page.getByRole('main')).toContainText(price)
  await expect(page.getByRole('link', { name: text('legal.terms') }).first()).toBeVisible()
  await payWithPin(page, text)
  await expect(heading(page, text('checkout.doneTitle'))).toBeVisible()
  const ticket = page.getByRole('region', { name: text('ticket.title') })
  await expect(ticket).toContainText(receiver.name)
  await expect(ticket).toContainText(/[A-Z]{2}(?:\s?\d){11}/)
  await expect(ticket).toContainText(price)
  await expect(ticket).toContainText(/\d{2}:\d{2}\P{L}*–\P{L}*\d{2}:\d{2}/u)
  await expect(ticket.getByRole('button', { name: new RegExp(`^${text('shareTracking.label')}`) })).toBeVisible()
  await expect(ticket.getByRole('img').locator('path')).toHaveAttribute('d', /^M0 0h1/)
  await copyWithoutClipboard(page, ticket, text)
}

/** Without access to the clipboard an older command copies; if that is denied too, the text is selected. */
async function copyWithoutClipboard(page: Page, ticket: Locator, text: Text): Promise<void> {
  await page.context().grantPermissions(['clipboard-read'])
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError'))
  })
  const [copy = ''] = text('actions.copy', { what: '|' }).split('|')
  const number = ticket.getByRole('button', { name: new RegExp(`^${copy.trim()}`) }).first()
  const share = ticket.getByRole('button', { name: new RegExp(`^${text('shareTracking.label')}`) })
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await number.click()
  await expect.poll(readClipboard).toMatch(/^ORD-\d+$/)
  await share.click()
  await expect(page.getByText(text('shareTracking.copied'))).toBeVisible()
  expect(await readClipboard()).toMatch(/^http.*\/public\/track-parcels\?no=[A-Z]{2}\d{11}$/)

  await page.evaluate(() => {
    document.execCommand = () => false
  })
  await number.click()
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toMatch(/^ORD-\d+$/)
  await share.click()
  const dialog = page.getByRole('dialog', { name: text('shareTracking.label') })
  const link = field(dialog, text('shareTracking.link'))
  await expect(link).toBeFocused()
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(await link.inputValue())
  await button(dialog, text('actions.close')).last().click()
}

/** Saves the pickup window as a file that a calendar opens. */
async function saveToCalendar(page: Page, text: Text): Promise<void> {
  await expect(page.getByText(/PU-\d{8}/).first()).toBeVisible()
  await expectRoomAtDoubleZoom(page, 'the checkout of a pickup')
  const saving = page.waitForEvent('download')
  await button(page, text('calendar.add')).click()
  const file = await saving
  expect(file.suggestedFilename()).toMatch(/\.ics$/)
  expect(await readFile(await file.path(), 'utf8')).toMatch(/BEGIN:VEVENT[\s\S]*DTSTART:\d{8}T\d{6}Z/)
}

async function getDocuments(page: Page, text: Text): Promise<void> {
  const note = await documentBehind(page, /\/generate-cn/, button(page, text('checkout.openNotes')))
  expect(note.pages).toHaveLength(1)
  expect(note.pages[0]?.width).toBeCloseTo(a6.width, 0)
  expect(note.pages[0]?.height).toBeCloseTo(a6.height, 0)
  const invoice = await documentBehind(page, /\/invoice\/print/, button(page, text('checkout.openInvoice')))
  expect(invoice.pages).toHaveLength(1)
}

/** Captures the document that a button's click fetches: the sizes of its pages in points. */
async function documentBehind(page: Page, url: RegExp, opener: Locator) {
  let type = ''
  let pdf = ''
  await page.route(url, async (route) => {
    const response = await route.fetch()
    type = response.headers()['content-type'] ?? ''
    pdf = (await response.body()).toString('latin1')
    await route.fulfill({ response })
  })
  const tab = page.waitForEvent('popup')
  await opener.click()
  await expect.poll(() => pdf.slice(0, 5)).toBe('%PDF-')
  expect(type).toContain('application/pdf')
  await (await tab).close()
  const boxes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)]
  return { pages: boxes.map(([, width, height]) => ({ width: Number(width), height: Number(height) })) }
}

/** Returns its tracking number. */
async function openParcel(page: Page, text: Text): Promise<string> {
  await page.getByRole('link', { name: text('checkout.toOrder') }).click()
  await page.getByRole('link', { name: receiver.name }).click()
  await expect(heading(page, text('parcelPage.titleTo', { name: receiver.name }))).toBeVisible()
  const [rider = ''] = text('parcelPage.riderComes', { day: '|', window: '' }).split('|')
  // What happens next comes first.
  await expect(page.getByRole('main').locator('section').first()).toContainText(new RegExp(`${rider.trim()}.{0,20}\\d`))
  const head = page.getByRole('heading', { level: 1 }).locator('..')
  const numberPattern = /[A-Z]{2}(?:\s?\d){11}/
  // The parcel in its cart state, without a number, may be shown for a moment.
  await expect(head).toContainText(numberPattern)
  return (numberPattern.exec((await head.textContent()) ?? '')?.[0] ?? '').replaceAll(' ', '')
}

async function openScanner(someoneElse: () => Promise<Page>, text: Text, email: string): Promise<Page> {
  const station = await someoneElse()
  await signIn(station, text, email, demoPassword, '/staff/login?next=/staff/scan')
  await expect(heading(station, text('scanPage.title'))).toBeVisible()
  return station
}

/** Public tracking: no settings are requested, and nothing is stored on the device. */
async function lookUp(someoneElse: () => Promise<Page>, text: Text, number: string): Promise<Page> {
  const visitor = await someoneElse()
  const requests: string[] = []
  visitor.on('request', (request) => requests.push(request.url()))
  await visitor.goto(`/public/track-parcels?no=${number}`)
  await expect(visitor.getByText(text('trackPage.next.pending_pickup'))).toBeVisible()
  expect(requests.filter((url) => url.includes('/settings/general'))).toEqual([])
  expect(await visitor.evaluate(() => Object.keys(localStorage))).toEqual([])
  return visitor
}

type Stations = { here: Page; there: Page }

async function deliver(
  { here, there }: Stations,
  watching: readonly Page[],
  text: Text,
  number: string,
): Promise<void> {
  const loads: string[] = []
  for (const page of watching) page.on('framenavigated', (frame) => loads.push(frame.url()))
  const steps: { at: Page; event: string; details?: () => Promise<unknown> }[] = [
    { at: here, event: 'picked_up' },
    { at: here, event: 'sorted' },
    {
      at: here,
      event: 'departed',
      details: () =>
        here
          .getByRole('combobox', { name: text('scanPage.nextStation') })
          .selectOption({ label: 'BKI-T11 · Kota Kinabalu' }),
    },
    { at: there, event: 'arrived' },
    { at: there, event: 'out_for_delivery' },
    {
      at: there,
      event: 'delivered',
      details: async () => {
        await field(there, text('scanPage.recipient')).fill(neighbour)
        await sign(there, text)
      },
    },
  ]
  for (const { at, event, details } of steps) {
    await field(at, text('scanPage.number')).fill(number)
    await field(at, text('scanPage.number')).press('Enter')
    const question = at.getByRole('region', { name: text('scanPage.whatNow') })
    await button(question, text(`scanPage.event.${event}`)).click()
    if (details) {
      await details()
      const form = at.getByRole('region', { name: text(`scanPage.event.${event}`) })
      await button(form, text('scanPage.report')).click()
    }
    await expect(at.getByRole('status')).toContainText(text(`event.${event}`))
    for (const page of watching) await expect(timeline(page).getByText(text(`event.${event}`))).toBeVisible()
  }
  // All of these were updated automatically.
  expect(loads).toEqual([])
}

/** The timeline's events, each with its time. */
function timeline(page: Page): Locator {
  return page.getByRole('listitem').filter({ has: page.locator('time') })
}

async function sign(station: Page, text: Text): Promise<void> {
  const pad = station.getByRole('img', { name: text('signature.empty') })
  await pad.hover({ position: { x: 40, y: 40 } })
  await station.mouse.down()
  const signature = station.getByRole('img', { name: text('signature.drawn') })
  await signature.hover({ position: { x: 90, y: 70 } })
  await signature.hover({ position: { x: 140, y: 30 } })
  await station.mouse.up()
}

async function seeProof(page: Page, visitor: Page, text: Text): Promise<void> {
  await expect(page.getByText(text('parcelPage.receivedBy', { name: neighbour }))).toBeVisible()
  await expect(page.getByRole('img', { name: text('parcelPage.signature', { name: neighbour }) })).toBeVisible()
  await expect(visitor.getByText(text('trackPage.next.delivered'))).toBeVisible()
  const content = await visitor.locator('body').textContent()
  for (const secret of [neighbour, receiver.name, receiver.street, '876 5432', '8765432', sender.name, sender.street]) {
    expect(content).not.toContain(secret)
  }
}

test('a new parcel shows its form while the texts of other pages still load', async ({ page, text }) => {
  await startSession(page, 'priya@example.com')
  // Never answered: a text that only this file has would hide the page.
  await page.route('**/global.json', () => undefined)
  await page.goto('/parcels/new')
  await expect(page.getByRole('heading', { level: 1, name: text('newParcel.title') })).toBeVisible()
  await expect(page.getByRole('main').getByRole('combobox').first()).toBeVisible()
})
