import { Button } from '@mantine/core'
import { pin as pinRule } from '@waybill/contract/ground/fields'
import {
  changePin,
  changePinVerify,
  forgetPin,
  forgetPinVerify,
  getWallet,
  sendOtp,
  setPin,
  verifyOtp,
} from '@waybill/contract/wallet/wallet'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { notify } from '../../../components/feedback/notify.tsx'
import { notifyProblem, useSend } from '../../../components/feedback/use-send.ts'
import { CodeField } from '../../../components/fields/code-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Buttons, Stack } from '../../../components/layout/boxes.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'

/** Sets the first PIN, changes it with the old one, or replaces a forgotten one. Each needs a mailed code. */
export type PinTask = 'set' | 'change' | 'forget'

const oldPinForm = z.object({ currentPin: pinRule })
const codeForm = z.object({ otp: pinRule })
const newPinForm = z
  .object({ pin: pinRule, pinAgain: pinRule })
  .check(z.refine((values) => values.pin === values.pinAgain, { path: ['pinAgain'], params: { rule: 'same' } }))

type Step = 'old' | 'code' | 'new'

export function PinDialog({ task, onClose }: { task: PinTask; onClose: () => void }) {
  const t = useT()
  const [step, setStep] = useState<Step>(task === 'change' ? 'old' : 'code')
  const [currentPin, setCurrentPin] = useState('')
  const [otp, setOtp] = useState('')
  const [ticket, setTicket] = useState('')

  return (
    <Dialog title={t(`walletPage.task.${task}`)} onClose={onClose}>
      {step === 'old' && (
        <OldPin
          onRight={(right) => {
            setCurrentPin(right)
            setStep('code')
          }}
        />
      )}
      {step === 'code' && (
        <MailedCode
          task={task}
          currentPin={currentPin}
          onCode={(code, newTicket) => {
            setOtp(code)
            setTicket(newTicket)
            setStep('new')
          }}
        />
      )}
      {step === 'new' && (
        <NewPin
          save={async (pin) => {
            if (task === 'set') await call(setPin, { body: { pin, ticket } })
            else await call(task === 'change' ? changePinVerify : forgetPinVerify, { body: { otp, pin } })
          }}
          successText={t(`walletPage.done.${task}`)}
          onClose={onClose}
          onCodeRefused={() => setStep('code')}
        />
      )}
    </Dialog>
  )
}

function OldPin({ onRight }: { onRight: (pin: string) => void }) {
  const t = useT()
  const form = useContractForm({
    schema: oldPinForm,
    initial: { currentPin: '' },
    onSubmit: ({ currentPin }) => call(changePin, { body: { pin: currentPin } }),
    onSuccess: (_, { currentPin }) => onRight(currentPin),
  })
  return (
    <Stack {...form.props} as="form" gap={20}>
      <CodeField field={form.field('currentPin')} mask autoFocus />
      <Button type="submit" variant="filled" loading={form.submitting}>
        {t('actions.continue')}
      </Button>
    </Stack>
  )
}

type MailedCodeProps = { task: PinTask; currentPin: string; onCode: (code: string, ticket: string) => void }

function MailedCode({ task, currentPin, onCode }: MailedCodeProps) {
  const t = useT()
  const hasMailed = useRef(false)
  const mail = useSend(
    (_again: boolean): Promise<unknown> => {
      if (task === 'set') return call(sendOtp, { body: { purpose: 'wallet_pin_set' } })
      return task === 'change' ? call(changePin, { body: { pin: currentPin } }) : call(forgetPin)
    },
    { onSuccess: (_, again) => again && notify.info(t('walletPage.codeAgain')) },
  )

  const mailFirst = useEffectEvent(() => void mail.send(false))
  useEffect(() => {
    // For a change, the check of the old PIN has already mailed the first code.
    if (hasMailed.current || task === 'change') return
    hasMailed.current = true
    mailFirst()
  }, [task])

  const form = useContractForm({
    schema: codeForm,
    initial: { otp: '' },
    onSubmit: async ({ otp }) => {
      // A first PIN exchanges its code for a ticket; the other two send the code with the new PIN.
      const response =
        task === 'set' ? await call(verifyOtp, { body: { purpose: 'wallet_pin_set', otp } }) : { ticket: '' }
      onCode(otp, response.ticket)
    },
  })
  return (
    <Stack {...form.props} as="form" gap={20}>
      <p>{t('walletPage.codeMailed')}</p>
      <CodeField field={form.field('otp')} autoFocus />
      <Buttons>
        <Button type="submit" variant="filled" loading={form.submitting}>
          {t('actions.continue')}
        </Button>
        <Button loading={mail.pending} onClick={() => void mail.send(true)}>
          {t('walletPage.sendAgain')}
        </Button>
      </Buttons>
    </Stack>
  )
}

type NewPinProps = {
  save: (pin: string) => Promise<void>
  /** The toast after the PIN is saved. */
  successText: string
  onClose: () => void
  onCodeRefused: () => void
}

function NewPin({ save, successText, onClose, onCodeRefused }: NewPinProps) {
  const t = useT()
  const form = useContractForm({
    schema: newPinForm,
    initial: { pin: '', pinAgain: '' },
    onSubmit: ({ pin }) => save(pin),
    refresh: [getWallet],
    success: successText,
    onSuccess: onClose,
    onError: (error) => {
      const code = (error as { code?: string }).code
      if (!code?.startsWith('code_')) return false
      // The code was wrong or has expired. The dialog returns to the code step.
      notifyProblem(error)
      onCodeRefused()
      return true
    },
  })
  return (
    <Stack {...form.props} as="form" gap={20}>
      <CodeField field={form.field('pin', t('walletPage.newPin'))} mask autoFocus help={t('walletPage.pinHelp')} />
      <CodeField field={form.field('pinAgain')} mask />
      <Button type="submit" variant="filled" loading={form.submitting}>
        {t('walletPage.savePin')}
      </Button>
    </Stack>
  )
}
