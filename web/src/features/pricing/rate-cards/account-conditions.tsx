import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { discountTypeLabels, userTypeLabels } from '@waybill/contract/ground/enums'
import {
  type AccountConditions,
  listAccountConditions,
  listRateCards,
  updateAccountConditions,
} from '@waybill/contract/pricing/rate-cards'
import { useState } from 'react'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { MoneyField } from '../../../components/fields/measure-field.tsx'
import { PlainNumberField } from '../../../components/fields/plain-number-field.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Quiet } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useChoices, useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'

const filters = ['special'] as const

/** Accounts with their pricing; those with special conditions first. */
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
        columns={[
          {
            id: 'name',
            header: t('fields.name'),
            sort: 'name',
            card: 'title',
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
            cell: (row) => row.rateCardCode ?? t('ratesPage.commonCard'),
          },
          { id: 'discount', header: t('fields.discount'), align: 'end', cell: off },
          {
            id: 'actions',
            header: t('ratesPage.actions'),
            cell: (row) => (
              <Button
                size="compact-sm"
                leftSection={<IconPencil size={16} aria-hidden />}
                aria-label={`${t('actions.edit')}: ${row.name}`}
                onClick={() => setOpen(row)}
              >
                {t('actions.edit')}
              </Button>
            ),
          },
        ]}
        empty={{ title: t('list.nothingFound') }}
      />
      {open && <ConditionsDialog account={open} onClose={() => setOpen(null)} />}
    </>
  )
}

type Values = {
  version: number
  rateCardCode: string | null
  type: 'fixed' | 'percentage' | null
  discount: { value: number | null }
}

function ConditionsDialog({ account, onClose }: { account: AccountConditions; onClose: () => void }) {
  const t = useT()
  const choices = useChoices()
  const cards = useCall(listRateCards, { query: { limit: 200 } }).data?.items ?? []
  const publishedCodes = cards.filter(({ state }) => state !== 'draft').map(({ code }) => code)
  const codes = [...new Set([...publishedCodes, ...(account.rateCardCode ? [account.rateCardCode] : [])])]
  const form = useContractForm<typeof updateAccountConditions.body, Values>({
    schema: updateAccountConditions.body,
    initial: {
      version: account.version,
      rateCardCode: account.rateCardCode,
      type: account.discount?.type ?? null,
      discount: { value: account.discount?.value ?? null },
    },
    prepare: ({ version, rateCardCode, type, discount }) => ({
      version,
      rateCardCode,
      discount: type === null ? null : { type, value: discount.value },
    }),
    onSubmit: (body) => call(updateAccountConditions, { params: { id: account.id }, body }),
    refresh: [listAccountConditions, listRateCards],
    success: t('ratesPage.saved'),
    onSuccess: onClose,
  })
  const { type } = form.values
  // Without a discount the schema allows no value; with one the value is required.
  const value = { ...form.field('discount.value', t('fields.discount')), required: true }
  return (
    <SaveDialog title={account.name} onClose={onClose} form={form}>
      <SelectField
        field={form.field('rateCardCode')}
        placeholder={t('ratesPage.commonCard')}
        choices={codes.map((code) => ({ value: code, label: code }))}
      />
      <SelectField
        field={{ ...form.field('type', t('ratesPage.discountType')), required: false }}
        placeholder={t('ratesPage.noDiscount')}
        choices={choices(discountTypeLabels)}
        help={t('ratesPage.discountHelp')}
      />
      {type === 'fixed' && <MoneyField key="fixed" field={value} />}
      {type === 'percentage' && <PlainNumberField key="percentage" field={value} percent />}
    </SaveDialog>
  )
}
