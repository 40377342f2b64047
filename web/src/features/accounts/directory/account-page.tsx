import { useParams } from '@tanstack/react-router'
import { getAccount } from '@waybill/contract/accounts/directory'
import { userTypeLabels } from '@waybill/contract/ground/enums/enums'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { Columns, Stack } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import { AccountActivityPanel } from './account-activity-panel.tsx'
import { LatestPanels } from './latest-panels.tsx'
import { MoneyPanel } from './money-panel.tsx'
import { NotesPanel } from './notes-panel.tsx'
import { PeoplePanel } from './people-panel.tsx'
import { StatusPanel } from './status-panel.tsx'
import { TermsPanel } from './terms-panel.tsx'
import { ViewButton } from './view-button.tsx'

/** One account, for staff: users, status, money, terms, latest orders, notes and activity. */
export function AccountPage() {
  const t = useT()
  const label = useLabel()
  const { id } = useParams({ from: '/staff/staff/accounts/$id' })
  const account = useCall(getAccount, { params: { id } })
  const { data } = account
  // A later response that fails must not close a dialog with unsaved input.
  if (account.error && !data) {
    return (
      <>
        <PageHeader title={t('accountPage.title')} />
        <ErrorPanel error={account.error} retry={() => void account.refetch()} />
      </>
    )
  }
  if (!data) return <Loading />
  return (
    <>
      <PageHeader
        title={data.name}
        description={`${data.number} · ${label(userTypeLabels, data.userType)}`}
        actions={<ViewButton account={data} />}
      />
      <Columns template="minmax(0, 3fr) minmax(0, 2fr)">
        <Stack gap={24}>
          <PeoplePanel account={data} />
          <MoneyPanel account={data} />
          <LatestPanels account={data} />
        </Stack>
        <Stack gap={24}>
          <StatusPanel account={data} />
          <TermsPanel account={data} />
          <NotesPanel id={id} />
          <AccountActivityPanel account={data} />
        </Stack>
      </Columns>
    </>
  )
}
