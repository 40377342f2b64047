import { Button } from '@mantine/core'
import {
  type SheetImport,
  type SheetImportRow,
  type SheetRowState,
  sheetRowStates,
} from '@waybill/contract/sheet-imports/sheet-imports'
import { useState } from 'react'
import { ButtonLink } from '../../components/buttons/link.tsx'
import { Time } from '../../components/display/time.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../components/feedback/message-panel.tsx'
import { useSend } from '../../components/feedback/use-send.ts'
import { DownloadButton } from '../../components/form/sheet-upload.tsx'
import { Buttons, Panel, Row, Stack } from '../../components/layout/boxes.tsx'
import { Tabs } from '../../components/layout/tabs.tsx'
import { Notice, Quiet, Tag } from '../../components/layout/text.tsx'
import { ListTable, TableFrame } from '../../components/list/list-table.tsx'
import { call } from '../../lib/api.ts'
import { saveDocument } from '../../lib/download.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { type SheetKind, sheetCalls } from './kinds.ts'

const pageSize = 50
const tones = { new: 'success', changed: 'moving', unchanged: 'neutral', removed: 'waiting', faulty: 'danger' } as const
/** The initial row state: the first one here that occurs. */
const firstShown: readonly SheetRowState[] = ['faulty', 'removed', 'changed', 'new', 'unchanged']
/** The number of cells that identify a row's record. */
const shownCells = 7

type Props = { kind: SheetKind; importId: string; another: () => void }

/** The changes that a file would make, and the problems by cell. */
export function SheetPreview({ kind, importId, another }: Props) {
  const t = useT()
  const { preview } = sheetCalls[kind]
  const [only, setOnly] = useState<SheetRowState | null>(null)
  const [offset, setOffset] = useState(0)
  const query = { limit: pageSize, offset, ...(only ? { only } : {}) }
  const page = useCall(preview, { params: { id: importId }, query }, { keepPrevious: true, staleTime: 0 })
  if (page.error) {
    return <ErrorPanel error={page.error} retry={() => void page.refetch()} />
  }
  if (!page.data) return <Loading />
  const { import: one, items, total } = page.data
  const firstState = firstShown.find((state) => one.counts[state] > 0) ?? 'unchanged'
  if (only === null) {
    setOnly(firstState)
    return <Loading />
  }
  return (
    <Stack gap={16}>
      <Summary kind={kind} one={one} another={another} />
      <Tabs
        label={t('sheets.rows')}
        current={only}
        onSelect={(state) => {
          setOnly(state)
          setOffset(0)
        }}
        tabs={sheetRowStates
          .filter((state) => one.counts[state] > 0 || state === only)
          .map((state) => ({ key: state, label: t(`sheets.state.${state}`), count: <Count of={one.counts[state]} /> }))}
      />
      <TableFrame>
        {items.length === 0 ? (
          <MessagePanel kind="empty" title={t('list.nothingFound')} />
        ) : (
          <Rows one={one} rows={items} />
        )}
      </TableFrame>
      {total > pageSize && (
        <Row justify="between">
          <Quiet inline>{t('sheets.shown', { from: offset + 1, to: offset + items.length, total })}</Quiet>
          <Buttons>
            <Button disabled={offset === 0} onClick={() => setOffset(offset - pageSize)}>
              {t('list.previous')}
            </Button>
            <Button disabled={offset + pageSize >= total} onClick={() => setOffset(offset + pageSize)}>
              {t('list.next')}
            </Button>
          </Buttons>
        </Row>
      )}
    </Stack>
  )
}

function Count({ of }: { of: number }) {
  const format = useFormat()
  return <>{format.number(of)}</>
}

/** The counts, and the button that applies the file; or why it cannot be applied. */
function Summary({ kind, one, another }: { kind: SheetKind; one: SheetImport; another: () => void }) {
  const t = useT()
  const format = useFormat()
  const { preview, problems, apply, refresh } = sheetCalls[kind]
  const { counts } = one
  const changes = counts.new + counts.changed + counts.removed
  const save = useSend(() => call(apply, { params: { id: one.id }, body: { version: one.version } }), {
    refresh: [preview, ...refresh],
    refreshOnError: [preview],
  })
  const figures = Object.fromEntries(sheetRowStates.map((state) => [state, format.number(counts[state])]))
  return (
    <Panel as="div">
      <div>
        <strong>{one.name ?? t('bulk.unnamed')}</strong>
        <Quiet>
          <Time at={one.createdAt} />
        </Quiet>
      </div>
      {one.applied ? (
        <Notice tone="success" role="status">
          {t('sheets.applied', figures)}
        </Notice>
      ) : counts.faulty > 0 ? (
        <Notice tone="danger" role="status">
          {t('sheets.faulty', { rows: figures.faulty, count: counts.faulty })}
        </Notice>
      ) : changes === 0 ? (
        <Notice role="status">{t('sheets.nothing')}</Notice>
      ) : (
        <Notice role="status">{t('sheets.ready', figures)}</Notice>
      )}
      {!one.applied && one.hiddenRows > 0 && (
        <Notice tone="waiting">{t('sheets.hidden', { count: one.hiddenRows })}</Notice>
      )}
      <Buttons>
        <Button onClick={another}>{t('bulk.another')}</Button>
        {!one.applied && counts.faulty > 0 && (
          <DownloadButton label={t('bulk.saveBad')} save={() => saveDocument(problems, { params: { id: one.id } })} />
        )}
        {one.applied && one.resultId && (
          <ButtonLink variant="filled" to="/staff/rates/$id" params={{ id: one.resultId }}>
            {t('sheets.openDraft')}
          </ButtonLink>
        )}
        {!one.applied && counts.faulty === 0 && changes > 0 && (
          <Button variant="filled" loading={save.pending} onClick={() => void save.send()}>
            {t('sheets.apply', { rows: format.number(changes) })}
          </Button>
        )}
      </Buttons>
    </Panel>
  )
}

function Rows({ one, rows }: { one: SheetImport; rows: readonly SheetImportRow[] }) {
  const t = useT()
  const getHeader = (column: string) => one.columns.find(({ key }) => key === column)?.header ?? column
  return (
    <ListTable
      label={t('sheets.rows')}
      rows={rows}
      rowKey={({ row, cells }) => (row === null ? cells.join(' ') : String(row))}
      rowName={undefined}
      sort={undefined}
      sortBy={() => {}}
      selection={undefined}
      columns={[
        { id: 'row', header: t('addressImport.row'), card: 'hidden', cell: ({ row }) => row ?? '–' },
        {
          id: 'record',
          header: t('sheets.record'),
          card: 'title',
          cell: ({ cells }) => (
            <>
              <strong>{cells[0] || '–'}</strong>
              <Quiet>{cells.slice(1, shownCells).filter(Boolean).join(' · ')}</Quiet>
            </>
          ),
        },
        {
          id: 'state',
          header: t('fields.status'),
          cell: ({ state }) => <Tag tone={tones[state]}>{t(`sheets.state.${state}`)}</Tag>,
        },
        {
          id: 'details',
          header: t('sheets.details'),
          cell: ({ problems, changes }) => (
            <Stack as="ul" gap={4}>
              {problems.map(({ cell, code, message, suggestion }) => (
                <li key={`${cell} ${code}`}>
                  {message} {suggestion !== null && <b>{t('sheets.meant', { suggestion })}</b>}
                </li>
              ))}
              {changes.map(({ column, before, after }) => (
                <li key={column}>
                  {t('phrase.label', { label: getHeader(column) })}
                  <del>{before || t('sheets.emptyCell')}</del> → <ins>{after || t('sheets.emptyCell')}</ins>
                </li>
              ))}
            </Stack>
          ),
        },
      ]}
    />
  )
}
