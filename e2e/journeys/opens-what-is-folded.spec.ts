import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { expectValues, expectWholeInWindow } from '../support/screen-checks.ts'
import { button, field, startSession } from '../support/steps.ts'
import type { Text } from '../support/texts.ts'

/** A state of a screen that requires an action: a menu, a dialog, a form with its messages. */
type State = { name: string; at: string; open: (page: Page, text: Text) => Promise<void> }

const visitor: readonly State[] = [
  {
    name: 'a form that was submitted empty',
    at: '/register',
    open: async (page, text) => {
      await button(page, text('auth.registerAction')).click()
      await expect(field(page, text('fields.personName'))).toBeFocused()
    },
  },
  {
    name: 'a price without an account',
    at: '/',
    open: async (page, text) => {
      await field(page, text('home.from')).fill('50450')
      await field(page, text('home.to')).fill('88000')
      await field(page, text('fields.weightGrams')).fill('2')
      await button(page, text('home.priceAction')).click()
      await expect(page.getByText(/RM\s?\d/).first()).toBeVisible()
    },
  },
  {
    name: 'the coverage of a postcode',
    at: '/',
    open: async (page, text) => {
      await field(page, text('fields.postcode')).fill('50450')
      await button(page, text('actions.coverageArea')).click()
      await expect(page.getByRole('list', { name: text('home.nearest') })).toBeVisible()
    },
  },
]

const customer: readonly State[] = [
  {
    name: 'the account menu',
    at: '/dashboard',
    open: async (page, text) => {
      await button(page, text('nav.account')).click()
      await expect(button(page, text('auth.signOut'))).toBeVisible()
    },
  },
  {
    name: 'the whole navigation',
    at: '/dashboard',
    open: async (page, text) => {
      const more = button(page, text('nav.more'))
      // At desktop width it is always visible.
      if (await more.isVisible()) await more.click()
      await expect(page.getByRole('link', { name: text('nav.addressBook') }).filter({ visible: true })).toBeVisible()
    },
  },
  {
    name: 'advanced filters and selected rows',
    at: '/parcels',
    open: async (page, text) => {
      await button(page, text('actions.showFilters')).click()
      await page.getByRole('table').getByRole('checkbox').filter({ visible: true }).last().check()
      await expect(page.getByRole('region', { name: text('list.bulk') })).toBeVisible()
    },
  },
  {
    // Nobody has promised a day for it yet.
    name: 'the whole row of an unpaid parcel',
    at: '/parcels?tab=unpaid',
    open: async (page, text) => {
      const row = page.getByRole('table').getByRole('row').last()
      await expect(row).toContainText(/RM/)
      const more = row.getByRole('button', { name: text('list.more', { what: '' }).trim() })
      if (await more.isVisible()) await more.click()
      else await row.press('Space')
      await expect(page.getByRole('dialog')).toContainText(text('parcelsPage.created'))
      await expectValues(page, 'the row')
    },
  },
  {
    name: 'the form for an address',
    at: '/address-book',
    open: async (page, text) => {
      await page
        .getByRole('button', { name: new RegExp(`^${text('phrase.label', { label: text('actions.edit') })}`) })
        .first()
        .click()
      await expect(page.getByRole('dialog', { name: text('addressBook.edit') })).toBeVisible()
    },
  },
  {
    name: 'the confirmation before removal',
    at: '/address-book',
    open: async (page, text) => {
      const remove = page
        .getByRole('button', { name: new RegExp(`^${text('phrase.label', { label: text('actions.remove') })}`) })
        .first()
      // On a phone, the actions of a row are behind one button.
      const more = page.getByRole('button', { name: text('list.more', { what: '' }).trim() }).first()
      await expect(remove.or(more)).toBeVisible()
      if (await more.isVisible()) await more.click()
      await remove.click()
      await expect(page.getByText(text('addressBook.removeText'))).toBeVisible()
    },
  },
  {
    name: 'the preview of consignment notes',
    at: '/parcels?tab=to_hand_over',
    open: async (page, text) => {
      await page.getByRole('table').getByRole('checkbox').filter({ visible: true }).last().check()
      await button(page.getByRole('region', { name: text('list.bulk') }), text('parcelAction.print_note')).click()
      const dialog = page.getByRole('dialog', { name: text('printNotes.title') })
      await expect(dialog.getByRole('img', { name: text('printNotes.preview') })).toBeVisible()
      await expectWholeInWindow(dialog)
      await expect(button(dialog, text('printNotes.print'))).toBeInViewport({ ratio: 1 })
      // The three buttons are in one row, also on a phone.
      const boxes = ['save', 'open', 'print'].map((name) => button(dialog, text(`printNotes.${name}`)).boundingBox())
      expect(new Set((await Promise.all(boxes)).map((box) => box?.y)).size).toBe(1)
    },
  },
  {
    name: 'a new PIN',
    at: '/wallet',
    open: async (page, text) => {
      await button(page, text('walletPage.changePin')).click()
      await expect(page.getByRole('dialog', { name: text('walletPage.task.change') })).toBeVisible()
    },
  },
  {
    name: 'a password that was refused',
    at: '/profile',
    open: async (page, text) => {
      await page.getByLabel(text('fields.currentPassword')).first().fill('not this one')
      await page.getByLabel(text('fields.newPassword')).first().fill('a quiet evening at the harbour')
      await button(page, text('profile.changePassword')).click()
      await expect(page.locator('[name=currentPassword]')).toHaveAttribute('aria-invalid', 'true')
    },
  },
  {
    name: 'every step of a parcel, with messages',
    at: '/parcels/new',
    open: async (page, text) => {
      const act = button(page, text('newParcel.action.pay')).filter({ visible: true })
      await act.click()
      await expect(page.getByRole('combobox', { name: text('newParcel.search.receiver') })).toBeVisible()
      await expect(page.getByRole('group', { name: text('newParcel.size'), exact: true })).toBeVisible()
    },
  },
]

const staff: readonly State[] = [
  {
    name: 'an unknown tracking number',
    at: '/staff/scan',
    open: async (page, text) => {
      await field(page, text('scanPage.number')).fill('WB00000000000')
      await field(page, text('scanPage.number')).press('Enter')
      await expect(page.getByRole('status')).toContainText('WB 0000 0000 000')
    },
  },
  {
    name: 'the report of a delivery that was submitted empty',
    at: '/staff/deliveries',
    open: async (page, text) => {
      await button(page, text('deliveriesPage.delivered')).first().click()
      const dialog = page.getByRole('dialog')
      await button(dialog, text('scanPage.report')).click()
      await expect(field(dialog, text('scanPage.recipient'))).toHaveAttribute('aria-invalid', 'true')
      await expectWholeInWindow(dialog)
    },
  },
  {
    name: 'a count of cash that was submitted empty',
    at: '/staff/cash',
    open: async (page, text) => {
      await button(page, text('cashPage.close')).click()
      const dialog = page.getByRole('dialog')
      await button(dialog, text('cashPage.closeAct')).click()
      await expect(dialog.getByRole('textbox').first()).toBeFocused()
      await expectWholeInWindow(dialog)
    },
  },
  {
    name: 'a carrier booking',
    at: '/staff/carriers?tab=all',
    open: async (page, text) => {
      const more = page.getByRole('button', { name: text('list.more', { what: '' }).trim() }).first()
      await expect(page.getByRole('table')).toBeVisible()
      // On a desktop everything is in the row.
      if (!(await more.isVisible())) return
      await more.click()
      await expectWholeInWindow(page.getByRole('dialog'))
    },
  },
]

const productManager: readonly State[] = [
  {
    name: 'a rate card with a wrong line',
    at: '/staff/rates',
    open: async (page, text) => {
      await page.getByRole('link', { name: text('ratesPage.cardName', { code: 'BUSINESS', edition: 2 }) }).click()
      const cells = page.getByRole('region', { name: text('fields.lines') }).getByRole('textbox')
      await cells.first().fill('NOWHERE AT ALL')
      await button(page, text('actions.save')).click()
      await expect(cells.first()).toBeFocused()
      await expect(cells.first()).toHaveAccessibleDescription(/\S/)
    },
  },
  {
    name: 'a zone that was submitted empty',
    at: '/staff/zones',
    open: async (page, text) => {
      await button(page, text('actions.new')).click()
      const dialog = page.getByRole('dialog', { name: text('zonesPage.create') })
      await button(dialog, text('actions.save')).click()
      await expect(field(dialog, text('fields.recordCode'))).toBeFocused()
    },
  },
]

for (const [who, states, login] of [
  ['a visitor', visitor, null],
  ['a customer', customer, { email: 'aisyah@example.com' }],
  ['staff', staff, { email: 'kl@waybill.example' }],
  ['a product manager', productManager, { email: 'product@waybill.example' }],
] as const) {
  test(`menus, dialogs and messages are accessible: ${who}`, async ({ page, text, checkAccess }) => {
    if (login) await startSession(page, login.email)
    for (const { name, at, open } of states) {
      await test.step(name, async () => {
        await page.goto(at)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await open(page, text)
        await checkAccess(page, name)
      })
    }
  })
}
