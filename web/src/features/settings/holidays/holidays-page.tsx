import { Button, NativeSelect } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconPlus, IconTrash } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Holiday, listHolidays, removeHolidays } from '@waybill/contract/stations/holidays'
import { useState } from 'react'
import { Changes, Folded } from '../../../components/changes.tsx'
import { confirm } from '../../../components/confirm.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { ListTable } from '../../../components/list/list-table.tsx'
import { Loading } from '../../../components/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../../components/message-panel.tsx'
import { notify } from '../../../components/notify.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useLanguage, useT } from '../../../lib/i18n.ts'
import { useCall, useChanged } from '../../../lib/query.ts'
import { HolidayDialog } from './holiday-dialog.tsx'
import classes from './holidays.module.css'

const unsorted = { sort: undefined, sortBy: () => undefined, selection: undefined, rowName: undefined }

/** The calendar of a country, a year at a time: days on which nobody fetches and nobody delivers. */
export function HolidaysPage() {
  const t = useT()
  const language = useLanguage()
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
  const names = new Intl.DisplayNames([language === 'cn_zh' ? 'zh-CN' : 'en'], { type: 'region' })
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
      <PageHeader title={t('holidaysPage.title')} description={t('holidaysPage.hint')} actions={data && add} />
      <div className={classes.tools}>
        <fieldset className={classes.years} aria-label={t('holidaysPage.year')}>
          <button type="button" aria-label={t('holidaysPage.previous')} onClick={() => go({ year: year - 1 })}>
            <IconChevronLeft size={20} aria-hidden />
          </button>
          <output>{year}</output>
          <button type="button" aria-label={t('holidaysPage.next')} onClick={() => go({ year: year + 1 })}>
            <IconChevronRight size={20} aria-hidden />
          </button>
        </fieldset>
        {data && (
          <NativeSelect
            label={t('holidaysPage.country')}
            value={data.country}
            onChange={(event) => go({ country: event.currentTarget.value })}
          >
            {[...new Set([...data.countries, data.country])].map((code) => (
              <option key={code} value={code}>
                {names.of(code.toUpperCase()) ?? code}
              </option>
            ))}
          </NativeSelect>
        )}
      </div>
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
            const where = states.length > 0 ? ` (${states.join(', ')})` : ''
            return { at, by, text: `${t(`holidaysPage.what.${what}`)}: ${format.day(day)}, ${name}${where}` }
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

/** What is still to come; what is over is folded where there is something to come. */
function Year({ items, today }: YearProps) {
  const t = useT()
  const over = items.filter(({ day }) => day < today)
  const toCome = items.filter(({ day }) => day >= today)
  if (toCome.length === 0 || over.length === 0) return <Days items={items} today={today} />
  return (
    <>
      <Days items={toCome} today={today} />
      <Folded title={t('holidaysPage.overCount', { count: over.length })}>
        <Days items={over} today={today} />
      </Folded>
    </>
  )
}

function Days({ items, today }: YearProps) {
  const t = useT()
  const format = useFormat()
  return (
    <div className={classes.panel}>
      <ListTable
        {...unsorted}
        label={t('holidaysPage.title')}
        rows={items}
        rowKey={(row) => row.ids.join()}
        columns={[
          {
            id: 'day',
            header: t('fields.day'),
            card: 'title',
            cell: (row) => (
              <span className={classes.day} data-over={row.day < today}>
                {format.day(row.day)}
                <span className={classes.quiet}>{format.weekday(row.day)}</span>
              </span>
            ),
          },
          { id: 'name', header: t('holidaysPage.name'), cell: (row) => row.name },
          {
            id: 'where',
            header: t('holidaysPage.where'),
            cell: (row) => (row.states.length === 0 ? t('holidaysPage.everywhere') : row.states.join(', ')),
          },
          {
            id: 'work',
            header: '',
            align: 'end',
            cell: (row) =>
              row.day < today ? (
                <span className={classes.quiet}>{t('holidaysPage.over')}</span>
              ) : (
                <RemoveButton holiday={row} />
              ),
          },
        ]}
      />
    </div>
  )
}

function RemoveButton({ holiday }: { holiday: Holiday }) {
  const t = useT()
  const changed = useChanged()
  const remove = useSend(async () => {
    const sure = await confirm({
      title: t('holidaysPage.removeTitle', { name: holiday.name }),
      message: t('holidaysPage.removeText'),
      action: t('actions.remove'),
    })
    if (!sure) return
    await call(removeHolidays, { body: { ids: holiday.ids } }).finally(() => changed(listHolidays))
    notify.success(t('holidaysPage.removed', { name: holiday.name }))
  })
  return (
    <Button
      size="compact-sm"
      leftSection={<IconTrash size={16} aria-hidden />}
      aria-label={`${t('actions.remove')}: ${holiday.name}`}
      loading={remove.pending}
      onClick={() => void remove.send()}
    >
      {t('actions.remove')}
    </Button>
  )
}
