import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { FieldRow } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'

type Props = {
  /** The riders of the station; undefined while they load. */
  riders: readonly { id: string; name: string }[] | undefined
  /** The current rider; null if there is none. */
  riderId: string | null
  assign: { send: (riderId: string, note: string | null) => Promise<boolean>; pending: boolean }
}

/** Assigns a task to a rider. A change of rider takes an optional reason. */
export function AssignRider({ riders, riderId, assign }: Props) {
  const t = useT()
  const [rider, setRider] = useState<string | null>(null)
  const [note, setNote] = useState('')
  async function submit() {
    if (!rider || !(await assign.send(rider, note.trim() || null))) return
    setRider(null)
    setNote('')
  }
  const others = riders?.filter(({ id }) => id !== riderId)
  if (others?.length === 0) return <Note>{t('pickupTasks.noOtherRider')}</Note>
  return (
    <FieldRow
      as="form"
      min={200}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        void submit()
      }}
    >
      <NativeSelect
        label={t('pickupTasks.rider')}
        required
        value={rider ?? ''}
        onChange={(event) => setRider(event.currentTarget.value || null)}
      >
        <option value="">{t('actions.choose')}</option>
        {others?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </NativeSelect>
      {riderId !== null && (
        <TextInput
          label={t('pickupTasks.why')}
          maxLength={200}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      )}
      <Button type="submit" loading={assign.pending}>
        {t('pickupTasks.assign')}
      </Button>
    </FieldRow>
  )
}
