import { accountTabs, exportAccounts, type ListedAccount, listAccounts } from '@waybill/contract/accounts/directory'
import { accountStatusLabels, userTypeLabels } from '@waybill/contract/ground/enums/enums'
import { countLimit } from '@waybill/contract/ground/paging'
import { TextLink } from '../../../components/buttons/link.tsx'
import { Phone } from '../../../components/display/phone-link.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Time } from '../../../components/display/time.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Mono, Quiet } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { DownloadExcel } from '../../../components/list/download-excel.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { getCountedTabs } from '../../../components/list/list-toolbar.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { memberLooks } from '../company/member-looks.ts'

/** Every customer and company, for staff. */
export function AccountsPage() {
  const t = useT()
  const label = useLabel()
  const list = useList(listAccounts)
  return (
    <>
      <PageHeader
        title={t('accountsPage.title')}
        description={t('accountsPage.lead')}
        actions={<DownloadExcel endpoint={exportAccounts} narrowing={list.narrowing} />}
      />
      <DataList
        list={list}
        label={t('accountsPage.title')}
        searchLabel={t('accountsPage.search')}
        tabs={getCountedTabs(accountTabs, (tab) => t(`accountsPage.tab.${tab}`), list.result.data?.counts)}
        countedTo={countLimit}
        rowKey={(row: ListedAccount) => row.id}
        rowName={(row) => row.name}
        columns={[
          {
            id: 'name',
            header: t('inbox.account'),
            card: 'title',
            phone: 'title',
            phoneCell: (row) => (
              <TextLink to="/staff/accounts/$id" params={{ id: row.id }}>
                {row.name}
              </TextLink>
            ),
            cell: (row) => (
              <>
                <TextLink to="/staff/accounts/$id" params={{ id: row.id }}>
                  {row.name}
                </TextLink>
                <Quiet>{label(userTypeLabels, row.userType)}</Quiet>
              </>
            ),
          },
          { id: 'number', header: t('accountsPage.number'), phone: 'detail', cell: (row) => <Mono>{row.number}</Mono> },
          {
            id: 'owner',
            header: t('accountsPage.contact'),
            cell: (row) => (
              <>
                {row.email ?? '–'}
                <Quiet>{row.phone && <Phone phone={row.phone} />}</Quiet>
              </>
            ),
          },
          {
            id: 'status',
            header: t('fields.status'),
            phone: 'end',
            cell: (row) => <StatusPill look={memberLooks[row.status]} label={label(accountStatusLabels, row.status)} />,
          },
          {
            id: 'since',
            header: t('accountsPage.since'),
            phone: 'detailEnd',
            cell: (row) => <Time at={row.createdAt} />,
          },
        ]}
        empty={{ title: t('accountsPage.empty'), text: t('accountsPage.emptyHint') }}
      />
    </>
  )
}
