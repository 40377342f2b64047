import { Button } from '@mantine/core'
import { id, optionalText } from '@waybill/contract/ground/fields'
import * as z from 'zod/mini'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { FieldRow } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'
import classes from '../scanning/scan.module.css'

type Props = {
  /** The riders of the station; undefined while they load. */
  riders: readonly { id: string; name: string }[] | undefined
  /** The current rider; null if there is none. */
  riderId: string | null
  /** It is the main action of its dialog. */
  main?: boolean
  assign: { send: (riderId: string, note: string | null) => Promise<boolean> }
}

const schema = z.object({ riderId: id, note: optionalText(200) })

/** Assigns a task to a rider. A change of rider takes an optional reason. */
export function AssignRider({ riders, riderId, main = false, assign }: Props) {
  const t = useT()
  const form = useContractForm({
    schema,
    initial: { riderId: null as string | null, note: '' },
    onSubmit: async (values) => {
      if (await assign.send(values.riderId, values.note)) form.reset()
    },
  })
  const others = riders?.filter((rider) => rider.id !== riderId)
  if (others?.length === 0) return <Note>{t('pickupTasks.noOtherRider')}</Note>
  return (
    <FieldRow {...form.props} as="form" min={200}>
      <SelectField
        field={form.field('riderId', t('pickupTasks.rider'))}
        choices={others?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
      />
      {riderId !== null && <TextField field={form.field('note', t('pickupTasks.why'))} maxLength={200} />}
      <Button className={classes.assign} type="submit" variant={main ? 'filled' : 'default'} loading={form.submitting}>
        {t('pickupTasks.assign')}
      </Button>
    </FieldRow>
  )
}
