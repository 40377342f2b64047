import { Button } from '@mantine/core'
import { IconCopyPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Tone } from '@waybill/contract/ground/status/status-look'
import { createRateCard, exportRateCards, listRateCards, type RateCard } from '@waybill/contract/pricing/rate-cards'
import { TextLink } from '../../../components/buttons/link.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { Quiet, Tag } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'

const filters = ['state'] as const
const states = ['draft', 'upcoming', 'current', 'past'] as const

/** The validity period of a version, as text. */
export function useValidity() {
  const t = useT()
  const format = useFormat()
  return ({ validFrom, validTo }: Pick<RateCard, 'validFrom' | 'validTo'>) => {
    if (!validFrom) return t('ratesPage.notYet')
    const from = format.day(validFrom)
    return validTo ? t('ratesPage.fromTo', { from, to: format.day(validTo) }) : t('ratesPage.fromOn', { from })
  }
}

const stateTones: Record<RateCard['state'], Tone> = {
  current: 'success',
  upcoming: 'moving',
  draft: 'waiting',
  past: 'neutral',
}

export function CardState({ state }: { state: RateCard['state'] }) {
  const t = useT()
  return <Tag tone={stateTones[state]}>{t(`ratesPage.state.${state}`)}</Tag>
}

/** All versions of all rate cards. A new version starts as a copy. */
export function RateCardsTab() {
  const t = useT()
  const format = useFormat()
  const validity = useValidity()
  const list = useList(listRateCards, { filters, defaultSort: '+code' })
  return (
    <DataList
      list={list}
      label={t('ratesPage.tab.cards')}
      sheet={exportRateCards}
      searchLabel={t('ratesPage.searchCards')}
      filters={
        <SelectField
          field={list.filter('state', t('fields.status'))}
          choices={states.map((value) => ({ value, label: t(`ratesPage.state.${value}`) }))}
        />
      }
      rowKey={(row: RateCard) => row.id}
      rowName={(row) => t('ratesPage.cardName', { code: row.code, edition: row.edition })}
      columns={[
        {
          id: 'card',
          header: t('fields.rateCardCode'),
          sort: 'code',
          card: 'title',
          phone: 'title',
          phoneCell: (row) => (
            <TextLink to="/staff/rates/$id" params={{ id: row.id }}>
              {t('ratesPage.cardName', { code: row.code, edition: row.edition })}
            </TextLink>
          ),
          cell: (row) => (
            <>
              <TextLink to="/staff/rates/$id" params={{ id: row.id }}>
                {t('ratesPage.cardName', { code: row.code, edition: row.edition })}
              </TextLink>
              <Quiet>{row.name}</Quiet>
            </>
          ),
        },
        { id: 'state', header: t('fields.status'), phone: 'end', cell: (row) => <CardState state={row.state} /> },
        {
          id: 'validity',
          header: t('ratesPage.validity'),
          sort: 'validFrom',
          phone: 'detail',
          cell: (row) => validity(row),
        },
        { id: 'lines', header: t('fields.lines'), align: 'end', cell: (row) => format.number(row.lineCount) },
        {
          id: 'for',
          header: t('ratesPage.for'),
          cell: (row) => (row.common ? t('ratesPage.everybody') : t('ratesPage.accounts', { count: row.accountCount })),
        },
        { id: 'actions', kind: 'actions', header: t('ratesPage.actions'), cell: (row) => <NewVersion card={row} /> },
      ]}
      empty={{ title: t('ratesPage.noCards'), text: t('ratesPage.noCardsText') }}
    />
  )
}

function NewVersion({ card }: { card: RateCard }) {
  const t = useT()
  const navigate = useNavigate()
  const create = useSend(() => call(createRateCard, { body: { fromId: card.id } }), {
    refresh: [listRateCards],
    onSuccess: ({ id }) => navigate({ to: '/staff/rates/$id', params: { id } }),
  })
  if (card.state === 'draft') return null
  return (
    <Button
      size="compact-sm"
      leftSection={<IconCopyPlus size={16} aria-hidden />}
      aria-label={t('phrase.labelled', { label: t('ratesPage.newVersion'), value: `${card.code} ${card.edition}` })}
      loading={create.pending}
      onClick={() => void create.send()}
    >
      {t('ratesPage.newVersion')}
    </Button>
  )
}
