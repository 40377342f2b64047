import { Button } from '@mantine/core'
import { IconArrowBackUp, IconDownload, IconPlus, IconShoppingCart } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import {
  type BulkBatch,
  bulkLimits,
  bulkProblemFile,
  cartBulk,
  getBulk,
  listBulk,
} from '@waybill/contract/parcels/bulk'
import { cartCount, getCart } from '@waybill/contract/parcels/cart'
import { listParcels } from '@waybill/contract/parcels/list'
import { useState } from 'react'
import { Time } from '../../../components/display/time.tsx'
import { MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { notify } from '../../../components/feedback/notify.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Row } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Tabs } from '../../../components/layout/tabs.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useNarrow } from '../../../lib/browser/use-media.ts'
import { saveDocument } from '../../../lib/download.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { BulkCards } from '../bulk-grid/bulk-cards.tsx'
import { BulkGrid } from '../bulk-grid/bulk-grid.tsx'
import type { BulkRows, Only } from '../bulk-grid/bulk-rows.ts'
import { CellBar } from '../bulk-grid/cell-bar.tsx'
import { visibleColumns } from '../bulk-grid/columns.ts'
import type { CellChanges } from '../bulk-grid/edit-history.ts'
import { RowForm } from '../bulk-grid/row-form.tsx'
import { useBulkRows } from '../bulk-grid/use-bulk-rows.ts'
import { BatchNotices } from './batch-notices.tsx'
import classes from './bulk.module.css'
import { DeleteBatchButton } from './delete-batch-button.tsx'

const filters = [undefined, 'bad', 'good', 'carted'] as const

/** The rows of a batch, for correction and for adding them to the cart: a grid, or cards on a narrow screen. */
export function ReadyBatch({ batch: initialBatch, title }: { batch: BulkBatch; title: string }) {
  const t = useT()
  const format = useFormat()
  const [only, setOnly] = useState<Only>(
    initialBatch.counts.bad > 0 && initialBatch.counts.bad < initialBatch.counts.total ? 'bad' : undefined,
  )
  const [everything, setEverything] = useState(false)
  const [active, setActive] = useState({ row: 0, column: 0 })
  const rows = useBulkRows(initialBatch, only)
  const { batch } = rows
  const { counts } = batch
  const columns = visibleColumns(batch.mapping, everything)
  const narrow = useNarrow()
  /** The index of the row whose form is open. */
  const [opening, setOpening] = useState<number | null>(null)
  const restart = () => setActive({ row: 0, column: 0 })

  const addRows = useSend(async (cells: CellChanges[]) => {
    if (counts.total + cells.length > bulkLimits.rows) {
      notify.error(t('bulk.tooManyRows', { rows: format.number(bulkLimits.rows) }))
      return
    }
    await rows.add(cells)
    // A new row is empty and therefore the last of the rows with problems.
    if (only === 'good' || only === 'carted') setOnly('bad')
    const last = (only === undefined ? rows.batch.counts.total : rows.batch.counts.bad) - 1
    setActive({ row: last, column: 0 })
    if (narrow) setOpening(last)
  })
  if (rows.isGone) return <GoneBatch title={title} rows={rows} />
  return (
    <>
      <Header title={title} rows={rows} restart={restart} />
      <BatchNotices rows={rows} />
      <Row gap={8} className={classes.toolbar}>
        <Tabs<NonNullable<Only> | 'all'>
          label={t('list.tabs')}
          tabs={filters.map((filter) => ({
            key: filter ?? 'all',
            label: t(`bulk.only.${filter ?? 'all'}`),
            count: format.number(filter ? counts[filter] : counts.total),
          }))}
          current={only ?? 'all'}
          onSelect={async (filter) => {
            await rows.flush()
            setActive({ row: 0, column: 0 })
            setOnly(filter === 'all' ? undefined : filter)
          }}
          className={classes.tabs}
        />
        <Button
          size="compact-md"
          variant="subtle"
          leftSection={<IconArrowBackUp size={16} aria-hidden />}
          onClick={() => rows.undo()}
          data-disabled={!rows.canUndo || undefined}
        >
          {t('bulk.undo')}
        </Button>
        <Button
          size="compact-md"
          variant="subtle"
          leftSection={<IconPlus size={16} aria-hidden />}
          loading={addRows.pending}
          onClick={() => void addRows.send([{}])}
        >
          {t('bulk.addRow')}
        </Button>
        {!narrow && (
          <Button
            size="compact-md"
            variant="subtle"
            onClick={() => setEverything(!everything)}
            aria-pressed={everything}
          >
            {t(everything ? 'bulk.fewerColumns' : 'bulk.allColumns')}
          </Button>
        )}
      </Row>
      {!narrow && <CellBar rows={rows} field={columns[active.column]} place={active.row} />}
      {rows.count === 0 ? (
        <MessagePanel kind="empty" title={t(`bulk.none.${only ?? 'all'}`)} />
      ) : narrow ? (
        <BulkCards key={only ?? 'all'} rows={rows} label={title} open={setOpening} />
      ) : (
        <BulkGrid
          key={only ?? 'all'}
          rows={rows}
          columns={columns}
          active={active}
          setActive={setActive}
          label={title}
          addRows={addRows.send}
        />
      )}
      {opening !== null && (
        <RowForm key={opening} rows={rows} place={opening} columns={columns} close={() => setOpening(null)} />
      )}
      {!narrow && <Note className={classes.keys}>{t('bulk.keys')}</Note>}
    </>
  )
}

/** Replaces a batch that was deleted in another window. */
function GoneBatch({ title, rows }: { title: string; rows: BulkRows }) {
  const t = useT()
  const navigate = useNavigate()
  return (
    <>
      <PageHeader title={title} />
      <MessagePanel
        kind="error"
        title={t('bulk.gone')}
        text={rows.refusal ? t('bulk.goneUnsaved') : undefined}
        action={
          <Button
            variant="filled"
            onClick={async () => {
              await navigate({ to: '/parcels/bulk' })
              rows.dropRefused()
            }}
          >
            {t('bulk.backToBulk')}
          </Button>
        }
      />
    </>
  )
}

type HeaderProps = { title: string; rows: BulkRows; restart: () => void }

/** Actions of the whole batch: add to the cart, remove, or save the rows with problems as a file. */
function Header({ title, rows, restart }: HeaderProps) {
  const t = useT()
  const format = useFormat()
  const navigate = useNavigate()
  const { batch } = rows
  const { counts } = batch
  const toCart = useSend(
    async () => {
      if (await rows.flush()) return call(cartBulk, { body: { id: batch.id } })
      // The cart would get the rows without these changes.
      notify.error(t('bulk.unsaved'))
      return null
    },
    {
      refresh: [cartCount, getCart, listParcels, listBulk, getBulk],
      success: (result) => result && t('bulk.added', { count: result.added, rows: format.number(result.added) }),
      onSuccess: async (result) => {
        if (!result) return
        const after = result.batch
        rows.reset(after)
        restart()
        if (after.counts.bad === 0) await navigate({ to: '/cart' })
      },
    },
  )
  const save = useSend(async () => {
    await rows.flush()
    await saveDocument(bulkProblemFile, { params: { id: batch.id } })
  })
  return (
    <PageHeader
      title={title}
      description={
        <Row as="span" gap="4px 16px">
          <Time at={batch.createdAt} />
          <span role="status">{t(`bulk.save.${rows.save}`)}</span>
        </Row>
      }
      actions={
        <>
          <DeleteBatchButton id={batch.id} />
          {counts.bad > 0 && (
            <Button
              leftSection={<IconDownload size={18} aria-hidden />}
              onClick={() => void save.send()}
              loading={save.pending}
            >
              {t('bulk.saveBad')}
            </Button>
          )}
          {counts.good > 0 && (
            <Button
              variant="filled"
              leftSection={<IconShoppingCart size={18} aria-hidden />}
              loading={toCart.pending}
              onClick={() => void toCart.send()}
            >
              {t('bulk.toCart', { count: counts.good, rows: format.number(counts.good) })}
              {batch.totalMinor > 0 && ` · ${format.money(batch.totalMinor)}`}
            </Button>
          )}
        </>
      }
    />
  )
}
