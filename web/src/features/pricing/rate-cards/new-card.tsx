import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { createRateCard, listRateCards, newRateCard } from '@waybill/contract/pricing/rate-cards'
import { useState } from 'react'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Grid } from '../../../components/layout/boxes.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'

/** The default code in the settings: the public rate card. */
const usualCode = 'STANDARD'

/** Creates a rate card without lines. */
export function NewCardButton() {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="filled" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen(true)}>
        {t('ratesPage.newCard')}
      </Button>
      {open && <NewCardDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function NewCardDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const navigate = useNavigate()
  const form = useContractForm<typeof newRateCard, { code: string; name: string }, { id: string }>({
    schema: newRateCard,
    initial: { code: usualCode, name: '' },
    onSubmit: (body) => call(createRateCard, { body }),
    refresh: [listRateCards],
    onSuccess: ({ id }) => navigate({ to: '/staff/rates/$id', params: { id } }),
  })
  return (
    <SaveDialog title={t('ratesPage.newCard')} onClose={onClose} form={form} save={t('ratesPage.create')}>
      <Grid>
        <TextField
          field={{ ...form.field('code', t('fields.recordCode')), required: true }}
          autoComplete="off"
          help={t('ratesPage.newCardHelp')}
        />
        <TextField field={{ ...form.field('name'), required: true }} autoComplete="off" data-autofocus />
      </Grid>
    </SaveDialog>
  )
}
