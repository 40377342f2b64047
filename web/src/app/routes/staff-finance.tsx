import { ClosesTab } from '../../features/cash/closes-tab.tsx'
import { HandInsTab } from '../../features/cash/hand-ins-tab.tsx'
import { CodTab } from '../../features/cod/cod-tab.tsx'
import { CompaniesTab } from '../../features/finance/companies-tab.tsx'
import { FinanceTabs } from '../../features/finance/finance-tabs.tsx'
import { GatewayTab } from '../../features/finance/gateway-tab.tsx'
import { MovementsTab } from '../../features/finance/movements-tab.tsx'
import { RefundsTab } from '../../features/finance/refunds-tab.tsx'
import { TrialBalanceTab } from '../../features/finance/trial-balance-tab.tsx'

/** Staff's finance, put together from the features that have a part in it: a part is one line. */
const tabs = [
  { id: 'refunds', label: 'financePage.refunds', Content: RefundsTab },
  { id: 'closes', label: 'financePage.closes', Content: ClosesTab },
  { id: 'hand-ins', label: 'financePage.handIns', Content: HandInsTab },
  { id: 'companies', label: 'financePage.companies', Content: CompaniesTab },
  { id: 'cod', label: 'financePage.cod', Content: CodTab },
  { id: 'trial', label: 'financePage.trial', Content: TrialBalanceTab },
  { id: 'gateway', label: 'financePage.gateway', Content: GatewayTab },
  { id: 'movements', label: 'financePage.movements', Content: MovementsTab },
]

export function StaffFinancePage() {
  return <FinanceTabs tabs={tabs} />
}
