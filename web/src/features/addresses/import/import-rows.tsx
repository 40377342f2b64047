import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { listAddresses } from '@waybill/contract/addresses/addresses'
import {
  type AddressColumn,
  type AddressImport,
  type AddressImportRow,
  addressColumns,
  addressProblemFile,
  getAddressImport,
  importableStates,
  importRowStates,
  listAddressImports,
  saveAddressImport,
} from '@waybill/contract/addresses/import'
import { useState } from 'react'
import { ButtonLink } from '../../../components/buttons/link.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons, Panel, Row, Stack } from '../../../components/layout/boxes.tsx'
import { ErrorText, Notice, Quiet, Tag } from '../../../components/layout/text.tsx'
import { ListTable, TableFrame } from '../../../components/list/list-table.tsx'
import { call } from '../../../lib/api.ts'
import { saveDocument } from '../../../lib/download.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'

const pageSize = 50
type State = AddressImportRow['state']
type Importable = (typeof importableStates)[number]
const tones = {
  good: 'success',
  hidden: 'waiting',
  duplicate: 'waiting',
  contradiction: 'waiting',
  bad: 'danger',
  imported: 'neutral',
} as const

const columnIndexes = Object.fromEntries(addressColumns.map((column, n) => [column, n])) as Record<
  AddressColumn,
  number
>

/** The rows of a file before they are imported: the problems by cell, and which kinds of rows to import. */
export function ImportRows({ one }: { one: AddressImport }) {
  const t = useT()
  const format = useFormat()
  const { counts } = one
  const [only, setOnly] = useState<State | null>(null)
  const [offset, setOffset] = useState(0)
  const [states, setStates] = useState<readonly Importable[]>(['good'])
  const query = { limit: pageSize, offset, ...(only ? { only } : {}) }
  const page = useCall(getAddressImport, { params: { id: one.id }, query }, { keepPrevious: true, staleTime: 0 })
  const save = useSend(
    () => call(saveAddressImport, { params: { id: one.id }, body: { version: one.version, states: [...states] } }),
    { refresh: [getAddressImport, listAddressImports, listAddresses], refreshOnError: [getAddressImport] },
  )
  const problems = useSend(() => saveDocument(addressProblemFile, { params: { id: one.id } }))
  const total = states.reduce((sum, state) => sum + counts[state], 0)
  return (
    <Stack gap={16}>
      {counts.imported > 0 && (
        <Notice as="div" tone="success" role="status">
          <p>{t('addressImport.done', { rows: format.number(counts.imported) })}</p>
          <Buttons>
            <ButtonLink to="/address-book/duplicates">{t('addressImport.lookForDuplicates')}</ButtonLink>
            <ButtonLink to="/address-book">{t('addressBook.title')}</ButtonLink>
          </Buttons>
        </Notice>
      )}
      <Panel as="div">
        {importableStates
          .filter((state) => counts[state] > 0)
          .map((state) => (
            <Checkbox
              key={state}
              label={t(`addressImport.take.${state}`, { rows: format.number(counts[state]) })}
              checked={states.includes(state)}
              onChange={(event) =>
                setStates(event.currentTarget.checked ? [...states, state] : states.filter((each) => each !== state))
              }
            />
          ))}
        {counts.bad > 0 && (
          <>
            <ErrorText>{t('addressImport.bad', { rows: format.number(counts.bad) })}</ErrorText>
            <Button
              style={{ justifySelf: 'start' }}
              loading={problems.pending}
              leftSection={<IconDownload size={16} />}
              onClick={() => void problems.send()}
            >
              {t('bulk.saveBad')}
            </Button>
          </>
        )}
        <Button
          style={{ justifySelf: 'start' }}
          variant="filled"
          disabled={total === 0}
          loading={save.pending}
          onClick={() => void save.send()}
        >
          {t('addressImport.save', { rows: format.number(total) })}
        </Button>
      </Panel>
      <Row justify="between" align="end">
        <NativeSelect
          label={t('addressImport.show')}
          value={only ?? ''}
          onChange={(event) => {
            setOnly((event.currentTarget.value || null) as State | null)
            setOffset(0)
          }}
        >
          <option value="">{t('addressImport.all', { rows: format.number(counts.read) })}</option>
          {importRowStates
            .filter((state) => counts[state] > 0)
            .map((state) => (
              <option key={state} value={state}>
                {t(`addressImport.state.${state}`, { rows: format.number(counts[state]) })}
              </option>
            ))}
        </NativeSelect>
        {page.data && page.data.total > pageSize && (
          <Buttons>
            <Button disabled={offset === 0} onClick={() => setOffset(offset - pageSize)}>
              {t('list.previous')}
            </Button>
            <Button disabled={offset + pageSize >= page.data.total} onClick={() => setOffset(offset + pageSize)}>
              {t('list.next')}
            </Button>
          </Buttons>
        )}
      </Row>
      <TableFrame>
        {page.error ? (
          <ErrorPanel error={page.error} retry={() => void page.refetch()} />
        ) : !page.data ? (
          <Loading />
        ) : page.data.items.length === 0 ? (
          <MessagePanel kind="empty" title={t('list.nothingFound')} />
        ) : (
          <Rows rows={page.data.items} />
        )}
      </TableFrame>
    </Stack>
  )
}

function Rows({ rows }: { rows: readonly AddressImportRow[] }) {
  const t = useT()
  const at = (row: AddressImportRow, column: AddressColumn) => row.cells[columnIndexes[column]] ?? ''
  const join = (row: AddressImportRow, ...columns: AddressColumn[]) =>
    columns
      .map((column) => at(row, column))
      .filter(Boolean)
      .join(', ')
  return (
    <ListTable
      label={t('addressImport.rows')}
      rows={rows}
      rowKey={({ row }) => String(row)}
      rowName={(row) => `${t('addressImport.row')} ${row.row}`}
      sort={undefined}
      sortBy={() => {}}
      selection={undefined}
      columns={[
        { id: 'row', header: t('addressImport.row'), cell: ({ row }) => row },
        {
          id: 'name',
          header: t('fields.contactName'),
          card: 'title',
          cell: (row) => (
            <>
              <strong>{at(row, 'contactName') || '–'}</strong>
              <Quiet>{join(row, 'company', 'phone')}</Quiet>
            </>
          ),
        },
        {
          id: 'address',
          header: t('addressBook.address'),
          cell: (row) => (
            <>
              {join(row, 'line1', 'line2')}
              <Quiet>{join(row, 'postcode', 'city', 'state', 'country')}</Quiet>
            </>
          ),
        },
        {
          id: 'state',
          header: t('fields.status'),
          cell: (row) => (
            <>
              <Tag tone={tones[row.state]}>{t(`addressImport.mark.${row.state}`)}</Tag>
              {row.problems.map(({ cell, code, message, suggestion }) => (
                <Quiet key={`${cell}-${code}`}>
                  {cell && <b>{cell}: </b>}
                  {message} {suggestion !== null && t('sheets.meant', { suggestion })}
                </Quiet>
              ))}
            </>
          ),
        },
      ]}
    />
  )
}
