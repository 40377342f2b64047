import { Button } from '@mantine/core'
import { mailProofCode, type ProvenStep } from '@waybill/contract/accounts/proof'
import { useState } from 'react'
import { useSend } from '../../../components/feedback/use-send.ts'
import { CodeField } from '../../../components/fields/code-field.tsx'
import { PasswordField } from '../../../components/fields/password-field.tsx'
import type { ContractForm } from '../../../components/form/contract-form.ts'
import { Stack } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useSession } from '../../../lib/session.ts'
import { ResendButton } from '../sign-in/resend-button.tsx'

/** The values of a proof in a form, initially. */
export const emptyProof = { currentPassword: '', code: '', browserToken: '' }

const useHasPassword = () => useSession((state) => state.auth.user?.hasPassword ?? true)

/** Selects what the request needs: the password, or the mailed code of a user without one. */
export function useReadProof() {
  const hasPassword = useHasPassword()
  return ({ currentPassword, code, browserToken }: typeof emptyProof) => {
    if (hasPassword) return { currentPassword }
    // A code that was not requested here is worthless: the field then says that it is missing.
    return browserToken ? { code, browserToken } : { code: '' }
  }
}

type Props = {
  /** A form with the values of `emptyProof`. */
  form: Pick<ContractForm<object>, 'fieldAt' | 'setAt'>
  step: ProvenStep
  autoFocus?: boolean
}

/** Asks for the proof that the person at the device is the user: the password, or a mailed code without one. */
export function ProofField({ form, step, autoFocus = false }: Props) {
  const hasPassword = useHasPassword()
  if (!hasPassword) return <MailedCode form={form} step={step} />
  return (
    <PasswordField
      field={{ ...form.fieldAt<string>('currentPassword'), required: true }}
      autoComplete="current-password"
      data-autofocus={autoFocus || undefined}
    />
  )
}

function MailedCode({ form, step }: Props) {
  const t = useT()
  const [email, setEmail] = useState<string | null>(null)
  const mail = async () => {
    const mailed = await call(mailProofCode, { body: { step } })
    form.setAt('browserToken', mailed.browserToken)
    form.setAt('code', '')
    setEmail(mailed.email)
  }
  const first = useSend(mail)
  return (
    <Stack>
      <Note>{email === null ? t('auth.proofCode') : t('auth.addressCode', { email })}</Note>
      {email === null && (
        <div>
          <Button loading={first.pending} onClick={() => void first.send()}>
            {t('auth.sendCode')}
          </Button>
        </div>
      )}
      <CodeField
        key={email}
        field={{ ...form.fieldAt<string>('code'), required: true }}
        help={t('auth.codeHelp')}
        autoFocus={email !== null}
      />
      {email !== null && (
        <div>
          <ResendButton send={mail} />
        </div>
      )}
    </Stack>
  )
}
