import { Button, Modal } from '@mantine/core'
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
import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { CodeField } from '../../components/form/code-field.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { Buttons, Stack } from '../../components/layout/boxes.tsx'
import { notify } from '../../components/notify.tsx'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { useChanged } from '../../lib/query.ts'

/** Set the first PIN, change it knowing the old one, or replace a forgotten one. Each takes a code that is mailed. */
export type PinTask = 'set' | 'change' | 'forget'

const oldPinForm = z.object({ currentPin: pinRule })
const codeForm = z.object({ otp: pinRule })
const newPinForm = z
  .object({ pin: pinRule, pinAgain: pinRule })
  .check(z.refine((values) => values.pin === values.pinAgain, { path: ['pinAgain'], params: { rule: 'same' } }))

type Step = 'old' | 'code' | 'new'

export function PinDialog({ task, onClose }: { task: PinTask; onClose: () => void }) {
  const t = useT()
  const changed = useChanged()
  const [step, setStep] = useState<Step>(task === 'change' ? 'old' : 'code')
  const [currentPin, setCurrentPin] = useState('')
  const [otp, setOtp] = useState('')
  const [ticket, setTicket] = useState('')

  async function done() {
    await changed(getWallet)
    notify.success(t(`walletPage.done.${task}`))
    onClose()
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t(`walletPage.task.${task}`)}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
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
          onCode={(code, opened) => {
            setOtp(code)
            setTicket(opened)
            setStep('new')
          }}
        />
      )}
      {step === 'new' && (
        <NewPin
          save={async (pin) => {
            if (task === 'set') await call(setPin, { body: { pin, ticket } })
            else await call(task === 'change' ? changePinVerify : forgetPinVerify, { body: { otp, pin } })
            await done()
          }}
          onCodeRefused={() => setStep('code')}
        />
      )}
    </Modal>
  )
}

function OldPin({ onRight }: { onRight: (pin: string) => void }) {
  const t = useT()
  const form = useContractForm({
    schema: oldPinForm,
    initial: { currentPin: '' },
    onSubmit: async ({ currentPin }) => {
      await call(changePin, { body: { pin: currentPin } })
      onRight(currentPin)
    },
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
  const asked = useRef(false)

  async function send() {
    if (task === 'set') await call(sendOtp, { body: { purpose: 'wallet_pin_set' } })
    else if (task === 'change') await call(changePin, { body: { pin: currentPin } })
    else await call(forgetPin)
  }

  useEffect(() => {
    // The old PIN has had the first code of a change mailed already.
    if (asked.current || task === 'change') return
    asked.current = true
    send().catch(notify.problem)
  })

  const form = useContractForm({
    schema: codeForm,
    initial: { otp: '' },
    onSubmit: async ({ otp }) => {
      // A first PIN takes a ticket for its code; the other two take the code itself with the new PIN.
      const opened =
        task === 'set' ? await call(verifyOtp, { body: { purpose: 'wallet_pin_set', otp } }) : { ticket: '' }
      onCode(otp, opened.ticket)
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
        <Button
          onClick={() => {
            send().then(() => notify.info(t('walletPage.codeAgain')), notify.problem)
          }}
        >
          {t('walletPage.sendAgain')}
        </Button>
      </Buttons>
    </Stack>
  )
}

function NewPin({ save, onCodeRefused }: { save: (pin: string) => Promise<void>; onCodeRefused: () => void }) {
  const t = useT()
  const form = useContractForm({
    schema: newPinForm,
    initial: { pin: '', pinAgain: '' },
    onSubmit: ({ pin }) => save(pin),
    onError: (error) => {
      const code = (error as { code?: string }).code
      if (!code?.startsWith('code_')) return false
      // The code was wrong or too old: it is asked for again, with the server's words.
      notify.problem(error)
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
