import { Button, NativeSelect } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { exportHolidays, type Holiday, listHolidays, removeHolidays } from '@waybill/contract/stations/holidays'
import { useState } from 'react'
import { IconButton } from '../../../components/buttons/plain-button.tsx'
import { Changes } from '../../../components/display/changes.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Row } from '../../../components/layout/boxes.tsx'
import { Fold } from '../../../components/layout/fold.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { DownloadExcel } from '../../../components/list/download-excel.tsx'
import { ListTable, TableFrame } from '../../../components/list/list-table.tsx'
import { RemoveRowButton } from '../../../components/list/row-buttons.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useCountryName } from '../../../lib/settings/countries.ts'
import { HolidayDialog } from './holiday-dialog.tsx'
import classes from './holidays.module.css'

const unsorted = {
  sort: undefined,
  sortBy: () => undefined,
  selection: undefined,
  rowName: ({ name }: Holiday) => name,
}

/** The holidays of a country by year: no pickups and no deliveries on these days. */
export function HolidaysPage() {
  const t = useT()
  const format = useFormat()
  const navigate = useNavigate()
  const url = useSearch({ from: '/staff/staff/holidays' })
  const year = url.year ?? Number(format.today().slice(0, 4))
  const [adding, setAdding] = useState(false)
  const calendar = useCall(
    listHolidays,
    { query: { year, ...(url.country ? { country: url.country } : {}) } },
    { keepPrevious: true },
  )
  const getCountryName = useCountryName()
  const go = (changes: { year?: number; country?: string }) =>
    void navigate({ to: '.', search: (present) => ({ ...present, ...changes }), resetScroll: false })
  const add = (
    <Button variant="filled" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
      {t('holidaysPage.add')}
    </Button>
  )
  const { data } = calendar
  return (
    <>
      <PageHeader
        title={t('holidaysPage.title')}
        description={t('holidaysPage.hint')}
        actions={
          data && (
            <>
              <DownloadExcel endpoint={exportHolidays} narrowing={{ year, country: data.country }} />
              {add}
            </>
          )
        }
      />
      <Row align="end" gap="12px 24px" style={{ marginBlockEnd: 16 }}>
        <fieldset className={classes.years} aria-label={t('holidaysPage.year')}>
          <IconButton aria-label={t('holidaysPage.previous')} onClick={() => go({ year: year - 1 })}>
            <IconChevronLeft size={20} aria-hidden />
          </IconButton>
          <output>{year}</output>
          <IconButton aria-label={t('holidaysPage.next')} onClick={() => go({ year: year + 1 })}>
            <IconChevronRight size={20} aria-hidden />
          </IconButton>
        </fieldset>
        {data && (
          <NativeSelect
            label={t('holidaysPage.country')}
            value={data.country}
            onChange={(event) => go({ country: event.currentTarget.value })}
          >
            {[...new Set([...data.countries, data.country])].map((code) => (
              <option key={code} value={code}>
                {getCountryName(code)}
              </option>
            ))}
          </NativeSelect>
        )}
      </Row>
      {calendar.error ? (
        <ErrorPanel error={calendar.error} retry={() => void calendar.refetch()} />
      ) : !data ? (
        <Loading />
      ) : data.items.length === 0 ? (
        <MessagePanel kind="empty" title={t('holidaysPage.empty')} text={t('holidaysPage.emptyHint')} />
      ) : (
        <Year items={data.items} today={data.today} />
      )}
      {data && (
        <Changes
          items={data.changes.map(({ at, by, what, day, name, states }) => {
            const holiday = `${format.day(day)} · ${name}`
            const value =
              states.length > 0 ? t('phrase.detail', { text: holiday, detail: format.list(states) }) : holiday
            return { at, by, text: t('phrase.labelled', { label: t(`holidaysPage.what.${what}`), value }) }
          })}
        />
      )}
      {adding && data && (
        <HolidayDialog
          country={data.country}
          states={data.states}
          today={data.today}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}

type YearProps = { items: readonly Holiday[]; today: string }

/** Upcoming holidays. Past ones are folded if there are upcoming ones. */
function Year({ items, today }: YearProps) {
  const t = useT()
  const over = items.filter(({ day }) => day < today)
  const toCome = items.filter(({ day }) => day >= today)
  if (toCome.length === 0 || over.length === 0) return <Days items={items} today={today} />
  return (
    <>
      <Days items={toCome} today={today} />
      <Fold summary={t('holidaysPage.overCount', { count: over.length })} style={{ marginBlockStart: 24 }}>
        <Days items={over} today={today} />
      </Fold>
    </>
  )
}

function Days({ items, today }: YearProps) {
  const t = useT()
  const format = useFormat()
  return (
    <TableFrame>
      <ListTable
        {...unsorted}
        dense
        label={t('holidaysPage.title')}
        rows={items}
        rowKey={(row) => row.ids.join()}
        columns={[
          {
            id: 'day',
            header: t('fields.day'),
            whole: true,
            phone: 'detailEnd',
            phoneCell: (row) => format.shortDay(row.day),
            cell: (row) => (
              <span style={{ whiteSpace: 'nowrap' }}>
                {format.day(row.day)}
                <Quiet>{format.weekday(row.day)}</Quiet>
              </span>
            ),
          },
          { id: 'name', header: t('holidaysPage.name'), card: 'title', phone: 'title', cell: (row) => row.name },
          {
            id: 'where',
            header: t('holidaysPage.where'),
            phone: 'detail',
            cell: (row) => (row.states.length === 0 ? t('holidaysPage.everywhere') : format.list(row.states)),
          },
          {
            id: 'work',
            kind: 'actions',
            header: t('list.actions'),
            align: 'end',
            cell: (row) => (row.day < today ? <Quiet>{t('holidaysPage.over')}</Quiet> : <RemoveButton holiday={row} />),
          },
        ]}
      />
    </TableFrame>
  )
}

function RemoveButton({ holiday }: { holiday: Holiday }) {
  const t = useT()
  const remove = useSend(() => call(removeHolidays, { body: { ids: holiday.ids } }), {
    confirm: {
      title: t('holidaysPage.removeTitle', { name: holiday.name }),
      message: t('holidaysPage.removeText'),
      action: t('actions.remove'),
    },
    refresh: [listHolidays],
    refreshOnError: [listHolidays],
    success: t('holidaysPage.removed', { name: holiday.name }),
  })
  return <RemoveRowButton of={holiday.name} remove={remove} />
}
