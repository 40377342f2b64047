import { callAsDemoUser } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { acceptAtCounter, payParcel } from '../support/parcels.ts'
import { button, field, startSession } from '../support/steps.ts'

test('a supervisor declares a parcel lost, and its sender and its receiver read it', async ({
  page,
  text,
  someoneElse,
  checkAccess,
}) => {
  const company = await callAsDemoUser(page.request, 'owner@kinabalu.example')
  const { id, number } = await payParcel(company)
  await acceptAtCounter(page.request, number)
  const note = 'We have searched both stations.'

  await test.step('the supervisor writes a note for the sender, without which it is refused', async () => {
    await startSession(page, 'superadmin@waybill.example')
    await page.goto(`/staff/parcels/${number}`)
    await button(page, text('staffParcel.declareLost')).click()
    const dialog = page.getByRole('dialog', { name: text('staffParcel.lostTitle') })
    await button(dialog, text('staffParcel.declareLost')).click()
    await expect(field(dialog, text('staffParcel.lostNote'))).toHaveAttribute('aria-invalid', 'true')
    await checkAccess(page, 'declaring a parcel lost')
    await field(dialog, text('staffParcel.lostNote')).fill(note)
    await button(dialog, text('staffParcel.declareLost')).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText(text('event.lost'), { exact: true }).first()).toBeVisible()
    await expect(button(page, text('staffParcel.declareLost'))).toBeHidden()
    await checkAccess(page, 'a lost parcel')
  })

  await test.step('the sender reads it on the page of the parcel, with the note in the notifications', async () => {
    const sender = await someoneElse()
    await startSession(sender, 'owner@kinabalu.example')
    await sender.goto(`/parcels/${id}`)
    await expect(sender.getByText(text('parcelPage.next.lost'))).toBeVisible()
    await sender.goto('/notifications')
    await expect(sender.getByText(note)).toBeVisible()
  })

  await test.step('the public page reads that it cannot be found', async () => {
    const receiver = await someoneElse()
    await receiver.goto(`/public/track-parcels?no=${number}`)
    await expect(receiver.getByText(text('trackPage.next.lost'))).toBeVisible()
    await checkAccess(receiver, 'public tracking of a lost parcel')
  })
})
