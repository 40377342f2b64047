import { ShiftsTab } from '../../features/payments/cash-desk/shifts-tab.tsx'
import { CodTab } from '../../features/payments/cod/cod-tab.tsx'
import { HandInsTab } from '../../features/payments/cod/hand-ins-tab.tsx'
import { CompaniesTab } from '../../features/payments/finance/companies-tab.tsx'
import { FinanceTabs } from '../../features/payments/finance/finance-tabs.tsx'
import { GatewayTab } from '../../features/payments/finance/gateway-tab.tsx'
import { MovementsTab } from '../../features/payments/finance/movements-tab.tsx'
import { RefundsTab } from '../../features/payments/finance/refunds-tab.tsx'
import { TrialBalanceTab } from '../../features/payments/finance/trial-balance-tab.tsx'
import { useFinanceCounts } from './use-finance-counts.ts'

/** The tabs of staff's finance page, one per feature. */
const tabs = [
  { id: 'refunds', label: 'financePage.refunds', Content: RefundsTab },
  { id: 'shifts', label: 'cashPage.shifts', Content: ShiftsTab },
  { id: 'hand-ins', label: 'financePage.handIns', Content: HandInsTab },
  { id: 'companies', label: 'financePage.companies', Content: CompaniesTab },
  { id: 'cod', label: 'financePage.cod', Content: CodTab },
  { id: 'trial', label: 'financePage.trial', Content: TrialBalanceTab },
  { id: 'gateway', label: 'financePage.gateway', Content: GatewayTab },
  { id: 'movements', label: 'financePage.movements', Content: MovementsTab },
]

export function StaffFinancePage() {
  return <FinanceTabs tabs={tabs} counts={useFinanceCounts()} />
}
