import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import {
  type Address,
  getDefaultAddress,
  listAddresses,
  removeAddress,
  removeAddresses,
} from '@waybill/contract/addresses/addresses'
import { exportAddresses } from '@waybill/contract/addresses/import'
import { addressKindLabels } from '@waybill/contract/ground/enums/enums'
import { useState } from 'react'
import { ButtonLink, TextButton } from '../../components/buttons/link.tsx'
import { confirm } from '../../components/confirm.tsx'
import { Phone, PhoneLink } from '../../components/display/phone-link.tsx'
import { notify } from '../../components/feedback/notify.tsx'
import { Together, useProfileAnswer } from '../../components/feedback/together.tsx'
import { useSend } from '../../components/feedback/use-send.ts'
import { Buttons, Row } from '../../components/layout/boxes.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Quiet, Tag } from '../../components/layout/text.tsx'
import type { BulkAction } from '../../components/list/bulk-bar.tsx'
import { DataList } from '../../components/list/data-list.tsx'
import { DownloadExcel } from '../../components/list/download-excel.tsx'
import { useList } from '../../components/list/list-state.ts'
import { EditRowButton, RemoveRowButton } from '../../components/list/row-buttons.tsx'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useRefresh } from '../../lib/query.ts'
import { useMay } from '../../lib/session.ts'
import { AddressToolbar } from './address-toolbar.tsx'
import { AddressDialog } from './shared/address-dialog.tsx'
import { formatPlace } from './shared/format-place.ts'

const filters = ['kind'] as const

/** The address book: addresses that parcels can use. */
export function AddressBookPage() {
  const t = useT()
  const label = useLabel()
  const mayEdit = useMay('addresses')
  const list = useList(listAddresses, { filters, defaultSort: '+contactName' })
  const answers = [list.result, useProfileAnswer()]
  // Null: no dialog is open; 'new': an empty form.
  const [open, setOpen] = useState<Address | 'new' | null>(null)
  const bulkActions = useBulkActions()
  const create = mayEdit && (
    <Button variant="filled" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen('new')}>
      {t('actions.new')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('addressBook.title')} actions={create} />
      <Together answers={answers}>
        <Row gap={8} style={{ marginBlockEnd: 16 }}>
          {mayEdit && (
            <>
              <ButtonLink to="/address-book/links">{t('addressLinks.ask')}</ButtonLink>
              <ButtonLink to="/address-book/import">{t('addressImport.title')}</ButtonLink>
              <ButtonLink to="/address-book/duplicates">{t('addressDuplicates.title')}</ButtonLink>
            </>
          )}
          <DownloadExcel endpoint={exportAddresses} narrowing={list.narrowing} />
        </Row>
        <AddressToolbar />
        <DataList
          list={list}
          label={t('addressBook.title')}
          rowKey={(row: Address) => row.id}
          rowName={(row) => row.contactName}
          bulkActions={mayEdit ? bulkActions : []}
          columns={[
            {
              id: 'name',
              header: t('fields.contactName'),
              sort: 'contactName',
              card: 'title',
              phone: 'title',
              phoneCell: (row) => (
                <>
                  {mayEdit ? (
                    <TextButton
                      aria-label={t('phrase.labelled', { label: t('actions.edit'), value: row.contactName })}
                      onClick={() => setOpen(row)}
                    >
                      {row.contactName}
                    </TextButton>
                  ) : (
                    row.contactName
                  )}{' '}
                  {row.isNew && <Tag tone="success">{t('addressBook.newMark')}</Tag>}
                </>
              ),
              cell: (row) => (
                <>
                  <Row as="span" gap={6}>
                    <strong>{row.contactName}</strong>
                    {row.isNew && <Tag tone="success">{t('addressBook.newMark')}</Tag>}
                    {row.isDefault && <Tag>{t('addressBook.defaultMark')}</Tag>}
                  </Row>
                  <Quiet>{[...new Set([row.company, row.label].filter(Boolean))].join(' · ')}</Quiet>
                </>
              ),
            },
            {
              id: 'address',
              header: t('addressBook.address'),
              cell: (row) => [row.line1, row.line2].filter(Boolean).join(', '),
            },
            {
              id: 'city',
              header: t('fields.city'),
              sort: 'city',
              phone: 'detail',
              phoneCell: (row) => [row.postcode, row.city].join(' '),
              cell: (row) => formatPlace(row),
            },
            {
              id: 'phone',
              header: t('fields.phone'),
              phone: 'detailEnd',
              whole: true,
              phoneCell: (row) => <Phone phone={row.phone} />,
              cell: (row) => <PhoneLink phone={row.phone} />,
            },
            { id: 'kind', header: t('fields.kind'), phone: 'end', cell: (row) => label(addressKindLabels, row.kind) },
            ...(mayEdit
              ? [
                  {
                    id: 'actions',
                    kind: 'actions' as const,
                    header: t('addressBook.actions'),
                    cell: (row: Address) => <RowActions address={row} edit={() => setOpen(row)} />,
                  },
                ]
              : []),
          ]}
          empty={{ title: t('addressBook.empty'), text: t('addressBook.emptyHint') }}
        />
      </Together>
      {open && <AddressDialog address={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </>
  )
}

function useBulkActions(): readonly BulkAction<Address>[] {
  const t = useT()
  const refresh = useRefresh()
  return [
    {
      label: t('actions.remove'),
      run: async (rows) => {
        const isConfirmed = await confirm({
          title: t('addressBook.removeSelectedTitle', { count: rows.length }),
          message: t('addressBook.removeSelectedText'),
          action: t('actions.remove'),
        })
        if (!isConfirmed) return false
        await call(removeAddresses, { body: { ids: rows.map(({ id }) => id) } })
        await refresh(listAddresses, getDefaultAddress)
        notify.success(t('addressBook.removedSelected', { count: rows.length }))
        return true
      },
    },
  ]
}

function RowActions({ address, edit }: { address: Address; edit: () => void }) {
  const t = useT()
  const remove = useSend(() => call(removeAddress, { params: { id: address.id } }), {
    confirm: {
      title: t('addressBook.removeTitle', { name: address.contactName }),
      message: t('addressBook.removeText'),
      action: t('actions.remove'),
    },
    refresh: [listAddresses, getDefaultAddress],
    success: t('addressBook.removed', { name: address.contactName }),
  })
  return (
    <Buttons as="span">
      <EditRowButton of={address.contactName} onClick={edit} />
      <RemoveRowButton of={address.contactName} remove={remove} />
    </Buttons>
  )
}
