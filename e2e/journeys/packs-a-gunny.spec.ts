import type { Locator, Page } from '@playwright/test'
import { callAsPage } from '../support/api.ts'
import { holdRequests } from '../support/hold-requests.ts'
import { expect, test } from '../support/journey.ts'
import { toDecide, wedge } from '../support/scanning.ts'
import { button, field, grouped, heading, startSession } from '../support/steps.ts'

/**
 * Demo logins with parcels that wait for drop-off. Each language uses its own, because a parcel can be packed only
 * once.
 */
const packers = { en: 'weiming@example.com', cn_zh: 'owner@kinabalu.example' }

/** Valid numbers of no parcel. */
const unknown = ['WB00000000108', 'WB00000000116'] as const

test('a customer packs a gunny and prints its label, and a counter accepts it', async ({
  page,
  text,
  language,
  someoneElse,
}) => {
  await startSession(page, packers[language])
  await page.goto('/gunny')
  await page
    .getByRole('link', { name: text('gunnyPage.new') })
    .first()
    .click()
  await expect(heading(page, text('gunnyPage.newTitle'))).toBeVisible()
  await button(page, text('gunnyPage.addAll')).click()
  await field(page, text('fields.sealNumber')).fill('S-1001')
  // A list survives a reload.
  await page.reload()
  await expect(field(page, text('fields.sealNumber'))).toHaveValue('S-1001')
  const rows = page.getByRole('listitem')

  await test.step('a gunny that is refused names the number in the page, and scanning goes on', async () => {
    await field(page, text('gunnyPage.scan')).focus()
    await wedge(page, unknown[0])
    await button(page, text('gunnyPage.create')).click()
    await expect(rows.filter({ hasText: grouped(unknown[0]) }).getByRole('alert')).toBeVisible()
    await wedge(page, unknown[1])
    await expect(rows.filter({ hasText: grouped(unknown[1]) })).toBeVisible()
    for (const each of unknown)
      await rows
        .filter({ hasText: grouped(each) })
        .getByRole('button')
        .click()
  })
  await button(page, text('gunnyPage.create')).click()
  await expect(button(page, text('gunnyPage.label'))).toBeVisible()

  const tab = page.waitForEvent('popup')
  const label = page.waitForResponse(/\/label\?/)
  await button(page, text('gunnyPage.label')).click()
  expect((await label).headers()['content-type']).toBe('application/pdf')
  await (await tab).close()

  const id = page.url().split('/').at(-1) ?? ''
  type Gunny = { number: string; sscc: string; parcels: { trackingNumber: string }[] }
  const customer = await callAsPage(page)
  const readGunny = () => customer.get<Gunny>(`/api/customer/parcels/gunny/${id}`)
  const gunny = await readGunny()

  await test.step('parcels that are removed or scanned quickly are all removed and added', async () => {
    const [first = '', second = ''] = gunny.parcels.map(({ trackingNumber }) => trackingNumber)
    const readNumbers = async () => (await readGunny()).parcels.map(({ trackingNumber }) => trackingNumber)
    // A hand scanner does not wait for the response to its last number.
    const hold = () => holdRequests(page, `**/api/customer/parcels/gunny/${id}`)
    let release = await hold()
    for (const number of [first, second])
      await rows
        .filter({ hasText: grouped(number) })
        .getByRole('button')
        .click()
    release()
    await expect.poll(readNumbers).not.toContain(second)
    expect(await readNumbers()).not.toContain(first)
    await field(page, text('gunnyPage.scan')).focus()
    release = await hold()
    for (const number of [first, second]) await wedge(page, number)
    release()
    await expect(rows.filter({ hasText: grouped(second) })).toBeVisible()
    await expect(rows.filter({ hasText: grouped(first) })).toBeVisible()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)

    // A refused scan stays in a list, and the next scan is added.
    await rows
      .filter({ hasText: grouped(first) })
      .getByRole('button')
      .click()
    await expect.poll(readNumbers).not.toContain(first)
    release = await hold()
    await wedge(page, unknown[0])
    await wedge(page, first)
    release()
    await expect(rows.filter({ hasText: grouped(first) })).toBeVisible()
    await expect.poll(readNumbers).toContain(first)
    await page.reload()
    const refused = toDecide(page, text).getByRole('listitem')
    await expect(refused).toHaveText(grouped(unknown[0]))
    await button(refused, text('scanPage.dismiss')).click()
    await expect(toDecide(page, text)).toBeHidden()

    // Of several numbers in one scan only the refused one is left out, even if nothing has the focus.
    await rows
      .filter({ hasText: grouped(second) })
      .getByRole('button')
      .click()
    await expect.poll(readNumbers).not.toContain(second)
    await wedge(page, unknown[1] + second)
    await expect(refused).toHaveText(grouped(unknown[1]))
    await expect.poll(readNumbers).toContain(second)
  })

  const counter = await someoneElse()
  await startSession(counter, 'kl@waybill.example')
  await counter.goto('/staff/gunny')
  // The answer to an unknown number does not take the focus: the next scan goes on.
  await expect(field(counter, text('gunnyStation.gunny'))).toBeFocused()
  await wedge(counter, 'GY99999999')
  await expect(counter.getByRole('status')).toContainText('GY')
  await wedge(counter, `00${gunny.sscc}`)
  const scanner = field(counter, text('gunnyStation.parcel'))
  await expect(scanner).toBeFocused()
  await wedge(counter, 'hello')
  await expect(counter.getByRole('status')).toContainText(text('gunnyStation.wrong', { number: 'HELLO' }))
  await button(counter, text('gunnyStation.finish')).click()
  await button(counter.getByRole('alert'), text('gunnyStation.finish')).click()
  await expect(counter.getByRole('status')).toContainText(text('validation.nothingScanned'))
  const [last = '', ...others] = gunny.parcels.map(({ trackingNumber }) => trackingNumber)
  for (const each of others) await wedge(counter, each)
  // A count survives a reload.
  await counter.reload()
  await counter.getByRole('button', { name: grouped(gunny.number) }).click()

  await test.step('a scan is counted before the end of the count, or stays in a list', async () => {
    const refused = toDecide(counter, text).getByRole('listitem')
    await expect(refused).toHaveText(/HELLO/)
    await expect(scanner).toBeVisible()
    // It is below the field and the count, where the clerk looks.
    const top = async (each: Locator) => (await each.boundingBox())?.y ?? 0
    expect(await top(toDecide(counter, text))).toBeGreaterThan(await top(counter.getByRole('status')))
    const question = counter.getByRole('alert')
    await button(counter, text('gunnyStation.finish')).click()
    await expect(question).toBeVisible()
    await expect(counter.locator('main [data-variant=filled]')).toHaveText([text('gunnyStation.finish')])
    // The question does not take the scan, which is counted.
    await wedge(counter, last)
    await expect(question).toBeHidden()
    const checks = '**/api/staff/gunny/*/checks'
    const [, late = ''] = text('gunnyStation.late', { number: '|' }).split('|')
    const wrong = refused.filter({ hasText: grouped(unknown[0]) })
    const finish = async () => {
      const request = counter.waitForRequest(checks)
      await button(counter, text('gunnyStation.finish')).click()
      await request
    }
    // A scan after the end is listed at once. If the end is refused, it is counted after all.
    const refuse = Promise.withResolvers<void>()
    await counter.route(checks, async (route) => {
      await refuse.promise
      await route.abort()
    })
    await finish()
    await wedge(counter, unknown[0])
    await expect(wrong).toContainText(late)
    refuse.resolve()
    await expect(wrong).toBeHidden()
    const extra = counter.getByRole('listitem').filter({ hasText: grouped(unknown[0]) })
    await button(extra, text('gunnyStation.undo')).click()
    await counter.unroute(checks)

    const release = await holdRequests(counter, checks)
    await finish()
    await wedge(counter, unknown[0])
    await expect(wrong).toContainText(late)
    const nextFocus = findFocusAfterField(counter)
    release()
    expect(await nextFocus, 'a scanner that types on at once loses no key').toBe('INPUT')
    await expect(counter.getByText(text('gunnyStation.doneEven'))).toBeVisible()
    await wedge(counter, unknown[1])
    await expect(refused).toHaveCount(3)
    for (const each of unknown) await expect(refused.filter({ hasText: grouped(each) })).toContainText(late)
    // Any other number is that of the next gunny.
    await wedge(counter, `00${gunny.sscc}`)
    await expect(counter.getByText(text('gunnyStation.doneEven'))).toBeHidden()
    await expect(field(counter, text('gunnyStation.parcel'))).toBeFocused()
    await expect(refused).toHaveCount(3)
  })

  await page.reload()
  await expect(page.getByText(text('gunnyPage.even'))).toBeVisible()
})

/** What has the focus at the moment when the focused field is replaced, before any other task runs. */
function findFocusAfterField(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const field = document.activeElement
    return new Promise<string | undefined>((resolve) => {
      const observer = new MutationObserver(() => {
        if (field?.isConnected) return
        observer.disconnect()
        resolve(document.activeElement?.tagName)
      })
      observer.observe(document.body, { childList: true, subtree: true })
    })
  })
}
