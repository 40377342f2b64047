import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { userTypeLabels } from '@waybill/contract/ground/enums/enums'
import {
  type AccountConditions,
  exportAccountConditions,
  listAccountConditions,
} from '@waybill/contract/pricing/rate-cards'
import { useState } from 'react'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { TermsDialog } from '../../accounts/shared/terms-dialog.tsx'

const filters = ['special'] as const

/** Accounts with their pricing, those with individual conditions first. */
export function AccountConditionsTab() {
  const t = useT()
  const label = useLabel()
  const format = useFormat()
  const list = useList(listAccountConditions, { filters, defaultSort: '+name' })
  const [open, setOpen] = useState<AccountConditions | null>(null)
  const off = ({ discount }: AccountConditions) => {
    if (!discount) return '–'
    return discount.type === 'percentage' ? `${format.number(discount.value / 100)} %` : format.money(discount.value)
  }
  return (
    <>
      <DataList
        list={list}
        label={t('ratesPage.tab.accounts')}
        sheet={exportAccountConditions}
        searchLabel={t('ratesPage.searchAccounts')}
        filters={
          <SelectField
            field={list.filter('special')}
            choices={[
              { value: 'true', label: t('ratesPage.yes') },
              { value: 'false', label: t('ratesPage.no') },
            ]}
          />
        }
        rowKey={(row: AccountConditions) => row.id}
        rowName={(row) => row.name}
        columns={[
          {
            id: 'name',
            header: t('fields.name'),
            sort: 'name',
            card: 'title',
            phone: 'title',
            phoneCell: (row) => row.name,
            cell: (row) => (
              <>
                {row.name}
                <Quiet>{row.email}</Quiet>
              </>
            ),
          },
          { id: 'type', header: t('fields.userType'), cell: (row) => label(userTypeLabels, row.userType) },
          {
            id: 'card',
            header: t('fields.rateCardCode'),
            phone: 'detail',
            cell: (row) => row.rateCardCode ?? t('ratesPage.commonCard'),
          },
          { id: 'discount', header: t('fields.discount'), align: 'end', phone: 'end', cell: off },
          {
            id: 'actions',
            kind: 'actions',
            header: t('ratesPage.actions'),
            cell: (row) => (
              <Button
                size="compact-sm"
                leftSection={<IconPencil size={16} aria-hidden />}
                aria-label={t('phrase.labelled', { label: t('actions.edit'), value: row.name })}
                onClick={() => setOpen(row)}
              >
                {t('actions.edit')}
              </Button>
            ),
          },
        ]}
        empty={{ title: t('list.nothingFound') }}
      />
      {open && <TermsDialog id={open.id} name={open.name} onClose={() => setOpen(null)} />}
    </>
  )
}
