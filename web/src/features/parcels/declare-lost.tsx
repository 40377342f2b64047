import { Button, Textarea } from '@mantine/core'
import { declareLost, type StaffParcel, staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import { useState } from 'react'
import { SaveDialog } from '../../components/feedback/save-dialog.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { fieldProps } from '../../components/form/field-props.ts'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'

/** The button with which a supervisor ends the journey of a parcel that cannot be found. */
export function DeclareLost({ parcel }: { parcel: StaffParcel }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  if (!parcel.mayDeclareLost && !open) return null
  return (
    <div>
      <Button onClick={() => setOpen(true)}>{t('staffParcel.declareLost')}</Button>
      {open && <LostDialog parcel={parcel} onClose={() => setOpen(false)} />}
    </div>
  )
}

function LostDialog({ parcel, onClose }: { parcel: StaffParcel; onClose: () => void }) {
  const t = useT()
  const { id, version } = parcel
  const form = useContractForm({
    schema: declareLost.body,
    initial: { note: '' },
    prepare: (values) => ({ ...values, version }),
    onSubmit: (body) => call(declareLost, { params: { id }, body }),
    refresh: [staffParcelByNumber],
    // It may have been scanned meanwhile: the page then shows where it is.
    refreshOnError: [staffParcelByNumber],
    success: t('staffParcel.lostDone'),
    onSuccess: onClose,
  })
  const note = form.field('note', t('staffParcel.lostNote'))
  return (
    <SaveDialog title={t('staffParcel.lostTitle')} onClose={onClose} form={form} save={t('staffParcel.declareLost')}>
      <p>{t('staffParcel.lostText')}</p>
      <Textarea
        {...fieldProps(note)}
        description={t('staffParcel.lostHint')}
        value={note.value ?? ''}
        onChange={(event) => note.onChange(event.currentTarget.value)}
        autosize
        minRows={3}
        maxRows={10}
        data-autofocus
      />
    </SaveDialog>
  )
}
