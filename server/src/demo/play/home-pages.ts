/** A home page of the demo that its user has arranged. */
import { addOwnWidget } from '../../domains/dashboard/arrangement.ts'
import { demoAccounts } from '../story/people.ts'
import { createCaller, type Stage } from './stage.ts'

/** The company's owner adds the two widgets that are not there by default: so every kind can be seen. */
export async function arrangeHomePage({ deps }: Stage): Promise<void> {
  const company = demoAccounts.find(({ key }) => key === 'kinabalu')
  if (!company) return
  const owner = createCaller(company, company.owner)
  await addOwnWidget(deps, owner, { kind: 'failed_deliveries', order: 3 })
  await addOwnWidget(deps, owner, { kind: 'outstanding', order: 4 })
}
