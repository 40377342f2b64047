import { Button } from '@mantine/core'
import {
  mailIdentityCode,
  type Newcomer,
  proveIdentityEmail,
  registerIdentity,
  type SignInOutcome,
} from '@waybill/contract/accounts/identity-providers'
import type { UserType } from '@waybill/contract/ground/enums/enums'
import { useState } from 'react'
import { CheckboxField } from '../../../components/fields/checkbox-field.tsx'
import { PhoneField } from '../../../components/fields/phone-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Stack } from '../../../components/layout/boxes.tsx'
import { ApiError, call } from '../../../lib/api.ts'
import { currentLanguage, useT } from '../../../lib/i18n.ts'
import { useDeployment } from '../../../lib/settings/deployment.ts'
import { LegalLinks } from '../../legal/shared/legal-links.tsx'
import { FormPage } from '../sign-in/form-page.tsx'
import { ResendButton } from '../sign-in/resend-button.tsx'
import { AccountTypeFields } from './account-type-fields.tsx'
import { MailedCodeForm, mailedCodeForm } from './mailed-code-form.tsx'
import { prepareRegistration } from './registration-body.ts'

type Props = {
  newcomer: Newcomer
  /** The sign-in page. */
  back: string
  /** Continues with the result of a step. It shows errors that end the sign-in. */
  take: (work: () => Promise<SignInOutcome>) => Promise<void>
}

/** Errors that end the sign-in rather than one attempt. */
const isOver = (error: unknown) =>
  error instanceof ApiError &&
  ['identity_ticket', 'identity_namesake', 'identity_taken', 'staff_unknown', 'second_factor'].includes(error.code)

/** The `onError` of a step: an error that ends the sign-in leaves the steps. */
const leaveIfOver = (take: Props['take']) => (error: unknown) => {
  if (!isOver(error)) return false
  void take(() => Promise.reject(error))
  return true
}

/**
 * The first sign-in with an identity: an address, the code that proves it, and a profile if the address has no account
 * yet.
 */
export function NewcomerSteps({ newcomer, back, take }: Props) {
  const [mailed, setMailed] = useState<{ email: string; browserToken: string } | null>(null)
  if (newcomer.emailProven) return <ProfileStep newcomer={newcomer} back={back} take={take} />
  if (mailed) return <CodeStep newcomer={newcomer} mailed={mailed} onMailed={setMailed} back={back} take={take} />
  return <EmailStep newcomer={newcomer} onMailed={setMailed} back={back} take={take} />
}

function useProviderLabel(newcomer: Newcomer): string {
  const providers = useDeployment()?.loginProviders ?? []
  return providers.find(({ provider }) => provider === newcomer.provider)?.label ?? newcomer.provider
}

type MailedCode = { email: string; browserToken: string }

function EmailStep({ newcomer, onMailed, back, take }: Props & { onMailed: (mailed: MailedCode) => void }) {
  const t = useT()
  const provider = useProviderLabel(newcomer)
  const form = useContractForm({
    schema: mailIdentityCode.body,
    initial: { ticket: newcomer.ticket, email: newcomer.email ?? '', language: currentLanguage() },
    onSubmit: async (body) => onMailed(await call(mailIdentityCode, { body })),
    onError: leaveIfOver(take),
  })
  return (
    <FormPage
      title={t('auth.addressTitle')}
      lead={t(newcomer.email ? 'auth.addressLead' : 'auth.addressMissing', { provider })}
      aside={<a href={back}>{t('auth.backToSignIn')}</a>}
    >
      <Stack {...form.props} as="form">
        <TextField field={form.field('email')} type="email" autoComplete="email" autoFocus />
        <Button type="submit" variant="filled" size="md" loading={form.submitting}>
          {t('auth.sendCode')}
        </Button>
      </Stack>
    </FormPage>
  )
}

function CodeStep({
  newcomer,
  mailed,
  onMailed,
  back,
  take,
}: Props & { mailed: MailedCode; onMailed: (mailed: MailedCode) => void }) {
  const t = useT()
  const { ticket } = newcomer
  const { email, browserToken } = mailed
  const form = useContractForm({
    schema: mailedCodeForm,
    initial: { code: '' },
    onSubmit: async ({ code }) => {
      const outcome = await call(proveIdentityEmail, { body: { ticket, browserToken, code } })
      await take(() => Promise.resolve(outcome))
    },
    onError: leaveIfOver(take),
  })
  return (
    <FormPage
      title={t('auth.verifyTitle')}
      lead={t('auth.addressCode', { email })}
      aside={
        <>
          <ResendButton
            send={async () =>
              onMailed(await call(mailIdentityCode, { body: { ticket, email, language: currentLanguage() } }))
            }
          />
          <a href={back}>{t('auth.backToSignIn')}</a>
        </>
      }
    >
      <MailedCodeForm form={form} />
    </FormPage>
  )
}

function ProfileStep({ newcomer, back, take }: Props) {
  const t = useT()
  const form = useContractForm({
    schema: registerIdentity.body,
    initial: {
      ticket: newcomer.ticket,
      userType: 'customer' as UserType,
      name: newcomer.name ?? '',
      phone: '',
      companyName: '',
      registrationNumber: '',
      acceptTerms: false,
    },
    prepare: prepareRegistration,
    onSubmit: async (body) => {
      const session = await call(registerIdentity, { body })
      await take(() => Promise.resolve({ session, connected: null, newcomer: null }))
    },
    onError: leaveIfOver(take),
  })
  const company = form.values.userType === 'corporate'
  return (
    <FormPage
      title={t('auth.registerTitle')}
      lead={t('auth.profileLead', { email: newcomer.email ?? '' })}
      aside={<a href={back}>{t('auth.backToSignIn')}</a>}
    >
      <Stack {...form.props} as="form">
        <AccountTypeFields
          userType={form.field('userType')}
          companyName={form.field('companyName')}
          registrationNumber={form.field('registrationNumber')}
        />
        <TextField
          field={form.field('name', t(company ? 'auth.contactName' : 'fields.personName'))}
          autoComplete="name"
        />
        <PhoneField field={form.field('phone')} help={t('auth.phoneHelp')} />
        <CheckboxField field={form.field('acceptTerms', t('auth.acceptTerms'))} />
        <LegalLinks lead={t('legal.read')} kinds={['terms', 'privacy']} />
        <Button type="submit" variant="filled" size="md" loading={form.submitting}>
          {t('auth.registerAction')}
        </Button>
      </Stack>
    </FormPage>
  )
}
