import { ActionIcon, Button } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { removeParcels } from '@waybill/contract/parcels/cart'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import { lazy, useState } from 'react'
import { TextLink } from '../../../components/buttons/link.tsx'
import { LazyPart } from '../../../components/feedback/lazy-part.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons, Row } from '../../../components/layout/boxes.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { ListTable, TableFrame } from '../../../components/list/list-table.tsx'
import { call } from '../../../lib/api.ts'
import { useWide } from '../../../lib/browser/use-media.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useMay } from '../../../lib/session.ts'
import { changedByCheckout } from '../shared/changed-by-checkout.ts'
import type { CartChange } from './cart-changes.tsx'
import { listInCheckout } from './preselection.ts'

const CartChanges = lazy(() => import('./cart-changes.tsx'))
const CartInsurance = lazy(() => import('./cart-insurance.tsx'))

type Props = {
  items: readonly Parcel[]
  /** What the parcels cost at the chosen time of the pickup, by id. */
  prices: ReadonlyMap<string, number>
  /** Ids of the parcels excluded from the checkout. */
  excludedIds: ReadonlySet<string>
  setExcludedIds: (excludedIds: ReadonlySet<string>) => void
  /** The ids of the selected parcels of the whole cart, also of those that are not shown; null: only shown ones. */
  wholeIds: readonly string[] | null
}

/** The parcels of a tab. The checked ones are checked out. */
export function CartTable({ items, prices, excludedIds, setExcludedIds, wholeIds }: Props) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const mayEdit = useMay('parcels.create')
  const mayPay = useMay('pay')
  const isWide = useWide()
  const remove = useRemove()
  const [insuring, setInsuring] = useState<Parcel | null>(null)
  const [change, setChange] = useState<CartChange | null>(null)
  const selectedIds = new Set(items.map(({ id }) => id).filter((id) => !excludedIds.has(id)))
  const excluded = items.filter(({ id }) => excludedIds.has(id))
  const removableIds = wholeIds ?? [...selectedIds]
  const keepSelected = (ids: ReadonlySet<string>) =>
    setExcludedIds(new Set(items.map(({ id }) => id).filter((id) => !ids.has(id))))
  const link = (row: Parcel) => (
    <TextLink to="/parcels/$id" params={{ id: row.id }} fw={600}>
      {row.receiver?.contactName ?? t('cart.noName')}
    </TextLink>
  )
  return (
    <>
      <TableFrame>
        <ListTable
          dense
          label={t('cart.title')}
          rows={items}
          rowKey={({ id }) => id}
          rowName={(row) => row.receiver?.contactName ?? row.id}
          sort={undefined}
          sortBy={() => undefined}
          // Who may neither pay nor edit has nothing to do with a selection.
          selection={mayEdit || mayPay ? { ids: selectedIds, select: keepSelected } : undefined}
          columns={[
            {
              id: 'receiver',
              header: t('fields.receiver'),
              card: 'title',
              phone: 'title',
              minWidth: 120,
              phoneCell: (row) => link(row),
              cell: (row) => (
                <>
                  {link(row)}
                  <Quiet>
                    {row.receiver && `${row.receiver.postcode} ${row.receiver.city}`}
                    {row.reference && ` · ${row.reference}`}
                  </Quiet>
                </>
              ),
            },
            {
              id: 'service',
              header: t('fields.serviceType'),
              phone: 'detail',
              minWidth: isWide ? 140 : 104,
              phoneCell: (row) =>
                [
                  row.receiver && `${row.receiver.postcode} ${row.receiver.city}`,
                  row.serviceType && label(serviceTypeLabels, row.serviceType),
                  row.weightGrams !== null && format.weight(row.weightGrams),
                ]
                  .filter(Boolean)
                  .join(' · '),
              cell: (row) => (
                <>
                  {row.serviceType && label(serviceTypeLabels, row.serviceType)}
                  {row.weightGrams !== null && <Quiet>{format.weight(row.weightGrams)}</Quiet>}
                  {row.codAmountMinor !== null && (
                    <Quiet>{t('cart.collects', { amount: format.money(row.codAmountMinor, row.currency) })}</Quiet>
                  )}
                </>
              ),
            },
            {
              id: 'price',
              header: t('cart.price'),
              align: 'end',
              phone: 'end',
              cell: (row) =>
                row.priceMinor === null ? '–' : format.money(prices.get(row.id) ?? row.priceMinor, row.currency),
            },
            ...(mayEdit
              ? [
                  {
                    id: 'insurance',
                    header: t('cart.insurance'),
                    cell: (row: Parcel) => <InsuranceButton parcel={row} insure={() => setInsuring(row)} />,
                  },
                  {
                    id: 'actions',
                    kind: 'actions' as const,
                    header: t('cart.actions'),
                    cell: (row: Parcel) => (
                      <RowActions parcel={row} remove={() => void remove.send({ ids: [row.id], parcels: [row] })} />
                    ),
                    sheetCell: (row: Parcel) => (
                      <RowActions
                        parcel={row}
                        remove={() => void remove.send({ ids: [row.id], parcels: [row] })}
                        words
                      />
                    ),
                  },
                ]
              : []),
          ]}
        />
      </TableFrame>
      {insuring && (
        <LazyPart onClose={() => setInsuring(null)}>
          <CartInsurance parcel={insuring} onClose={() => setInsuring(null)} />
        </LazyPart>
      )}
      {change && (
        <LazyPart onClose={() => setChange(null)}>
          <CartChanges
            change={change}
            parcels={items.filter(({ id }) => selectedIds.has(id))}
            onClose={() => setChange(null)}
          />
        </LazyPart>
      )}
      {mayEdit && removableIds.length > 0 && (
        <Row gap={8}>
          {!wholeIds &&
            (['service', 'collection'] as const).map((name) => (
              <Button key={name} size="compact-sm" variant="subtle" color="gray" onClick={() => setChange(name)}>
                {t(`cart.change.${name}`, { count: selectedIds.size })}
              </Button>
            ))}
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconTrash size={16} aria-hidden />}
            loading={remove.pending}
            onClick={() =>
              void remove.send({ ids: removableIds, parcels: items.filter(({ id }) => selectedIds.has(id)) })
            }
          >
            {excluded.length === 0 && !wholeIds
              ? t('cart.removeAll')
              : t('cart.removeChosen', { count: removableIds.length })}
          </Button>
        </Row>
      )}
    </>
  )
}

/** `parcels`: those that are in the table. */
type Removal = { ids: readonly string[]; parcels: readonly Parcel[] }

function useRemove() {
  const t = useT()
  return useSend(({ ids }: Removal) => call(removeParcels, { body: { ids: [...ids] } }), {
    confirm: ({ ids, parcels }) => ({
      title:
        ids.length === 1
          ? t('cart.removeTitle', { name: parcels[0]?.receiver?.contactName ?? '' })
          : t('cart.removeManyTitle', { count: ids.length }),
      message:
        listInCheckout(parcels).length === 0
          ? t('cart.removeText')
          : t('phrase.sentences', { first: t('cart.removeText'), second: t('pendingCheckout.ends') }),
      action: t('actions.remove'),
    }),
    refresh: changedByCheckout,
    success: (_, { ids }) => t('cart.removed', { count: ids.length }),
  })
}

/** The insured value of a parcel, or the offer to insure it. */
function InsuranceButton({ parcel, insure }: { parcel: Parcel; insure: () => void }) {
  const t = useT()
  const format = useFormat()
  const { insuredValueMinor, currency, receiver } = parcel
  const text = insuredValueMinor
    ? t('cart.insuredFor', { amount: format.money(insuredValueMinor, currency) })
    : t('cart.insure')
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      color="gray"
      aria-label={t('phrase.labelled', { label: text, value: receiver?.contactName ?? '' })}
      onClick={insure}
    >
      {insuredValueMinor ? format.money(insuredValueMinor, currency) : text}
    </Button>
  )
}

type ActionProps = {
  parcel: Parcel
  remove: () => void
  /** Buttons with words: in the sheet of a phone. In the table there is room only for icons. */
  words?: boolean
}

function RowActions({ parcel, remove, words = false }: ActionProps) {
  const t = useT()
  const navigate = useNavigate()
  const actions = [
    {
      action: 'edit',
      Icon: IconPencil,
      run: () => void navigate({ to: '/parcels/new', search: { id: parcel.id } }),
    },
    { action: 'remove', Icon: IconTrash, run: remove },
  ] as const
  return (
    <Buttons as="span">
      {actions
        .filter(({ action }) => parcel.allowedActions.includes(action))
        .map(({ action, Icon, run }) => {
          const label = t(`actions.${action}`)
          const name = t('phrase.labelled', { label, value: parcel.receiver?.contactName ?? '' })
          return words ? (
            <Button
              key={action}
              leftSection={<Icon size={18} stroke={1.75} aria-hidden />}
              aria-label={name}
              onClick={run}
            >
              {label}
            </Button>
          ) : (
            <ActionIcon key={action} size={28} title={label} aria-label={name} onClick={run}>
              <Icon size={18} stroke={1.75} aria-hidden />
            </ActionIcon>
          )
        })}
    </Buttons>
  )
}
