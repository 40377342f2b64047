import type { Locator, Page } from '@playwright/test'
import { callAsPage, demoPassword } from '../support/api.ts'
import { holdRequests } from '../support/hold-requests.ts'
import { expect, test } from '../support/journey.ts'
import { payCompanyParcels } from '../support/parcels.ts'
import { getLine, listScans, toDecide, wedge } from '../support/scanning.ts'
import { button, field, grouped, signIn, startSession } from '../support/steps.ts'
import type { Text } from '../support/texts.ts'

test.use({ serviceWorkers: 'allow' })

const pile = (page: Page, text: Text) => page.getByRole('region', { name: text('scanPage.pile') })
async function openScanner(page: Page, text: Text, event: string): Promise<Locator> {
  await startSession(page, 'kl@waybill.example')
  await page.goto('/staff/scan')
  await button(page, text(`scanPage.event.${event}`)).click()
  const number = field(page, text('scanPage.number'))
  await expect(number).toBeFocused()
  return number
}

test('sends sixty scans once each and in order over a slow connection, a reload and a lost connection', async ({
  page,
  context,
  request,
  text,
}) => {
  const numbers = await payCompanyParcels(request, 60)
  const number = await openScanner(page, text, 'accepted')
  for (const each of numbers.slice(0, 20)) await wedge(page, each)
  const releaseRest = await holdRequests(page, '**/api/staff/scans')
  for (const each of numbers.slice(20, 50)) await wedge(page, each)
  await expect(number).toHaveValue('')
  await page.reload()
  await expect(pile(page, text).getByRole('heading')).toContainText('50')
  await expect(field(page, text('scanPage.number'))).toBeFocused()

  await context.setOffline(true)
  for (const each of numbers.slice(50)) await wedge(page, each)
  releaseRest()
  await expect(pile(page, text).getByRole('heading')).toContainText('60')
  await expect(page.getByText(text('scanPage.stalled'))).toBeVisible()
  await expect(getLine(pile(page, text), numbers[59] ?? '')).toContainText(text('scanPage.waiting'))
  await context.setOffline(false)

  await expect(pile(page, text)).toContainText(text('scanPage.pileDone', { count: 60 }))
  await expect(pile(page, text)).toContainText(text('scanPage.pileWaiting', { count: 0 }))
  await expect(pile(page, text).getByRole('listitem')).toHaveCount(60)
  await expect(toDecide(page, text)).toBeHidden()
  expect(await listScans(page, numbers)).toEqual(numbers)
})

test('ignores the characters that scanners add to a number, and returns the focus to the field', async ({
  page,
  request,
  text,
}) => {
  const [tab = '', aim = '', first = '', second = '', click = '', afterButton = ''] = await payCompanyParcels(
    request,
    6,
  )
  const number = await openScanner(page, text, 'accepted')
  const expectAnswer = (each: string) => expect(getLine(pile(page, text), each).locator('[data-tone]')).toBeVisible()

  await wedge(page, tab, 'Tab')
  await expect(number).toBeFocused()
  await wedge(page, `]C1${aim}`)
  await wedge(page, first + second)
  for (const each of [tab, aim, first, second]) await expectAnswer(each)

  await page.locator('main').click({ position: { x: 5, y: 300 } })
  await expect(number).toBeFocused()
  await wedge(page, click)
  await expectAnswer(click)

  // A button that was pressed last must not be pressed again by a scanner's Enter.
  await button(page, text('scanPage.camera')).focus()
  await wedge(page, afterButton)
  await expectAnswer(afterButton)
  await expect(button(page, text('scanPage.camera'))).toBeVisible()

  // Repeating the same scan is not an error.
  await wedge(page, tab)
  await expect(page.getByRole('status')).toHaveAttribute('data-tone', 'success')
  const [before = ''] = text('scanPage.already.accepted', { who: text('scanPage.you'), time: '|' }).split('|')
  await expect(page.getByRole('status')).toContainText(before)
})

test('keeps a refused scan until a user has resolved it', async ({ page, request, text }) => {
  const [number = ''] = await payCompanyParcels(request, 1)
  await openScanner(page, text, 'accepted')
  await wedge(page, 'WB00000000108')
  await expect(page.getByRole('status')).toHaveAttribute('data-tone', 'danger')
  await wedge(page, 'hello')
  const wrong = getLine(toDecide(page, text), 'hello')
  await expect(wrong).toBeVisible()
  const line = getLine(toDecide(page, text), 'WB00000000108')
  await expect(line).toBeVisible()
  await page.reload()

  // No attempt can help a text that is no number: it is corrected.
  await expect(wrong.getByRole('button')).toHaveText([text('scanPage.correct'), text('scanPage.dismiss')])
  await button(wrong, text('scanPage.correct')).click()
  const dialog = page.getByRole('dialog', { name: text('scanPage.correctTitle') })
  await field(dialog, text('fields.trackingNumber')).fill(number)
  await button(dialog, text('scanPage.report')).click()
  await expect(getLine(pile(page, text), number).locator('[data-tone]')).toBeVisible()
  await expect(wrong).toBeHidden()
  await expect(line).toBeVisible()
  await button(line, text('actions.tryAgain')).click()
  await expect(line).toBeVisible()
  await button(line, text('scanPage.dismiss')).click()
  await expect(toDecide(page, text)).toBeHidden()
})

test('offers to undo only the newest scan of a parcel, and not again after a refusal', async ({
  page,
  request,
  text,
}) => {
  const [number = ''] = await payCompanyParcels(request, 1)
  await openScanner(page, text, 'accepted')
  await wedge(page, number)
  const undo = button(pile(page, text), text('scanPage.undo'))
  await expect(undo).toHaveCount(1)
  await button(page, text('scanPage.event.sorted')).click()
  await wedge(page, number)
  await expect(getLine(pile(page, text), number).locator('[data-tone]')).toHaveCount(2)
  await expect(undo).toHaveCount(1)
  await expect(getLine(pile(page, text), number).first()).toContainText(text('scanPage.undo'))

  // Another device scans it meanwhile.
  await (await callAsPage(page)).post('/api/staff/scans', { trackingNumber: number, event: 'out_for_delivery' })
  await undo.click()
  await expect(undo).toHaveCount(0)
})

test('opens a refused scan that needs a decision, and sends it again with the decision', async ({
  page,
  request,
  text,
}) => {
  const [parcel = ''] = await payCompanyParcels(request, 1)
  await openScanner(page, text, 'accepted')
  await wedge(page, parcel)
  await expect(pile(page, text)).toContainText(text('scanPage.pileDone', { count: 1 }))
  const requests: { key: string | undefined; nextStationId: string }[] = []
  await page.route('**/api/staff/scans', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    const body = route.request().postDataJSON() as { nextStationId: string }
    requests.push({ key: route.request().headers()['idempotency-key'], nextStationId: body.nextStationId })
    if (requests.length > 1) return route.continue()
    // The selected station is no longer open.
    const error = { statusCode: 422, code: 'validation', message: 'Not there any more', errors: [] }
    await route.fulfill({ status: 422, json: error })
  })
  await button(page, text('scanPage.event.departed')).click()
  const next = (scope: Page | Locator) => scope.getByRole('combobox', { name: text('scanPage.nextStation') })
  await next(page).selectOption({ label: 'PEN-T11 · George Town' })
  await page.locator('main').click({ position: { x: 5, y: 300 } })
  await wedge(page, parcel)
  const line = getLine(toDecide(page, text), parcel)
  await expect(line).toContainText('Not there any more')
  await button(line, text('scanPage.open')).click()
  const dialog = page.getByRole('dialog', { name: grouped(parcel) })
  await next(dialog).selectOption({ label: 'BKI-T11 · Kota Kinabalu' })
  await button(dialog, text('scanPage.report')).click()
  await expect(pile(page, text)).toContainText(text('scanPage.pileDone', { count: 2 }))
  await expect(toDecide(page, text)).toBeHidden()
  // The focus is back in the field although the button that opened the dialog no longer exists.
  await expect(field(page, text('scanPage.number'))).toBeFocused()
  expect(requests).toHaveLength(2)
  expect(requests[1]?.key).not.toBe(requests[0]?.key)
  expect(requests[1]?.nextStationId).not.toBe(requests[0]?.nextStationId)
})

test('never applies a scan as the answer to the question about another one', async ({
  page,
  context,
  request,
  text,
}) => {
  const [first = '', second = ''] = await payCompanyParcels(request, 2)
  const number = await openScanner(page, text, 'ask')
  const question = page.getByRole('region', { name: text('scanPage.whatNow') })
  await wedge(page, first)
  await expect(question).toContainText(grouped(first))
  await expect(number).toBeFocused()
  await wedge(page, second)
  await expect(question).toContainText(grouped(second))
  // The box above the question must not name another parcel.
  await expect(page.getByRole('status')).not.toContainText(grouped(first))
  // Nothing was reported for the first number, which waits for a decision.
  await expect(getLine(toDecide(page, text), first)).toContainText(text('scanPage.unanswered'))
  await expect(pile(page, text).getByRole('listitem')).toHaveCount(0)

  await wedge(page, '1')
  await expect(getLine(pile(page, text), second)).toContainText(text('scanPage.event.accepted'))
  await button(getLine(toDecide(page, text), first), text('scanPage.decide')).click()
  await expect(question).toContainText(grouped(first))
  await button(question, text('scanPage.event.accepted')).click()
  await expect(getLine(pile(page, text), first)).toContainText(text('scanPage.event.accepted'))
  await expect(toDecide(page, text)).toBeHidden()

  // A reload does not lose the number of an open question.
  await wedge(page, first)
  await expect(question).toBeVisible()
  await page.reload()
  const unanswered = getLine(toDecide(page, text), first)
  await expect(unanswered).toContainText(text('scanPage.unanswered'))
  await button(unanswered, text('scanPage.dismiss')).click()

  // Without a connection the possible events are unknown. All are offered, and the choice is sent later.
  await expect(pile(page, text)).toContainText(text('scanPage.pileDone', { count: 2 }))
  await context.setOffline(true)
  await wedge(page, first)
  await expect(question).toContainText(text('scanPage.unchecked'))
  await wedge(page, '3')
  const waiting = getLine(pile(page, text), first).first()
  await expect(waiting).toContainText(text('scanPage.event.sorted'))
  await context.setOffline(false)
  await expect(waiting.locator('[data-tone]')).toBeVisible()
})

test('lets a user try the camera again after denying the permission', async ({ page, text }) => {
  await openScanner(page, text, 'ask')
  // The user first denies, then grants the permission in the browser's dialog.
  await page.evaluate(() => {
    let attempts = 0
    navigator.mediaDevices.getUserMedia = async () => {
      attempts += 1
      if (attempts === 1) throw new DOMException('no', 'NotAllowedError')
      return document.createElement('canvas').captureStream()
    }
  })
  await button(page, text('scanPage.camera')).click()
  await expect(page.getByText(text('scanPage.cameraRefused'))).toBeVisible()
  await button(page, text('scanPage.cameraAgain')).click()
  await expect(page.getByLabel(text('scanPage.cameraHere'))).toBeVisible()
})

test('uses one next station for a whole pile, and resets the selected station when the clerk signs out', async ({
  page,
  request,
  text,
}) => {
  const numbers = await payCompanyParcels(request, 3)
  await openScanner(page, text, 'accepted')
  for (const each of numbers) await wedge(page, each)
  await expect(pile(page, text)).toContainText(text('scanPage.pileDone', { count: 3 }))
  await button(page, text('scanPage.event.departed')).click()
  await wedge(page, numbers[0] ?? '')
  await expect(getLine(toDecide(page, text), numbers[0] ?? '')).toContainText(text('scanPage.noNextStation'))
  await page
    .getByRole('combobox', { name: text('scanPage.nextStation') })
    .selectOption({ label: 'BKI-T11 · Kota Kinabalu' })
  await expect(page.getByRole('note')).toHaveCount(0)
  await page.locator('main').click({ position: { x: 5, y: 300 } })
  for (const each of numbers) await wedge(page, each)
  await expect(pile(page, text)).toContainText(text('scanPage.pileDone', { count: 6 }))
  await expect(toDecide(page, text)).toBeHidden()

  // A station other than the user's own, and a scan that cannot be sent: signing out warns, and clears the station.
  const station = page.getByRole('combobox', { name: text('scanPage.station'), exact: true })
  const own = await station.inputValue()
  await station.selectOption({ label: 'BKI-T11 · Kota Kinabalu' })
  await page.route('**/api/staff/scans', (route) => route.abort())
  await page.locator('main').click({ position: { x: 5, y: 300 } })
  await wedge(page, numbers[1] ?? '')
  await button(page, text('nav.account')).click()
  await button(page, text('auth.signOut')).click()
  const warning = page.getByRole('dialog', { name: text('auth.unsentTitle') })
  await button(warning, text('auth.signOut')).click()
  await page.waitForURL(/\/staff\/login/)

  // A colleague at the same device neither sees nor sends it.
  await signIn(page, text, 'sabah@waybill.example', demoPassword, '/staff/login')
  await page.goto('/staff/scan')
  await expect(pile(page, text).getByRole('heading')).toContainText('0')
  await page.goto('/staff/scan')
  await button(page, text('nav.account')).click()
  await button(page, text('auth.signOut')).click()
  await page.waitForURL(/\/staff\/login/)
  await signIn(page, text, 'kl@waybill.example', demoPassword, '/staff/login')
  await page.goto('/staff/scan')
  await expect(station).toHaveValue(own)
  await expect(getLine(pile(page, text), numbers[1] ?? '')).toContainText(text('scanPage.waiting'))
})

test('sends a parcel out before the day that was chosen for it once the clerk confirms it', async ({
  page,
  request,
  text,
}) => {
  const [parcel = ''] = await payCompanyParcels(request, 1)
  await openScanner(page, text, 'accepted')
  await wedge(page, parcel)
  await expect(pile(page, text)).toContainText(text('scanPage.pileDone', { count: 1 }))
  const confirmations: unknown[] = []
  await page.route('**/api/staff/scans', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    confirmations.push((route.request().postDataJSON() as { beforeChosenDay?: true }).beforeChosenDay)
    if (confirmations.length > 1) return route.continue()
    const error = { statusCode: 409, code: 'attempt_early', message: 'Chosen for 3 December' }
    await route.fulfill({ status: 409, json: error })
  })
  await button(page, text('scanPage.event.out_for_delivery')).click()
  await wedge(page, parcel)
  const line = getLine(toDecide(page, text), parcel)
  await expect(line).toContainText('Chosen for 3 December')
  await button(line, text('scanPage.open')).click()
  const dialog = page.getByRole('dialog', { name: grouped(parcel) })
  await button(dialog, text('earlyAttempt.act')).click()
  await expect(pile(page, text)).toContainText(text('scanPage.pileDone', { count: 2 }))
  expect(confirmations).toEqual([undefined, true])
})
