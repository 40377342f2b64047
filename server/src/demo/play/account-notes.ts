/** What the demo's staff noted about a company, and their look at its portal. */
import { addNote } from '../../domains/accounts/directory/notes.ts'
import { openView } from '../../domains/accounts/directory/view-account.ts'
import { demoAccounts } from '../story/people.ts'
import { type Stage, staffCaller } from './stage.ts'

const texts = [
  'Wants one invoice a month for all warehouses. Monthly billing explained and set up.',
  'Called about the March statement: paid twice by mistake, the second transfer stays as credit.',
]

/** The account manager writes notes about the company, and sees its portal as the owner does. */
export async function lookAfterCompany({ deps }: Stage): Promise<void> {
  const company = demoAccounts.find(({ key }) => key === 'kinabalu')
  if (!company) return
  const manager = staffCaller('accounts@waybill.example', null)
  for (const text of texts) await addNote(deps, manager, company.id, { text })
  await openView(deps, manager, company.id)
}
