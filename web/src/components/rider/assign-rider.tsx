import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { useAction } from '../action.ts'
import { FieldRow } from '../layout/boxes.tsx'

type Props = {
  riders: readonly { id: string; name: string }[]
  /** Who has it now; null: nobody. */
  riderId: string | null
  onAssign: (riderId: string, note: string | null) => Promise<void>
}

/** A task is given to a rider; to another one with a word on why. */
export function AssignRider({ riders, riderId, onAssign }: Props) {
  const t = useT()
  const [chosen, setChosen] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const assign = useAction(async (id: string) => {
    await onAssign(id, note.trim() || null)
    setChosen(null)
    setNote('')
  })
  // Who has it already is no choice.
  const others = riders.filter(({ id }) => id !== riderId)
  return (
    <FieldRow
      as="form"
      min={200}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (chosen) void assign.run(chosen)
      }}
    >
      <NativeSelect
        label={t('pickupTasks.rider')}
        required
        value={chosen ?? ''}
        onChange={(event) => setChosen(event.currentTarget.value || null)}
      >
        <option value="">{t('actions.choose')}</option>
        {others.map(({ id, name }) => (
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
      <Button type="submit" loading={assign.running}>
        {t('pickupTasks.assign')}
      </Button>
    </FieldRow>
  )
}
