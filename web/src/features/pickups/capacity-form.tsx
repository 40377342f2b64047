import { Button, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { exampleOfWeekday, getWeekday } from '@waybill/contract/ground/days'
import { fieldMessage } from '@waybill/contract/ground/validation'
import { pickupWindows } from '@waybill/contract/pickups/pickup-choice'
import {
  capacityInput,
  getPickupCapacity,
  putPickupCapacity,
  type StationCapacity,
} from '@waybill/contract/pickups/windows'
import { useState } from 'react'
import { formatWindow } from '../../components/display/time-window.ts'
import { ConflictNotice } from '../../components/feedback/conflict-notice.tsx'
import { useRecordVersion } from '../../components/feedback/use-record-version.ts'
import { TimeField } from '../../components/fields/date-field.tsx'
import { PlainNumberField } from '../../components/fields/plain-number-field.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { useUnsavedGuard } from '../../components/form/use-unsaved-guard.ts'
import { FieldRow, Grid, Stack } from '../../components/layout/boxes.tsx'
import { Fieldset } from '../../components/layout/fold.tsx'
import { SaveBar } from '../../components/layout/save-bar.tsx'
import { Note } from '../../components/layout/text.tsx'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import classes from './capacity.module.css'
import {
  type CapacityValues,
  capacityValues,
  isPickupCount,
  noPickups,
  type PickupCount,
  toCapacityInput,
} from './capacity-values.ts'

type Props = { capacity: StationCapacity; onSaved: () => void }

/** Pickups per window: the default, different numbers by day of the week, and different numbers for single days. */
export function CapacityForm({ capacity, onSaved }: Props) {
  const t = useT()
  const format = useFormat()
  const params = { id: capacity.stationId }
  const { version, conflict, onError } = useRecordVersion(capacity, () => call(getPickupCapacity, { params }))
  const form = useContractForm<typeof capacityInput, CapacityValues>({
    schema: capacityInput,
    initial: capacityValues(capacity),
    prepare: (values) => ({ ...toCapacityInput(values), version }),
    onSubmit: (body) => call(putPickupCapacity, { params, body }),
    refresh: [getPickupCapacity],
    success: t('capacityPage.saved'),
    onSuccess: onSaved,
    onError,
  })
  useUnsavedGuard(form.dirty && !form.submitting, { parts: true })
  const { week, days } = form.values
  const setWeek = (weekday: number, pickups: readonly PickupCount[]) =>
    form.patch({ week: week.map((present, n) => (n === weekday ? pickups : present)) })
  const setDay = (n: number, pickups: readonly PickupCount[]) =>
    form.patch({ days: days.map((present, at) => (at === n ? { ...present, pickups } : present)) })
  const number = (count: PickupCount) => (count === null || !isPickupCount(count) ? '' : format.number(count))
  const usual = pickupWindows.map(() => number(form.values.perWindow))
  const weekdayNumbers = (day: string) => {
    const weekly = week[getWeekday(day) - 1] ?? []
    return usual.map((word, n) => (weekly[n] === null || weekly[n] === undefined ? word : number(weekly[n])))
  }
  const differ = capacity.cutOffTimes.length > 1
  return (
    <Stack {...form.props} as="form" gap={32} style={{ maxWidth: 800 }}>
      <Grid min={240}>
        <PlainNumberField field={form.field('perWindow')} />
        <TimeField
          field={form.field('cutOffTime')}
          help={
            differ
              ? t('phrase.sentences', {
                  first: t('capacityPage.cutOff'),
                  second: t('capacityPage.cutOffDiffers', { times: format.list(capacity.cutOffTimes) }),
                })
              : t('capacityPage.cutOff')
          }
        />
      </Grid>
      <Fieldset gap={8} legend={t('capacityPage.week')}>
        <Note>{t('capacityPage.weekHint')}</Note>
        {week.map((pickups, n) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: the days of the week never move
            key={n}
            name={format.weekday(exampleOfWeekday(n + 1))}
            usual={usual}
            pickups={pickups}
            onChange={(next) => setWeek(n, next)}
          />
        ))}
      </Fieldset>
      <Fieldset gap={8} legend={t('capacityPage.days')}>
        <Note>{t('capacityPage.daysHint')}</Note>
        {days.map(({ day, pickups }, n) => (
          <Row
            key={day}
            name={t('phrase.detail', { text: format.day(day), detail: format.weekday(day) })}
            usual={weekdayNumbers(day)}
            pickups={pickups}
            onChange={(next) => setDay(n, next)}
            onRemove={() => form.patch({ days: days.filter((one) => one.day !== day) })}
          />
        ))}
        <AddDay
          existingDays={days.map(({ day }) => day)}
          onAdd={(day) =>
            form.patch({ days: [...days, { day, pickups: noPickups }].sort((a, b) => a.day.localeCompare(b.day)) })
          }
        />
      </Fieldset>
      <SaveBar>
        {conflict && <ConflictNotice />}
        <Button type="submit" variant="filled" loading={form.submitting}>
          {t('actions.save')}
        </Button>
      </SaveBar>
    </Stack>
  )
}

type RowProps = {
  name: string
  /** The number that applies if a window is empty. */
  usual: readonly string[]
  pickups: readonly PickupCount[]
  onChange: (pickups: readonly PickupCount[]) => void
  onRemove?: () => void
}

/** The numbers of one day, one for each window. */
function Row({ name, usual, pickups, onChange, onRemove }: RowProps) {
  const t = useT()
  return (
    <div className={classes.row}>
      <span>{name}</span>
      {pickupWindows.map((window, n) => (
        <Cell
          key={window}
          label={formatWindow(window)}
          of={name}
          value={pickups[n] ?? null}
          usual={usual[n] ?? ''}
          onChange={(count) => onChange(pickups.map((present, at) => (at === n ? count : present)))}
        />
      ))}
      {onRemove && (
        <Button
          leftSection={<IconTrash size={16} aria-hidden />}
          aria-label={t('capacityPage.removeDay', { day: name })}
          onClick={onRemove}
        >
          {t('actions.remove')}
        </Button>
      )}
    </div>
  )
}

type CellProps = {
  label: string
  of: string
  value: PickupCount
  usual: string
  onChange: (count: PickupCount) => void
}

function Cell({ label, of, value, usual, onChange }: CellProps) {
  const t = useT()
  const [text, setText] = useState(value === null ? '' : String(value))
  return (
    <TextInput
      label={label}
      aria-label={t('phrase.labelled', { label, value: of })}
      inputMode="numeric"
      autoComplete="off"
      placeholder={usual}
      value={text}
      error={isPickupCount(value) ? undefined : fieldMessage('type', 'pickups', t)}
      onChange={(event) => {
        const input = event.currentTarget.value.trim()
        setText(event.currentTarget.value)
        onChange(input === '' ? null : Number(input))
      }}
    />
  )
}

function AddDay({ existingDays, onAdd }: { existingDays: readonly string[]; onAdd: (day: string) => void }) {
  const t = useT()
  const format = useFormat()
  const [day, setDay] = useState('')
  const [wrong, setWrong] = useState<string>()
  const today = format.today()
  function add() {
    if (day === '') setWrong(fieldMessage('required', 'day', t))
    else if (day < today) setWrong(fieldMessage('dayPast', 'day', t))
    else if (existingDays.includes(day)) setWrong(t('capacityPage.dayTwice'))
    else {
      onAdd(day)
      setDay('')
      setWrong(undefined)
    }
  }
  return (
    <FieldRow style={{ maxWidth: 480 }}>
      <TextInput
        type="date"
        label={t('fields.day')}
        min={today}
        value={day}
        error={wrong}
        onChange={(event) => {
          setDay(event.currentTarget.value)
          setWrong(undefined)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
      />
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
        {t('capacityPage.addDay')}
      </Button>
    </FieldRow>
  )
}
