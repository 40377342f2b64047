import { FinanceTabs } from '../../features/finance/finance-tabs.tsx'
import { RefundsTab } from '../../features/finance/refunds-tab.tsx'

/** Staff's finance, put together from the features that have a part in it: a part is one line. */
const tabs = [{ id: 'refunds', label: 'financePage.refunds', Content: RefundsTab }]

export function StaffFinancePage() {
  return <FinanceTabs tabs={tabs} />
}
