import { Button } from '@mantine/core'
import { optionalText, text } from '@waybill/contract/fields'
import { failureReasons, type ScanEvent } from '@waybill/contract/scans'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import { useContractForm } from '../../components/form/contract-form.ts'
import { RadioField } from '../../components/form/radio-field.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { SignaturePad } from '../../components/signature-pad.tsx'
import { useT } from '../../lib/i18n.ts'
import classes from './scan.module.css'
import { NextStation } from './station-choice.tsx'

export type ScanDetails = {
  nextStationId?: string
  recipientName?: string
  signaturePath?: string
  failureReason?: (typeof failureReasons)[number]
  note?: string | null
}

type Values = {
  nextStationId: string | null
  recipientName: string
  signaturePath: string
  failureReason: string | null
  note: string
}

const blank: Values = { nextStationId: null, recipientName: '', signaturePath: '', failureReason: null, note: '' }

function schemaOf(event: ScanEvent) {
  if (event === 'departed') return z.object({ nextStationId: z.uuid() })
  if (event === 'attempt_failed') return z.object({ failureReason: z.enum(failureReasons), note: optionalText(200) })
  return z.object({ recipientName: text(120), signaturePath: z.string().check(z.minLength(1)) })
}

type Props = {
  event: ScanEvent
  number: string
  onDone: (details: ScanDetails) => Promise<void>
  onCancel: () => void
}

/** What an event needs beside the number: the next station, who took the parcel and their signature, or why nobody did. */
export function ScanDetailsForm({ event, number, onDone, onCancel }: Props) {
  const t = useT()
  const schema = useMemo(() => schemaOf(event), [event])
  const form = useContractForm({
    schema,
    initial: blank,
    onSubmit: (details) => onDone(details as ScanDetails),
  })
  const signature = form.field('signaturePath', t('scanPage.signature'))
  return (
    <section className={classes.panel} aria-label={t(`scanPage.event.${event}`)}>
      <h2>
        {t(`scanPage.event.${event}`)}: <span className={classes.mono}>{number}</span>
      </h2>
      <form {...form.props} className={classes.details}>
        {event === 'departed' ? (
          <NextStation field={form.field('nextStationId', t('scanPage.nextStation'))} />
        ) : event === 'attempt_failed' ? (
          <>
            <RadioField
              field={form.field('failureReason', t('scanPage.reason'))}
              choices={failureReasons.map((value) => ({ value: value as string, label: t(`failureReason.${value}`) }))}
            />
            <TextField field={form.field('note', t('scanPage.note'))} />
          </>
        ) : (
          <>
            <TextField field={form.field('recipientName', t('scanPage.recipient'))} autoFocus autoComplete="off" />
            <SignaturePad
              label={signature.label}
              value={signature.value}
              onChange={signature.onChange}
              error={signature.error}
            />
          </>
        )}
        <div className={classes.modeButtons}>
          <Button type="submit" variant="filled" size="lg" loading={form.submitting}>
            {t('scanPage.report')}
          </Button>
          <Button size="lg" onClick={onCancel}>
            {t('actions.cancel')}
          </Button>
        </div>
      </form>
    </section>
  )
}
