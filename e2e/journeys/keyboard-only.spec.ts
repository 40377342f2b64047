import { createHmac } from 'node:crypto'
import type { Locator } from '@playwright/test'
import { type PeerRequest, servePeer } from '../../server/src/demo/peers/peer.ts'
import { demoPassword } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { expectVisibleFocus, tabTo } from '../support/keyboard.ts'
import { expectNothingCovered } from '../support/screen-checks.ts'
import { button, field, heading, startSession } from '../support/steps.ts'

test('a customer signs in and adds a parcel to the cart using only the keyboard', async ({ page, text, language }, {
  retry,
}) => {
  // A second try of this journey must not find the parcel of the first one identical.
  const weight = `1.${5 + retry}`
  await page.goto('/login')
  const keyboard = page.keyboard

  await test.step('signs in', async () => {
    // The page focuses the first field automatically.
    await expect(field(page, text('fields.email'))).toBeFocused()
    await keyboard.type(language === 'en' ? 'priya@example.com' : 'weiming@example.com')
    await tabTo(page, page.locator('input[name=password]'))
    await keyboard.type(demoPassword)
    await keyboard.press('Enter')
    await expect(heading(page, text('dashboardPage.title'))).toBeVisible()
  })

  await test.step('skips the navigation, then reaches New parcel through it', async () => {
    await tabTo(page, page.getByRole('link', { name: text('app.skip') }))
    await expect(page.getByRole('link', { name: text('app.skip') })).toBeInViewport()
    await keyboard.press('Enter')
    await expect(page.locator('#main')).toBeFocused()
    await page.reload()
    await expect(heading(page, text('dashboardPage.title'))).toBeVisible()
    const link = page.getByRole('navigation', { name: text('nav.main') }).getByRole('link', {
      name: text('nav.newParcel'),
      exact: true,
    })
    await expect(link).toBeVisible()
    await tabTo(page, link)
    await expectVisibleFocus(page)
    await keyboard.press('Enter')
    await expect(heading(page, text('newParcel.title'))).toBeVisible()
  })

  await test.step('chooses the receiver from the address book', async () => {
    const search = page.getByRole('combobox', { name: text('newParcel.search.receiver') })
    await expect(search).toBeVisible()
    await tabTo(page, search)
    // Streets are searched too, and the first match is preselected.
    await keyboard.type('Jalan')
    await expect(page.getByRole('option', { selected: true })).toBeVisible()
    await keyboard.press('Enter')
  })

  await test.step('enters the weight and the dimensions', async () => {
    // The focus moves to the next step.
    await expect(field(page, text('fields.weightGrams'))).toBeFocused()
    await keyboard.type(weight)
    await tabTo(page, page.getByRole('combobox', { name: text('fields.contentType') }))
    // Skips "documents" and selects "clothing".
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
    await tabTo(
      page,
      page
        .getByRole('group', { name: text('newParcel.size'), exact: true })
        .getByRole('radio')
        .first(),
    )
    // Arrow keys go from the first one, the flat document, to S and M.
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
    await expect(page.getByRole('radio', { name: new RegExp(`^${text('newParcel.preset.m')}`) })).toBeChecked()
    await tabTo(page, button(page, text('actions.continue')))
    await keyboard.press('Enter')
  })

  await test.step('starts another parcel with the same weight and size', async () => {
    const services = page.getByRole('group', { name: text('newParcel.service'), exact: true })
    await expect(services.getByRole('radio', { checked: true })).toBeVisible()
    await keyboard.press('Control+Enter')
    const search = page.getByRole('combobox', { name: text('newParcel.search.receiver') })
    await expect(search).toBeFocused()
    await keyboard.type('Jalan')
    await expect(page.getByRole('option', { selected: true })).toBeVisible()
    // A different receiver, because a second identical parcel would need a confirmation.
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    const what = page.getByRole('button', { name: new RegExp(`^${text('newParcel.step.what')}`) })
    await expect(what).toContainText(weight)
  })

  await test.step('chooses a service and adds the parcel to the cart', async () => {
    const services = page.getByRole('group', { name: text('newParcel.service'), exact: true })
    await expect(services.getByRole('radio', { checked: true })).toBeVisible()
    await tabTo(page, services.getByRole('radio', { checked: true }))
    await keyboard.press('ArrowDown')
    const add = button(page, text('newParcel.action.cart'))
    await tabTo(page, add)
    await expectVisibleFocus(page)
    await keyboard.press('Enter')
    await expect(heading(page, text('cart.title'))).toBeVisible()
    await expect(heading(page, text('cart.title'))).toBeFocused()
    const [added = ''] = text('newParcel.added', { name: '|' }).split('|')
    const message = page.getByRole('dialog', { name: text('notify.success') }).last()
    await expect(message).toContainText(added)
    await expectNothingCovered(message)
    // In a low window the sum and its button reach the place of the message, which gives way.
    await page.setViewportSize({ width: 1440, height: 440 })
    await expectNothingCovered(message)
  })
})

test('the first Tab reaches the skip link on every page', async ({ page, text }) => {
  await startSession(page, 'owner@kinabalu.example')
  const navigation = page.getByRole('navigation', { name: text('nav.main') }).filter({ visible: true })
  for (const path of ['/dashboard', '/parcels', '/orders', '/statements', '/stations', '/users', '/approvals']) {
    await page.goto(path)
    await expect(navigation.locator('[aria-current=page]')).toBeVisible()
    await expect(page.locator('[data-page-title]')).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: text('app.skip') }), path).toBeFocused()
  }
})

test('a long navigation shows Home, Ship and the current page on a small screen', async ({ page, text }) => {
  await page.setViewportSize({ width: 1366, height: 768 })
  await startSession(page, 'owner@kinabalu.example')
  const navigation = page.getByRole('navigation', { name: text('nav.main') }).filter({ visible: true })
  const collapse = button(navigation, text('nav.collapse'))
  for (const path of ['/dashboard', '/parcels/new', '/wallet', '/users', '/approvals']) {
    await page.goto(path)
    const present = navigation.locator('[aria-current=page]')
    await expect(present).toBeVisible()
    for (const label of ['dashboard', 'newParcel', 'bulk', 'cart']) {
      const link = navigation.getByRole('link', { name: text(`nav.${label}`), exact: true })
      await expect(link, `${label} at ${path}`).toBeInViewport({ ratio: 1 })
    }
    await expect(present).toBeInViewport({ ratio: 1 })
    const [item, foot] = [await present.boundingBox(), await collapse.boundingBox()]
    expect((item?.y ?? 0) + (item?.height ?? 0), path).toBeLessThanOrEqual(foot?.y ?? 0)
    expect(item?.height, path).toBe(32)
  }
  // On a tablet it has only icons, until the user expands it.
  await page.setViewportSize({ width: 1024, height: 768 })
  await button(navigation, text('nav.expand')).click()
  await expect(collapse).toBeVisible()
  await page.reload()
  await expect(collapse).toBeVisible()
})

test('a customer connects a shop using only the keyboard', async ({ page, text, request }) => {
  const requests: PeerRequest[] = []
  const shop = await servePeer((call) => {
    requests.push(call)
    return { status: 200, body: 'thank you', type: 'text/plain' }
  })
  const webhookUrl = `${shop.url}/hook`
  // Not by role: messages of other journeys' work for this customer are dialogs as well.
  const dialog = page.locator('dialog')
  const press = async (target: Locator) => {
    await tabTo(page, target)
    await page.keyboard.press('Enter')
  }
  /** Reads a secret while it is shown, and closes its dialog. */
  const readSecret = async (title: string) => {
    await expect(dialog.getByRole('heading', { name: title })).toBeVisible()
    const secret = (await dialog.locator('code, [class*=mono]').first().textContent()) ?? ''
    await expect(button(dialog, text('developers.stored'))).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(page.getByText(secret)).toHaveCount(0)
    return secret
  }
  const listWith = (secret: string) =>
    request.get('/api/customer/parcels?limit=1', { headers: { authorization: `Bearer ${secret}` } })

  await startSession(page, 'aisyah@example.com')
  await page.goto('/developers')

  await test.step('creates an API key, which a program can use', async () => {
    await press(button(page, text('developers.newKey')))
    await expect(field(dialog, text('fields.name'))).toBeFocused()
    await page.keyboard.type('Shop at the corner')
    await page.keyboard.press('Enter')
    const secret = await readSecret(text('developers.yourKey'))
    await expect(page.getByText(text('developers.neverUsed'))).toBeVisible()
    expect((await listWith(secret)).status()).toBe(200)
    await page.reload()
    await expect(
      button(page, text('phrase.labelled', { label: text('developers.revoke'), value: 'Shop at the corner' })),
    ).toBeVisible()
    await expect(page.getByText(text('developers.neverUsed'))).toHaveCount(0)
    await press(
      button(page, text('phrase.labelled', { label: text('developers.revoke'), value: 'Shop at the corner' })),
    )
    await press(button(dialog, text('developers.revoke')))
    await expect(page.getByText(text('developers.revoked', { name: 'Shop at the corner' }))).toBeVisible()
    expect((await listWith(secret)).status()).toBe(401)
  })

  const secret = await test.step('adds a webhook', async () => {
    await press(button(page, text('developers.newWebhook')))
    await expect(field(dialog, text('fields.url'))).toBeFocused()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(webhookUrl)
    await page.keyboard.press('Enter')
    return readSecret(text('developers.yourSecret'))
  })

  await test.step('sends a test delivery, and repeats it', async () => {
    await press(
      page.getByRole('link', {
        name: text('phrase.labelled', { label: text('developers.openLog'), value: webhookUrl }),
      }),
    )
    await expect(heading(page, text('developers.webhook'))).toBeVisible()
    await press(button(page, text('developers.sendTest')))
    await expect.poll(() => requests.length).toBe(1)
    const [first] = requests
    const [, time, signature] = /^t=(\d+),v1=(\w+)$/.exec(first?.headers['waybill-signature'] ?? '') ?? []
    expect(createHmac('sha256', secret).update(`${time}.${first?.body}`).digest('hex')).toBe(signature)
    await press(
      button(
        page,
        text('phrase.labelled', { label: text('developers.sendAgain'), value: `${text('developers.testEvent')} 1` }),
      ),
    )
    await expect.poll(() => requests.length).toBe(2)
    expect(requests[1]?.body).toEqual(first?.body)
    await expect(page.getByRole('cell', { name: text('developers.deliveryStatus.delivered') })).toBeVisible()
  })

  await test.step('removes the webhook', async () => {
    await press(button(page, text('actions.remove')))
    await press(button(dialog, text('actions.remove')))
    await expect(heading(page, text('developers.title'))).toBeVisible()
    await expect(page.getByText(webhookUrl)).toHaveCount(0)
  })
  await shop.stop()
})

test('a customer moves through a list and opens, prints and closes an entry with the keyboard', async ({
  page,
  text,
}) => {
  await startSession(page, 'owner@kinabalu.example')
  await page.goto('/parcels?tab=moving')
  const keyboard = page.keyboard
  const rows = page.getByRole('table').locator('tbody tr')
  const panel = page.locator('aside[data-side-panel]')
  await expect(rows.nth(2)).toBeVisible()

  await test.step('moves down and up with J and K', async () => {
    for (const [key, row] of [
      ['j', 0],
      ['j', 1],
      ['k', 0],
      ['j', 1],
    ] as const) {
      await keyboard.press(key)
      await expect(rows.nth(row)).toBeFocused()
    }
    await expectVisibleFocus(page)
  })

  await test.step('opens a parcel next to the list, then the next one instead', async () => {
    await keyboard.press('Enter')
    await expect(panel.getByRole('heading', { level: 2 })).toBeFocused()
    await expect(panel.getByRole('button', { name: text('parcelAction.print_note') })).toBeVisible()
    await expect(rows.nth(1)).toHaveAttribute('aria-current', 'true')
    const openId = new URL(page.url()).searchParams.get('open')
    await keyboard.press('j')
    await expect(rows.nth(2)).toBeFocused()
    await expect(rows.nth(2)).toHaveAttribute('aria-current', 'true')
    expect(new URL(page.url()).searchParams.get('open')).not.toBe(openId)
    await page.reload()
    await expect(panel).toBeVisible()
    await expect(rows.nth(2)).toHaveAttribute('aria-current', 'true')
  })

  await test.step('prints it with P, and closes it with Escape', async () => {
    await keyboard.press('p')
    const print = page.getByRole('dialog', { name: text('printNotes.title') })
    await expect(print).toBeVisible()
    // The keys of the list have no effect in the dialog.
    await keyboard.press('Escape')
    await expect(print).toBeHidden()
    await expect(panel).toBeVisible()
    await keyboard.press('Escape')
    await expect(panel).toBeHidden()
    await expect(rows.nth(2)).toBeFocused()
  })
})

test('a list shows the columns that its user chose, and ignores keys once they are switched off', async ({
  page,
  text,
}) => {
  await startSession(page, 'aisyah@example.com')
  await page.goto('/parcels')
  const header = page.getByRole('columnheader', { name: text('fields.reference'), exact: true })
  const rows = page.getByRole('table').locator('tbody tr')
  await expect(rows.first()).toBeVisible()
  await expect(header).toBeHidden()
  await button(page, text('list.columns')).click()
  await page.getByRole('checkbox', { name: text('fields.reference'), exact: true }).check()
  await page.getByRole('checkbox', { name: text('list.keys'), exact: true }).uncheck()
  await page.reload()
  await expect(header).toBeVisible()
  await page.keyboard.press('j')
  await expect(rows.first()).not.toBeFocused()
})
