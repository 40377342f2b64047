import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import {
  type AddressRequest,
  exportAddressRequests,
  listAddressRequests,
  withdrawAddressRequest,
} from '@waybill/contract/addresses/requests'
import { useState } from 'react'
import { TextLink } from '../../../components/buttons/link.tsx'
import { Time } from '../../../components/display/time.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Quiet, Tag } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { DownloadExcel } from '../../../components/list/download-excel.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useMay } from '../../../lib/session.ts'
import { AskDialog } from './ask-dialog.tsx'

const tones = { open: 'waiting', answered: 'success', expired: 'neutral', withdrawn: 'neutral' } as const

/** The links with which receivers enter their own address. */
export function AddressLinksPage() {
  const t = useT()
  const mayAsk = useMay('addresses')
  const list = useList(listAddressRequests, {})
  const [asking, setAsking] = useState(false)
  const ask = mayAsk && (
    <Button variant="filled" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAsking(true)}>
      {t('addressLinks.create')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('addressLinks.ask')}
        description={<TextLink to="/address-book">{t('addressBook.title')}</TextLink>}
        actions={
          <>
            <DownloadExcel endpoint={exportAddressRequests} narrowing={{}} />
            {ask}
          </>
        }
      />
      <DataList
        list={list}
        label={t('addressLinks.ask')}
        rowKey={(row: AddressRequest) => row.id}
        columns={[
          {
            id: 'label',
            header: t('addressLinks.for'),
            card: 'title',
            phone: 'title',
            cell: (row) => (
              <>
                <strong>{row.label ?? row.email ?? t('addressLinks.unnamed')}</strong>
                {row.label && row.email && <Quiet>{row.email}</Quiet>}
              </>
            ),
          },
          {
            id: 'status',
            header: t('fields.status'),
            phone: 'end',
            cell: ({ status }) => <Tag tone={tones[status]}>{t(`addressLinks.status.${status}`)}</Tag>,
          },
          { id: 'created', header: t('addressLinks.created'), cell: (row) => <Time at={row.createdAt} /> },
          {
            id: 'until',
            header: t('addressLinks.until'),
            phone: 'detailEnd',
            cell: (row) => <Time at={row.answeredAt ?? row.expiresAt} />,
          },
          {
            id: 'actions',
            kind: 'actions',
            header: t('addressBook.actions'),
            cell: (row) => row.status === 'open' && mayAsk && <Withdraw request={row} />,
          },
        ]}
        empty={{ title: t('addressLinks.empty'), text: t('addressLinks.emptyText') }}
      />
      {asking && <AskDialog onClose={() => setAsking(false)} />}
    </>
  )
}

function Withdraw({ request }: { request: AddressRequest }) {
  const t = useT()
  const withdraw = useSend(() => call(withdrawAddressRequest, { params: { id: request.id } }), {
    confirm: {
      title: t('addressLinks.withdrawTitle'),
      message: t('addressLinks.withdrawText'),
      action: t('addressLinks.withdraw'),
    },
    refresh: [listAddressRequests],
    refreshOnError: [listAddressRequests],
  })
  return (
    <Button size="compact-sm" loading={withdraw.pending} onClick={() => void withdraw.send()}>
      {t('addressLinks.withdraw')}
    </Button>
  )
}
